"""What every game promises.

A rule set is a pure value: states, moves, options, events and views are frozen msgspec Structs, every method is
a function of its arguments, and all chance lies in the deck order that a game is dealt from. One class a game
implements `RuleSet`; one instance of it stands in the catalog.

The order of calls that the table keeps: `deal`, then again and again `to_act`, `check`, `canonical`, `apply`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

S = TypeVar("S", bound=Struct)
O = TypeVar("O", bound=Struct)  # noqa: E741 - the options' type variable, beside S, M, E and V
M = TypeVar("M", bound=Struct)
E = TypeVar("E", bound=Struct)
V = TypeVar("V", bound=Struct)

Result = Literal["win", "draw", "loss"]
Translate: TypeAlias = Callable[[str], str]
TranslateCount: TypeAlias = Callable[[str, str, int], str]


def _english(one: str, many: str, count: int) -> str:
    return one if count == 1 else many


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """How a game ended, by seat: `place` (1 is best, equals share the better), `result`, and `score` as the
    rule set defines it."""

    place: tuple[int, ...]
    result: tuple[Result, ...]
    score: tuple[int, ...]


class Phrase(Struct, frozen=True):
    """Words in English with `{names}` to be filled from `facts`: what is translated is `text`, or `many` where
    there is a plural and `count` asks for it. Made by `phrase` and `phrases`, which the collecting of words for
    translation looks for."""

    text: str
    facts: dict[str, Any] = {}
    many: str | None = None
    count: int = 1

    def said(self, translate: Translate = str, translate_count: TranslateCount = _english) -> str:
        """The words with their facts filled in, in English unless other functions are given."""
        text = (
            translate(self.text) if self.many is None else translate_count(self.text, self.many, self.count)
        )
        return text.format_map({name: _spoken(fact) for name, fact in self.facts.items()})


def phrase(text: str, **facts: object) -> Phrase:
    """Words without a plural."""
    return Phrase(text, facts)


def phrases(one: str, many: str, count: int, **facts: object) -> Phrase:
    """Words for one thing and for many; `{count}` is among their facts."""
    return Phrase(one, {"count": count, **facts}, many, count)


def words(text: str) -> str:
    """The same text, marked to be collected for translation."""
    return text


class Refused(Exception):
    """A move that is not accepted. `code` is a clause id, or one of FORM, OVER and TURN, which belong to no
    rule book; `why` is a sentence with `{names}` to be filled from `facts`, which hold only what the mover may
    know."""

    def __init__(self, code: str, why: str, **facts: object) -> None:
        super().__init__(code, why, facts)
        self.code = code
        self.why = why
        self.facts: Mapping[str, object] = facts

    @property
    def phrase(self) -> Phrase:
        """Why, to be said in any language."""
        return Phrase(self.why, dict(self.facts))

    @property
    def explanation(self) -> str:
        """The sentence with its facts filled in, in English."""
        return self.phrase.said()


class WrongForm(Refused):
    """Not exactly of a described form: unknown type, missing or unknown key, a value out of its range."""

    def __init__(self, why: str, path: str = "$") -> None:
        # Braces in a decoder's message are no placeholders.
        super().__init__("FORM", why.replace("{", "{{").replace("}", "}}"))
        self.path = path


class GameOver(Refused):
    """A move after the end."""

    def __init__(self) -> None:
        super().__init__("OVER", words("the game is over"))


class NotYourTurn(Refused):
    """A move of a seat that may not act now."""

    def __init__(self, seat: int, to_act: Sequence[int]) -> None:
        super().__init__("TURN", words("seat {seat} may not act now"), seat=seat, to_act=list(to_act))


class IllegalMove(Refused):
    """A move of a described form that a clause of the rule book forbids; `code` is the clause's id."""


class IllegalOptions(Refused):
    """Options that a clause of the rule book forbids; `code` is the clause's id."""


def _spoken(fact: object) -> object:
    if isinstance(fact, list | tuple):
        return " ".join(map(str, fact)) or "nothing"
    return fact


class RuleSet(ABC, Generic[S, O, M, E, V]):
    """One game. The class attributes name its types; `Move` and `Event` are Structs or unions of Structs told
    apart by `type`."""

    slug: ClassVar[str]
    name: ClassVar[str]
    version: ClassVar[int]
    """Rises when behaviour changes, never otherwise; stored games keep the version they began with."""
    seats: ClassVar[range]
    """The numbers of seats that the game can be played with."""

    State: ClassVar[type[Any]]
    Options: ClassVar[type[Any]]
    Move: ClassVar[Any]
    Seen: ClassVar[Any] = None
    """The type of a move as a viewer saw it, where a part of it may be hidden from others; None for `Move`."""
    Events: ClassVar[Any]
    """The type of a move's list of events."""
    View: ClassVar[type[Any]]

    hides: ClassVar[bool]
    """Whether anything is ever hidden from anybody at this table; the contract suite holds the game to it."""
    has_notation: ClassVar[bool] = False
    notation_word: ClassVar[str] = ""
    """Where there is a notation, a regular expression of the words that `parse` takes."""

    @property
    def is_patience(self) -> bool:
        """Whether it is played by one alone."""
        return max(self.seats) == 1

    def resolve(self, options: O, seats: int) -> O:
        """The options with every default filled in that depends on the number of seats; what they were resolved
        to resolves to itself. Raises `IllegalOptions` with the clause that forbids them."""
        return options

    @abstractmethod
    def deck(self, options: O) -> tuple[str, ...]:
        """The unshuffled pack."""

    def fixed_deck(self, options: O) -> tuple[str, ...] | None:
        """The deck order that the options themselves fix, or None where the deck is shuffled."""
        return None

    def warnings(self, options: O) -> tuple[tuple[str, Phrase], ...]:
        """What a player who chose these options should be told: pairs of clause id and sentence."""
        return ()

    @abstractmethod
    def deal(self, options: O, seats: int, deck: Sequence[str]) -> S:
        """The state after the deal. `deck` is a permutation of `deck(options)`, first card dealt first."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[int, ...]:
        """The seats that may act, ascending; several in an open phase, none when the game is over."""

    @abstractmethod
    def legal_moves(self, state: S, seat: int) -> Iterator[M]:
        """Every legal move of a seat in canonical form, each once, lazily and in a fixed order."""

    def check_form(self, move: M) -> None:
        """Raises `WrongForm` for what the types of moves cannot say, such as a card given twice."""

    @abstractmethod
    def check(self, state: S, seat: int, move: M) -> None:
        """Return for a legal move of a seat that may act; never enumerates.

        Raises `IllegalMove` with the clause that forbids the move.
        """

    def is_cooperative(self, options: O) -> bool:
        """Whether all seats win or lose together."""
        return False

    def ready(self, state: S, seat: int) -> M | None:
        """In an open phase, in which a seat may act for as long as it has not said that it is done: the move that
        says so, for a seat that may act. None in turns."""
        return None

    def automatic(self, state: S, seat: int) -> M:
        """What is played for a seat that has left, while it may act: a legal move in canonical form, chosen
        by what that seat may know, and such that a game played by it alone comes to its end."""
        ready = self.ready(state, seat)
        return next(self.legal_moves(state, seat)) if ready is None else ready

    def out_of_turn(self, state: S, seat: int) -> Refused:
        """What a seat is told that may not act now, while the game goes on: TURN, unless a clause says more."""
        return NotYourTurn(seat, self.to_act(state))

    def canonical(self, state: S, seat: int, move: M) -> M:
        """The one form of a legal move that the log keeps. Raises `IllegalMove` where a part that was left out
        cannot be filled in."""
        return move

    @abstractmethod
    def apply(self, state: S, seat: int, move: M) -> tuple[S, tuple[E, ...]]:
        """The state after a legal move in canonical form, and what it revealed or caused."""

    @abstractmethod
    def may_reveal(self, state: S, seat: int, move: M) -> bool:
        """Whether the move may show its mover something not known before; decided from the mover's view
        alone, and also for moves that turn out to be illegal."""

    @abstractmethod
    def view(self, state: S, seat: int | None) -> V:
        """What a seat may know; None is a spectator. When the game is over everything is shown to all."""

    @abstractmethod
    def open_view(self, state: S) -> V:
        """The whole position, for those to whom it has been disclosed."""

    def sealed_view(self, state: S) -> V:
        """What the player of a patience may know of a deal that others still play: as `view` says while the game
        goes on, and no more when it is over. Games for several have no deal of the day."""
        raise NotImplementedError(f"{self.slug} has no deal of the day")

    @abstractmethod
    def redact(
        self, before: S, seat: int | None, mover: int, move: M, events: tuple[E, ...]
    ) -> tuple[Any, tuple[E, ...]]:
        """A move of `mover` in the state `before`, as a value of the type `Seen`, and its events, as a viewer saw
        them."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def score(self, state: S) -> tuple[int, ...]:
        """The score of each seat as the position stands, which at the end is that of the outcome."""

    @abstractmethod
    def describe(self, mover: int, move: M, events: tuple[E, ...]) -> tuple[Phrase, ...]:
        """Words for a move and its events, as redacted as they are given; said one after the other, with commas
        between them, they make one line."""

    @abstractmethod
    def redeal(self, state: S, seat: int | None, rng: Random) -> S:
        """Another state with the same view for that viewer: what is hidden is dealt anew."""

    def parse(self, word: str) -> M:
        """A move from one word of the game's notation. Raises `WrongForm`."""
        raise WrongForm(f"{self.slug} has no notation of its own")

    def notate(self, state: S, move: M) -> str:
        """One word for a canonical move in the game's notation."""
        raise NotImplementedError(f"{self.slug} has no notation of its own")


def said(phrases: Sequence[Phrase]) -> str:
    """What `describe` found, as one line in English."""
    return ", ".join(one.said() for one in phrases)


def read_options(rules: RuleSet[Any, O, Any, Any, Any], given: object) -> O:
    """Options from decoded JSON, defaults filled in. Raises `WrongForm`."""
    options: O = convert(given, rules.Options)
    return options


def read_move(rules: RuleSet[Any, Any, M, Any, Any], given: object) -> M:
    """A move from decoded JSON, exactly of one of the game's forms. Raises `WrongForm`."""
    # A decoder of one lone tagged Struct lets the tag be left out.
    if isinstance(given, dict) and "type" not in given:
        raise WrongForm("Object missing required field `type`")
    move: M = convert(given, rules.Move)
    rules.check_form(move)
    return move


def convert(given: object, kind: Any) -> Any:
    """A value of a type from decoded JSON, where 6.0 is an integer. Raises `WrongForm`."""
    try:
        return msgspec.convert(_integral(given), kind)
    except msgspec.ValidationError as error:
        # A message quotes what was sent, which may not be encodable.
        message, _, path = str(error).encode(errors="backslashreplace").decode().partition(" - at ")
        raise WrongForm(message, path.strip("`") or "$") from None
    except UnicodeEncodeError:
        raise WrongForm("Invalid Unicode: a surrogate by itself") from None
    except RecursionError:
        raise WrongForm("Nested too deeply") from None


def _integral(given: object) -> object:
    """6.0 is an integer to JSON Schema, and so to the published schemas."""
    if isinstance(given, float) and given.is_integer():
        return int(given)
    if isinstance(given, dict):
        return {key: _integral(value) for key, value in given.items()}
    if isinstance(given, list):
        return [_integral(value) for value in given]
    return given


def ranked(scores: Sequence[int], *, fewest_wins: bool) -> Outcome:
    """The outcome of a game for several that goes by score: equals share the better place, one seat alone in
    first place wins, several in first place draw, all others lose (rules: The end)."""
    place = tuple(
        1 + sum((other < score) if fewest_wins else (other > score) for other in scores) for score in scores
    )
    first: Result = "win" if place.count(1) == 1 else "draw"
    return Outcome(
        place=place,
        result=tuple(first if at == 1 else "loss" for at in place),
        score=tuple(scores),
    )
