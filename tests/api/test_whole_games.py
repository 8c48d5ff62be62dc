"""Whole games by way of the API: recorded ones, and one of three players who see no more than they may."""

import pytest

from games.models import Deal, Game, Result
from games.rules.cards import by_rank
from tests.api.checks import play, records, whole_list

ALL_SICKSACK = records("sicksack")


@pytest.fixture
def players(make_player):
    return [make_player(name) for name in ("anna", "bo", "cilla", "david", "eva", "filip")]


def without_times(entries):
    return [{**entry, "at": None} for entry in entries]


def test_the_first_microsoft_deal_is_won_in_one_request_as_move_by_move(anna, make_game, anonymous):
    words = records("freecell")["deal-1"]["notation"]
    whole, stepwise = (make_game("freecell", [anna], options={"deal": 1}) for _ in range(2))

    at_once = anna.client.post(f"games/{whole}/moves", {"ply": 0, "notation": " ".join(words)})
    assert (at_once.status_code, at_once.json()["ply"], at_once.json()["status"]) == (201, 115, "finished")

    answers = []
    for ply, word in enumerate(words):
        answer = anna.client.post(f"games/{stepwise}/moves", {"ply": ply, "notation": word})
        assert answer.status_code == 201, answer.content
        answers.append(answer.json())
    assert {answer["status"] for answer in answers[:-1]} == {"running"}
    assert answers[-1]["status"] == "finished"
    assert answers[-1]["position"] == at_once.json()["position"]
    assert answers[-1]["position"]["outcome"] == {"place": [1], "result": ["win"], "score": [52]}
    assert answers[-1]["position"]["view"]["foundations"] == {"C": "KC", "D": "KD", "H": "KH", "S": "KS"}

    logs = [whole_list(anonymous, f"games/{game}/moves?limit=50") for game in (whole, stepwise)]
    assert without_times(logs[0]) == without_times(logs[1])
    assert [entry["notation"] for entry in logs[0]] == words
    assert logs[0] == at_once.json()["entries"]
    assert logs[1] == [answer["entries"][0] for answer in answers]

    for ply in range(116):
        position = anonymous.get_json(f"games/{whole}/positions/{ply}")
        assert position == anonymous.get_json(f"games/{stepwise}/positions/{ply}")
        assert position["view"]["moves"] == position["ply"] == ply
        if ply:
            assert position == answers[ply - 1]["position"]

    for game in (whole, stepwise):
        seen = anonymous.get_json(f"games/{game}/")
        assert (seen["status"], seen["ply"], seen["to_act"]) == ("finished", 115, [])
        assert seen["outcome"] == seen["position"]["outcome"] == answers[-1]["position"]["outcome"]
        assert list(Result.objects.filter(game=game).values_list("seat", "place", "result", "score")) == [
            (0, 1, "win", 52)
        ]


@pytest.mark.parametrize("name", ALL_SICKSACK)
def test_a_recorded_game_of_sicksack_comes_to_its_recorded_outcome(name, players, anonymous, make_game_of):
    record = ALL_SICKSACK[name]
    seated = players[: record["seats"]]
    game = make_game_of(record["deck"], "sicksack", seated)
    assert Deal.objects.get(game=game).deck == record["deck"]
    for ply, step in enumerate(record["steps"]):
        seat = step["seat"]
        assert record["to_act"][ply] == [seat]
        legal = seated[seat].client.get_json(f"games/{game}/legal-moves")
        assert (legal["ply"], legal["seat"], legal["next"]) == (ply, seat, None)
        assert legal["total"] == len(legal["items"]) == record["legal"][ply][str(seat)]
        assert step["move"] in legal["items"]
        answer = seated[seat].client.post(f"games/{game}/moves", {"ply": ply, "move": step["move"]})
        assert answer.status_code == 201, answer.content
        assert answer.json()["position"]["to_act"] == record["to_act"][ply + 1]
    seen = anonymous.get_json(f"games/{game}/")
    assert (seen["status"], seen["outcome"]) == ("finished", record["outcome"])
    results = Result.objects.filter(game=game).order_by("seat").values_list("place", "result", "score")
    assert list(results) == list(
        zip(*(record["outcome"][name] for name in ("place", "result", "score")), strict=True)
    )


def shown(view):
    """What a view shows of hands and stock, and whether all is open."""
    return [hand["cards"] for hand in view["hands"]], view["stock"]["cards"]


class TestThreePlayersToTheEnd:
    """Each chooses among its own legal moves; all others look on."""

    @pytest.fixture
    def game(self, anna, bo, cilla, make_game):
        return make_game("sicksack", [anna, bo, cilla])

    @pytest.fixture
    def seen_by(self, game, anna, bo, cilla, stranger, anonymous):
        """What each viewer, by seat or name, is answered about the game."""
        clients = {
            0: anna.client,
            1: bo.client,
            2: cilla.client,
            "stranger": stranger.client,
            "anonymous": anonymous,
        }

        def seen(what):
            return {viewer: client.get_json(f"games/{game}/{what}") for viewer, client in clients.items()}

        return seen

    def test_each_sees_its_own_hand_until_all_is_open(self, game, anna, bo, cilla, seen_by, rng):
        deck = Deal.objects.get(game=game).deck
        hands, stock = [deck[first : first + 3] for first in (0, 3, 6)], deck[9:]
        past, ply = [], 0
        while (position := self.check_position(seen_by(""), hands, stock))["to_act"]:
            past.append(position)
            (seat,) = position["to_act"]
            legal = self.check_legal_moves(game, (anna, bo, cilla), position, hands[seat])
            move = rng.choice(legal)
            answer = (anna, bo, cilla)[seat].client.post(f"games/{game}/moves", {"ply": ply, "move": move})
            assert answer.status_code == 201, answer.content
            self.follow(move, hands[seat], stock)
            ply += 1
        assert ply > 43
        self.check_the_past(seen_by, past, deck, ply)

    def check_position(self, seen, hands, stock):
        """The position as nobody in particular sees it, after a look at what each sees."""
        over = seen["anonymous"]["status"] == "finished"
        assert Game.objects.get(id=seen[0]["id"]).ply == seen[0]["ply"] == seen[0]["position"]["ply"]
        for viewer, game in seen.items():
            assert game["your_seat"] == (viewer if viewer in (0, 1, 2) else None)
            assert game["to_act"] == game["position"]["to_act"]
            cards, stock_cards = shown(game["position"]["view"])
            for seat, hand in enumerate(hands):
                assert cards[seat] == (sorted(hand, key=by_rank) if over or seat == viewer else None)
            assert stock_cards == (stock if over else None)
            assert game["position"]["view"]["stock"]["size"] == len(stock)
            assert [hand["size"] for hand in game["position"]["view"]["hands"]] == [
                len(hand) for hand in hands
            ]
            for part in ("pile", "score_piles"):
                assert game["position"]["view"][part] == seen[0]["position"]["view"][part]
        assert seen["stranger"] == seen["anonymous"]
        return seen["anonymous"]["position"]

    def check_legal_moves(self, game, players, position, hand):
        """The legal moves of the seat that is to act; the others have none."""
        pages = [player.client.get_json(f"games/{game}/legal-moves") for player in players]
        (to_act,) = position["to_act"]
        for seat, page in enumerate(pages):
            assert (page["ply"], page["seat"], page["next"]) == (position["ply"], seat, None)
            assert page["total"] == len(page["items"])
            assert bool(page["items"]) == (seat == to_act)
        legal = pages[to_act]["items"]
        assert {move["card"] for move in legal if move["type"] == "play"} <= set(hand)
        types = {move["type"] for move in legal}
        assert ("chance" in types) == (position["view"]["stock"]["size"] > 0)
        assert ("take" in types) == ("play" not in types)
        return legal

    def follow(self, move, hand, stock):
        if move["type"] == "play":
            hand.remove(move["card"])
            hand.extend(stock[:1])
            del stock[:1]
        elif move["type"] == "chance":
            del stock[:1]

    def check_the_past(self, seen_by, past, deck, ply):
        """After the end all of it is open to all, and is what was played."""
        logs = list(seen_by("moves").values())
        assert all(log == logs[0] for log in logs)
        hands, stock = [deck[first : first + 3] for first in (0, 3, 6)], deck[9:]
        for number, entry in enumerate(logs[0]["items"]):
            if number % 6 == 0:
                positions = list(seen_by(f"positions/{number}").values())
                assert all(position == positions[0] for position in positions)
                cards, stock_cards = shown(positions[0]["view"])
                assert cards == [sorted(hand, key=by_rank) for hand in hands]
                assert stock_cards == stock
                assert positions[0]["to_act"] == past[number]["to_act"] == [entry["seat"]]
                assert positions[0]["view"]["pile"] == past[number]["view"]["pile"]
            drawn = [event["card"] for event in entry["events"] if event["type"] == "drew"]
            draws = entry["move"]["type"] == "play" and stock != []
            assert drawn == (stock[:1] if draws else [])
            self.follow(entry["move"], hands[entry["seat"]], stock)
        assert (logs[0]["ply"], len(logs[0]["items"])) == (ply, ply)


def test_the_log_of_a_running_game_shows_each_viewer_its_own_draws(
    anna, bo, stranger, anonymous, make_sicksack
):
    game = make_sicksack([anna, bo], "5H 9C KD 4S 6D QC 7S 3H")
    anna.client.post(f"games/{game}/moves", {"ply": 0, "move": play("5H")})
    bo.client.post(f"games/{game}/moves", {"ply": 1, "move": play("6D")})
    for client, drawn in (
        (anna.client, ("7S", None)),
        (bo.client, (None, "3H")),
        (stranger.client, (None, None)),
        (anonymous, (None, None)),
    ):
        log = client.get_json(f"games/{game}/moves")["items"]
        assert [entry["events"] for entry in log] == [[{"type": "drew", "card": card}] for card in drawn]
        assert [entry["text"] for entry in log] == [
            f"seat 0 plays 5H, draws {drawn[0] or 'a card'}",
            f"seat 1 plays 6D, draws {drawn[1] or 'a card'}",
        ]
        views = [client.get_json(f"games/{game}/positions/{ply}")["view"] for ply in range(3)]
        hands = [[hand["cards"] for hand in view["hands"]] for view in views]
        seat = {anna.client: 0, bo.client: 1}.get(client)
        for_anna = [["5H", "9C", "KD"], ["7S", "9C", "KD"], ["7S", "9C", "KD"]]
        for_bo = [["4S", "6D", "QC"], ["4S", "6D", "QC"], ["3H", "4S", "QC"]]
        assert hands == [
            [for_anna[ply] if seat == 0 else None, for_bo[ply] if seat == 1 else None] for ply in range(3)
        ]
