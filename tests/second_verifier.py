"""A second verifier of proofs, written from `docs/proof.md`, `docs/shuffle.md` and the rule books of Sicksack and
FreeCell, with the standard library alone. It plays these two; of the other games it looks at everything but the
positions.

`python tests/second_verifier.py FILE…` says of each proof whether it is verified.
"""

import hashlib
import hmac
import json
import re
import sys
from copy import deepcopy
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

SECOND = 1000  # times are in milliseconds
DAY = 86_400
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
RANKS = "A23456789TJQK"
SUITS = "CDHS"
FRENCH = [rank + suit for rank in RANKS for suit in SUITS]
READY = {"type": "ready"}
MOST_UNDOS = 2000


class Diverges(Exception):
    def __init__(self, where, why):
        super().__init__(f"{where}: {why}")
        self.where = where


def verify(content):
    """Whether the game was played again; False where the rules are not known here and the rest was looked at.
    Raises `Diverges`."""
    proof = read(content)
    require_setting(proof)
    require_deck(proof)
    at("started_at", proof["started_at"])
    game = GAMES.get(proof["ruleset"])
    if game is None:
        Unplayed(proof).look()
        return False
    Replay(proof, game).play()
    return True


# The form.


def read(content):
    try:
        proof = json.loads(
            content.decode("utf-8"), object_pairs_hook=once, parse_float=refuse, parse_constant=refuse
        )
        json.dumps(proof, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise Diverges("form", f"this is no JSON for a proof: {error}") from None
    fault = PROOF(proof)
    if fault is not None:
        raise Diverges("form", f"$ {fault}")
    return proof


def once(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name stands twice")
    return dict(pairs)


def refuse(text):
    raise ValueError(f"{text} is no integer")


# What a value must be: a function that tells where it is not, or None.


def a(kind):
    return lambda value: None if type(value) is kind else f"is no {kind.__name__}"


def among(*texts):
    return lambda value: None if type(value) is str and value in texts else f"is none of {texts}"


def whole(first, last):
    return lambda value: (
        None if type(value) is int and first <= value <= last else f"is no integer from {first} to {last}"
    )


def nothing(value):
    return None if value is None else "is not null"


def anything(value):
    return None


def either(*forms):
    return lambda value: None if any(form(value) is None for form in forms) else "has none of its forms"


def every(form):
    def fault(value):
        if type(value) is not list:
            return "is no array"
        faults = ((number, form(item)) for number, item in enumerate(value))
        return next((f"[{number}] {found}" for number, found in faults if found), None)

    return fault


def record(*optional, **forms):
    """An object of these members, of which some may be left out."""

    def fault(value):
        if type(value) is not dict or not set(forms) - set(optional) <= set(value) <= set(forms):
            return f"does not have exactly the members {sorted(forms)}"
        faults = ((name, form(value[name])) for name, form in forms.items() if name in value)
        return next((f".{name} {found}" for name, found in faults if found), None)

    return fault


SECONDS = whole(60, 14 * DAY)
PROOF = record(
    "daily",
    format=among("cardsite proof 1"),
    game=a(str),
    ruleset=a(str),
    rules_version=a(int),
    shuffle_version=a(int),
    options=a(dict),
    seats=a(int),
    players=every(a(str)),
    daily=either(nothing, a(str)),
    commitment=either(nothing, a(str)),
    seed=either(nothing, a(str)),
    entropies=every(a(str)),
    pack=every(a(str)),
    deck=every(a(str)),
    clock=either(
        nothing,
        record(type=among("turn"), seconds=SECONDS),
        record(type=among("bank"), seconds=SECONDS),
        record(type=among("bank"), seconds=SECONDS, increment=whole(0, DAY)),
    ),
    abandon_after=whole(0, 2**31 - 1),
    started_at=a(str),
    log=every(
        record(
            kind=among("play", "auto", "undo", "resign", "timeout", "void"),
            seat=either(nothing, a(int)),
            move=anything,
            at=a(str),
        )
    ),
    positions=every(a(str)),
    ending=among("played_out", "resigned", "timed_out", "abandoned"),
    outcome=either(
        nothing,
        record(place=every(a(int)), result=every(among("win", "draw", "loss")), score=every(a(int))),
    ),
)


def at(where, text):
    """A time in milliseconds."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z", text):
        raise Diverges(where, f"{text!r} is no time")
    try:
        moment = datetime.strptime(text[:19] + "+0000", "%Y-%m-%dT%H:%M:%S%z")
    except ValueError as error:
        raise Diverges(where, str(error)) from None
    since = moment - EPOCH
    return (since.days * DAY + since.seconds) * SECOND + int(text[20:23])


# How the game was set up.

YES_OR_NO = (True, False)
RULE_SETS = {
    "vagrat-lodrat": (range(2, 3), {"cooperative": YES_OR_NO, "penalty": ("adjacent", "any-earlier")}),
    "sicksack": (range(2, 7), {}),
    "vandtia-pyramid": (range(2, 5), {}),
    "kraftkort": (range(2, 5), {"exchange": YES_OR_NO, "power_card": YES_OR_NO, "play_on": YES_OR_NO}),
    "camelot": (range(1, 2), {}),
    "las-pintas": (
        range(1, 2),
        {"deck": (48, 40), "variant": ("base", "lost-kings", "revealed-exchange")},
    ),
    "freecell": (range(1, 2), {"deal": (None, *range(1, 1_000_001))}),
}


def require_setting(proof):
    if proof["ruleset"] not in RULE_SETS or proof["rules_version"] != 1:
        raise Diverges("ruleset", "it is not known here")
    seats, options = RULE_SETS[proof["ruleset"]]
    if proof["seats"] not in seats:
        raise Diverges("seats", "the game is not played by so many")
    for name, value in proof["options"].items():
        allowed = options.get(name, ())
        if not any(type(value) is type(one) and value == one for one in allowed):
            raise Diverges("options", f"{name} is {value!r}")
    if proof["ruleset"] == "kraftkort" and proof["seats"] == 4 and proof["options"].get("power_card"):
        raise Diverges("options", "KK-3: no power card with four players")
    for name in ("players", "entropies"):
        if len(proof[name]) != proof["seats"]:
            raise Diverges(name, "they are not as many as seats")
    if len(proof["positions"]) != len(proof["log"]) + 1:
        raise Diverges("positions", "they are not one more than entries")


def require_deck(proof):
    if proof["pack"] != pack_of(proof):
        raise Diverges("pack", "it is not that of the rule set")
    for name in ("game", "daily"):
        if not re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", committed_over(proof, name)):
            raise Diverges(name, "it is no UUID")
    if proof["shuffle_version"] != 1:
        raise Diverges("shuffle_version", "it is not 1")
    deal = proof["options"].get("deal")
    if deal is None:
        seed, commitment, deck = shuffled(proof)
    else:
        seed, commitment, deck = None, None, microsoft_deal(deal)
    for name, found in (("seed", seed), ("commitment", commitment), ("deck", deck)):
        if proof[name] != found:
            raise Diverges(name, f"it should be {found}")


def committed_over(proof, name="daily"):
    """A member that is an id; the game's where the deal was none of the day."""
    found = proof.get(name)
    return proof["game"] if found is None else found


def pack_of(proof):
    if proof["ruleset"] != "las-pintas":
        return FRENCH
    numbers = [n for n in range(1, 13) if proof["options"].get("deck", 48) == 48 or n not in (8, 9)]
    return [f"{number}{suit}" for number in numbers for suit in "OCEB"]


def shuffled(proof):
    """By `docs/shuffle.md`: the seed, its commitment and the deck order."""
    if not re.fullmatch("[0-9a-f]{64}", proof["seed"] or ""):
        raise Diverges("seed", "it is not 32 bytes")
    seed = bytes.fromhex(proof["seed"])
    dealt = bytes.fromhex(committed_over(proof).replace("-", ""))
    commitment = hashlib.sha256(b"cardsite commitment 1" + dealt + seed).hexdigest()
    mixed = hashlib.sha256()
    for text in proof["entropies"]:
        encoded = text.encode("utf-8")
        mixed.update(len(encoded).to_bytes(4, "big"))
        mixed.update(encoded)
    numbers = stream(seed, mixed.digest())
    deck = list(proof["pack"])
    for last in reversed(range(1, len(deck))):
        place = below(last + 1, numbers)
        deck[place], deck[last] = deck[last], deck[place]
    return proof["seed"], commitment, deck


def stream(seed, mixed):
    block = 0
    while True:
        message = b"cardsite deck 1" + mixed + block.to_bytes(4, "big")
        digest = hmac.new(seed, message, hashlib.sha256).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def below(bound, numbers):
    while True:
        number = next(numbers)
        if number < 2**32 - 2**32 % bound:
            return number % bound


def microsoft_deal(number):
    """FC-10."""
    state, left, deck = number, list(FRENCH), []
    while left:
        state = (214013 * state + 2531011) % 2**31
        place = (state >> 16) % len(left)
        deck.append(left[place])
        left[place] = left[-1]
        del left[-1]
    return deck


# The rules.


def rank(card):
    return RANKS.index(card[0])


def is_red(card):
    return card[1] in "DH"


def in_order(cards):
    return sorted(cards, key=FRENCH.index)


class Sicksack:
    """SS-1 to SS-11."""

    def __init__(self, seats, deck):
        self.hands = [in_order(deck[3 * seat : 3 * seat + 3]) for seat in range(seats)]
        self.stock = deck[3 * seats :]
        self.pile = []
        self.score_piles = [[] for _ in range(seats)]
        self.turn = 0

    def to_act(self):
        return [self.turn] if any(self.hands) else []

    def fits(self, card):
        if not self.pile:
            return True
        top = self.pile[-1]
        return rank(card) >= rank(top) if is_red(top) else rank(card) <= rank(top)

    def automatic(self, seat):
        for card in self.hands[seat]:
            if self.fits(card):
                return {"type": "play", "card": card}
        return {"type": "chance"} if self.stock else {"type": "take"}

    def play(self, seat, move):
        """Make a move; whether it was legal."""
        match move:
            case {"type": "play", "card": str(card)} if len(move) == 2:
                if card not in self.hands[seat] or not self.fits(card):
                    return False
                self.hands[seat].remove(card)
                self.hands[seat] = in_order(self.hands[seat] + self.stock[:1])
                self.stock = self.stock[1:]
                self.lay(card)
            case {"type": "chance"} if len(move) == 1 and self.stock:
                card, self.stock = self.stock[0], self.stock[1:]
                if self.fits(card):
                    self.lay(card)
                else:
                    self.pile.append(card)
                    self.take(seat)
            case {"type": "take"} if len(move) == 1 and not any(map(self.fits, self.hands[seat])):
                self.take(seat)
            case _:
                return False
        return True

    def lay(self, card):
        self.pile.append(card)
        self.turn = (self.turn + 1) % len(self.hands)

    def take(self, seat):
        self.score_piles[seat] += self.pile
        self.pile = []

    def view(self):
        return {
            "hands": [{"size": len(hand), "cards": hand} for hand in self.hands],
            "stock": {"size": len(self.stock), "cards": self.stock},
            "pile": self.pile,
            "score_piles": self.score_piles,
        }

    def score(self):
        return [len(pile) for pile in self.score_piles]

    def places(self):
        return [1 + sum(other < own for other in self.score()) for own in self.score()]


class Freecell:
    """FC-1 to FC-8."""

    def __init__(self, seats, deck):
        self.columns = {str(number + 1): deck[number::8] for number in range(8)}
        self.cells = dict.fromkeys("abcd")
        self.foundations = dict.fromkeys(SUITS, 0)
        self.moves = 0
        self.acting = self.who_may_act()

    def score(self):
        return [sum(self.foundations.values())]

    def to_act(self):
        return self.acting

    def who_may_act(self):
        places = [*self.columns, *self.cells]
        over = self.score() == [52] or self.moves == 2000
        if over or not any(self.allows(one, to, 1) for one in places for to in (*places, "h")):
            return []
        return [0]

    def cards(self, place):
        if place in self.columns:
            return self.columns[place]
        return [self.cells[place]] if self.cells[place] else []

    def allows(self, source, target, count):
        cards = self.cards(source)
        if source == target or not 1 <= count <= len(cards):
            return False
        moved = cards[-count:]
        if target == "h":
            return count == 1 and rank(moved[0]) == self.foundations[moved[0][1]]
        if target in self.cells:
            return count == 1 and not self.cells[target]
        if count > 1 and not self.could_carry(source, target, moved):
            return False
        onto = self.columns[target]
        return not onto or self.may_lie(moved[0], onto[-1])

    def may_lie(self, card, onto):
        return rank(onto) == rank(card) + 1 and is_red(onto) != is_red(card)

    def could_carry(self, source, target, moved):
        """FC-5."""
        is_run = all(self.may_lie(lower, upper) for upper, lower in pairwise(moved))
        cells = list(self.cells.values()).count(None)
        columns = sum(not cards for place, cards in self.columns.items() if place != target)
        return source in self.columns and is_run and len(moved) <= (cells + 1) * 2**columns

    def play(self, seat, move):
        """Make a move; whether it was legal."""
        match move:
            case {"type": "move", "from": str(source), "to": str(target), "count": int(count)} if (
                len(move) == 4
            ):
                places = (*self.columns, *self.cells)
                if source not in places or target not in (*places, "h") or type(count) is not int:
                    return False
            case _:
                return False
        if not self.allows(source, target, count):
            return False
        moved = self.cards(source)[-count:]
        if source in self.columns:
            del self.columns[source][-count:]
        else:
            self.cells[source] = None
        if target in self.columns:
            self.columns[target] += moved
        elif target in self.cells:
            self.cells[target] = moved[0]
        else:
            self.foundations[moved[0][1]] += 1
        self.moves += 1
        self.acting = self.who_may_act()
        return True

    def view(self):
        return {
            "columns": list(self.columns.values()),
            "cells": self.cells,
            "foundations": {
                suit: RANKS[height - 1] + suit if height else None
                for suit, height in self.foundations.items()
            },
            "moves": self.moves,
        }

    def places(self):
        return [1]


GAMES = {"sicksack": Sicksack, "freecell": Freecell}


# The log.


class Replay:
    """A game that is played again, entry by entry. Neither of the two has an open phase."""

    def __init__(self, proof, game):
        self.proof, self.seats, self.clock = proof, proof["seats"], proof["clock"]
        self.table = game(self.seats, list(proof["deck"]))
        self.before = []
        self.ply, self.left, self.closed, self.undos = 0, {}, False, 0
        self.at = at("started_at", proof["started_at"])
        bank = self.clock["seconds"] * SECOND if self.clock else None
        self.time_left, self.deadlines = [bank] * self.seats, [None] * self.seats
        self.begin_turns()

    def play(self):
        self.require_position()
        for entry in self.proof["log"]:
            self.make(entry)
            self.require_position()
        if self.ending() != self.proof["ending"]:
            raise Diverges("ending", f"it should be {self.ending()}")
        if self.outcome() != self.proof["outcome"]:
            raise Diverges("outcome", f"it should be {self.outcome()}")

    def require_position(self):
        digest = hashlib.sha256(self.text().encode("ascii")).hexdigest()
        if self.proof["positions"][self.ply] != digest:
            raise Diverges(f"position {self.ply}", f"its digest should be {digest}, of {self.text()}")

    def text(self):
        shown = {
            "ply": self.ply,
            "to_act": self.to_act(),
            "left": list(self.left),
            "view": self.table.view(),
        }
        return json.dumps(shown, sort_keys=True, separators=(",", ":"))

    def to_act(self):
        return [] if self.ending() else [seat for seat in self.table.to_act() if seat not in self.left]

    def ending(self):
        if self.closed:
            return "abandoned"
        if not self.table.to_act():
            return "played_out"
        if self.left and self.seats - len(self.left) <= 1:
            return "resigned" if list(self.left.values())[-1] == "resign" else "timed_out"
        return None

    def outcome(self):
        if self.closed:
            return None
        if self.left and self.seats == 1:
            return {"place": [1], "result": ["loss"], "score": self.table.score()}
        if self.seats == 1:
            won = self.table.score() == [52]
            return {"place": [1], "result": ["win" if won else "loss"], "score": self.table.score()}
        by_rules = self.table.places()
        stayers = [seat for seat in range(self.seats) if seat not in self.left]
        place = [0] * self.seats
        for seat in stayers:
            place[seat] = 1 + sum(by_rules[other] < by_rules[seat] for other in stayers)
        for number, seat in enumerate(self.left):
            place[seat] = self.seats - number
        first = "win" if place.count(1) == 1 else "draw"
        result = [first if one == 1 else "loss" for one in place]
        return {"place": place, "result": result, "score": self.table.score()}

    def make(self, entry):
        where = f"entry {self.ply}"
        when = at(where, entry["at"])
        if when < self.at or self.ending():
            raise Diverges(where, "it is earlier than what was before it, or after the end")
        given = (entry["kind"], entry["seat"], entry["move"])
        due_at, due = self.due()
        automatic = [seat for seat in self.table.to_act() if seat in self.left]
        if automatic:
            move = self.table.automatic(automatic[0])
            if given != ("auto", automatic[0], move) or when != self.at:
                raise Diverges(where, f"seat {automatic[0]} has to play {move} at once")
        elif given == due and when >= due_at:
            pass
        elif due_at is not None and due_at < when:
            raise Diverges(where, f"{due} was due before it")
        elif not self.could_be_asked_for(*given):
            raise Diverges(where, "no player could ask for it")
        self.change(where, *given)
        self.ply, self.at = self.ply + 1, when
        self.end_turns(entry)
        self.begin_turns()

    def could_be_asked_for(self, kind, seat, move):
        if kind == "play":
            return type(move) is dict and seat in self.to_act()
        if move is not None:
            return False
        if kind == "void":
            return seat is None and self.seats == 1 and self.ply == 0
        if kind == "undo":
            return seat == 0 and self.seats == 1 and bool(self.before) and self.undos < MOST_UNDOS
        if kind == "resign":
            begun = self.seats > 1 or self.ply > 0
            return begun and seat in range(self.seats) and seat not in self.left
        return False

    def change(self, where, kind, seat, move):
        if kind in ("play", "auto"):
            self.before.append(deepcopy(self.table))
            if not self.table.play(seat, move):
                raise Diverges(where, "the move is not legal")
        elif kind == "undo":
            self.table = self.before.pop()
            self.undos += 1
        elif kind == "void":
            self.closed = True
        else:
            self.left[seat] = kind

    def end_turns(self, entry):
        for seat, deadline in enumerate(self.deadlines):
            done = entry["seat"] == seat and entry["kind"] in ("play", "auto")
            if deadline is None or not (done or seat not in self.to_act()):
                continue
            self.deadlines[seat] = None
            if self.clock["type"] == "turn":
                self.time_left[seat] = self.clock["seconds"] * SECOND
            else:
                added = self.clock.get("increment", 0) * SECOND if done else 0
                self.time_left[seat] = max(deadline - self.at, 0) + added

    def begin_turns(self):
        for seat in self.to_act() if self.clock else []:
            if self.deadlines[seat] is None:
                self.deadlines[seat] = self.at + self.time_left[seat]
        kept_by_clock = self.clock and self.seats > 1 and self.ply > 0
        self.abandoned_at = None
        if self.to_act() and not kept_by_clock:
            self.abandoned_at = self.at + self.proof["abandon_after"] * SECOND

    def due(self):
        """When something is due next, and which entry follows from it."""
        deadlines = [(when, seat) for seat, when in enumerate(self.deadlines) if when is not None]
        first = min(deadlines, default=None)
        if first and (self.abandoned_at is None or first[0] <= self.abandoned_at):
            return first[0], ("timeout", first[1], None)
        if self.abandoned_at is None:
            return None, None
        begun = self.seats == 1 and self.ply > 0
        return self.abandoned_at, ("timeout", 0, None) if begun else ("void", None, None)


class Unplayed:
    """What can be told of a log without the rules: its form and order, who has left, whether the end is one."""

    def __init__(self, proof):
        self.proof, self.seats = proof, proof["seats"]
        self.at = at("started_at", proof["started_at"])
        self.ply, self.left, self.closed, self.moves, self.undos = 0, [], False, 0, 0

    def look(self):
        for ply, digest in enumerate(self.proof["positions"]):
            if not re.fullmatch("[0-9a-f]{64}", digest):
                raise Diverges(f"position {ply}", "it is no digest")
        for ply, entry in enumerate(self.proof["log"]):
            when = at(f"entry {ply}", entry["at"])
            fault = self.fault(when, entry["kind"], entry["seat"], entry["move"])
            if fault:
                raise Diverges(f"entry {ply}", fault)
            self.note(when, entry["kind"], entry["seat"])
        self.look_at_end()

    def fault(self, when, kind, seat, move):
        is_move = kind in ("play", "auto")
        has_left, is_auto, has_open_phase = (
            seat in self.left,
            kind == "auto",
            "vandtia" in self.proof["ruleset"],
        )
        looks_so = type(move) is dict and type(move.get("type")) is str if is_move else move is None
        faults = [
            (when < self.at, "it is earlier than what was before it"),
            (self.is_over(), "the game is over"),
            (not looks_so, "only a move has a move"),
            ((seat is None) != (kind == "void"), "whose is it?"),
            (seat is not None and seat not in range(self.seats), "it is of no seat"),
            (kind == "void" and self.seats == 1 and self.ply > 0, "a patience that was begun is lost"),
            (has_left and not is_auto, "the seat has left"),
            (has_left and when != self.at, "the automatic player moves at once"),
            (is_auto and not has_left and not has_open_phase, "the seat has not left"),
            (is_auto and not has_left and move != READY, "out of time in an open phase, a seat is ready"),
            (kind == "undo" and (self.seats > 1 or not self.moves), "there is nothing to take back"),
            (kind == "undo" and self.undos >= MOST_UNDOS, "too much was taken back"),
        ]
        return next((why for is_fault, why in faults if is_fault), None)

    def is_over(self):
        return self.closed or (bool(self.left) and self.seats - len(self.left) < 2)

    def note(self, when, kind, seat):
        self.at, self.ply, self.closed = when, self.ply + 1, kind == "void"
        self.moves += {"play": 1, "auto": 1, "undo": -1}.get(kind, 0)
        self.undos += kind == "undo"
        if kind in ("resign", "timeout"):
            self.left.append(seat)

    def look_at_end(self):
        ending, outcome = self.proof["ending"], self.proof["outcome"]
        last = self.proof["log"][-1]["kind"] if self.ply else None
        by_last = {"void": "abandoned", "resign": "resigned", "timeout": "timed_out"}.get(last, "played_out")
        if ending != by_last:
            raise Diverges("ending", f"it should be {by_last}")
        if self.left and ending != "played_out" and not self.is_over():
            raise Diverges("ending", "the game goes on")
        if (outcome is None) != self.closed or any(
            len(one) != self.seats for one in (outcome or {}).values()
        ):
            raise Diverges("outcome", "it is not of these seats")


def main(files):
    failed = 0
    for file in files:
        try:
            played = verify(Path(file).read_bytes())
        except Diverges as error:
            failed += 1
            print(f"{file}: diverges at {error}".encode("unicode_escape").decode())  # noqa: T201
        else:
            print(f"{file}: verified{'' if played else ', but the positions were not played'}")  # noqa: T201
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
