"""A tour of all that can be asked, for clients that check what they are answered."""

from datetime import timedelta

from django.db.models.functions import Now

from accounts.models import Player
from accounts.services.players import bot_create
from accounts.services.sanctions import player_sanction
from games.catalog import CURRENT
from games.clock import TurnClock
from games.models import Game
from games.services.boards import boards_project
from games.services.daily import daily_deals_make
from games.services.revealing import game_reveal
from tests.conftest import API, basic


def accounts_on_tour(tour, a, nobody, fake):
    nils = {"username": "nils", "password": "brown-otter-47", "email": "nils@example.org"}
    nobody.post("accounts/", nils)
    nobody.post("accounts/", nils)
    nobody.post("accounts/", {**nils, "username": "admin"})
    nobody.post("accounts/", {})
    nobody.generic("POST", f"{API}/accounts/", b"x", content_type="text/plain")
    for client in (a, nobody, fake):
        client.ask("GET", "me/")
        client.ask("PATCH", "me/", {"display_name": "A. K."})
        client.ask("GET", "me/tokens/")
        client.post("me/tokens/", {"name": "x"})
    a.ask("GET", "me/", accept="text/plain")
    a.ask("PATCH", "me/", {"email": "x"})
    a.ask("PATCH", "me/", {"x": "x"})
    a.ask("GET", "me/tokens/?limit=1")
    a.ask("GET", "me/tokens/?limit=0")
    token = a.post("me/tokens/", {"name": "y"}, idempotency_key="k").json()
    a.post("me/tokens/", {"name": "z"}, idempotency_key="k")
    a.post("me/tokens/", {"name": "z"}, idempotency_key="")
    for _ in range(2):
        a.ask("DELETE", f"me/tokens/{token['id']}/")
    nobody.ask("GET", "players/anna/")
    nobody.ask("GET", "players/nobody/")
    for client in (a, nobody, fake):
        client.post("me/bots/", {"username": "robot"})
        client.ask("GET", "me/bots/?limit=1")
        client.ask("GET", "me/bots/?limit=0")
    for body in (
        {},
        {"username": "Robot"},
        {"username": "admin"},
        {"username": "robot2", "display_name": ""},
    ):
        a.post("me/bots/", body)
    robot = a.post("me/bots/", {"username": "robot3"}, idempotency_key="bot").json()
    a.post("me/bots/", {"username": "robot4"}, idempotency_key="bot")
    tour(robot["token"]["secret"]).post("me/bots/", {"username": "robot5"})
    nobody.ask("GET", "players/robot/")


def personal_on_tour(a, b, nobody, fake, make_game, anna, bo):
    """After `accounts_on_tour`, whose newcomer goes again."""
    for client in (a, nobody, fake):
        client.ask("GET", "me/export")
    a.ask("GET", "me/export?limit=1")
    a.ask("GET", "me/export?cursor=x")
    game = make_game("sicksack", [bo], start=False)
    game_reveal(game_id=game, by=anna, reason="a tour")
    a.post(f"games/{game}/join")
    player_sanction(player=anna, by=bo, kind="mute", reason="a tour", until=None)
    a.ask("GET", "me/")
    a.post("games/", {"ruleset": "sicksack", "seats": 2})
    player_sanction(player=anna, by=bo, kind="suspension", reason="a tour", until=None)
    a.ask("GET", "me/")
    a.ask("GET", "games/")
    bot_create(owner=Player.objects.get(username="nils"), username="robot9", display_name=None)
    password = {"authorization": basic("nils:brown-otter-47")}
    for path in ("me/bots/robot9/", "me/bots/robot9/", "me/"):
        b.ask("DELETE", path)
        nobody.ask("DELETE", path)
        nobody.ask("DELETE", path, **password)
    nobody.ask("DELETE", "me/", **password)


def gathering_on_tour(a, b, nobody):
    nobody.post("games/", {"ruleset": "freecell"})
    a.post("games/", {"ruleset": "chess"})
    a.post("games/", {"ruleset": "kraftkort", "seats": 4, "options": {"power_card": True}})
    a.post("games/", {"ruleset": "freecell", "options": {"deal": 11982}})
    game = "games/" + a.post("games/", {"ruleset": "sicksack", "seats": 2}).json()["id"]
    b.ask("GET", f"{game}/")
    b.post(f"{game}/leave")
    b.post(f"{game}/start")
    a.post(f"{game}/start")
    for path in ("legal-moves", "moves", "positions/0"):
        a.ask("GET", f"{game}/{path}")
    b.post(f"{game}/join", {"entropy": "x" * 200})
    b.post(f"{game}/join", {"entropy": "x"})
    b.post(f"{game}/start")
    nobody.post(f"{game}/join")
    b.post(f"{game}/leave")
    b.post(f"{game}/join")
    a.post(f"{game}/leave")
    a.post(f"{game}/leave")
    full = "games/" + a.post("games/", {"ruleset": "freecell", "visibility": "private"}).json()["id"]
    b.post(f"{full}/join", {"link": "x"})
    public = "games/" + a.post("games/", {"ruleset": "freecell"}).json()["id"]
    b.post(f"{public}/join")
    a.post(f"{public}/start", {"entropy": "y"})


def playing_on_tour(a, b, nobody, make_game, players):
    one = make_game("freecell", players[:1], options={"deal": 1})
    game = f"games/{one}"
    a.post(f"{game}/moves", {"ply": 0, "notation": "6a"})
    a.post(f"{game}/moves", {"ply": 0, "notation": "6a"})
    a.post(f"{game}/moves", {"ply": 0, "notation": "6b"})
    a.post(f"{game}/moves", {"ply": 9, "notation": "ab"})
    a.post(f"{game}/moves", {"ply": 1, "notation": "hh"})
    a.post(f"{game}/moves", {"ply": 1, "move": {"type": "chance"}})
    a.post(f"{game}/moves", {"ply": 1})
    b.post(f"{game}/moves", {"ply": 1, "notation": "ab"})
    nobody.post(f"{game}/moves", {"ply": 1, "notation": "ab"})
    b.ask("GET", f"{game}/legal-moves")
    a.ask("GET", f"{game}/legal-moves?cursor=0.0")
    a.ask("GET", f"{game}/legal-moves?cursor=x")
    a.ask("GET", f"{game}/legal-moves?limit=3")
    a.ask("GET", f"{game}/moves?limit=1")
    a.ask("GET", f"{game}/positions/1")
    a.ask("GET", f"{game}/positions/2")
    two = f"games/{make_game('sicksack', players)}"
    moves = [{"type": "chance"}, {"type": "chance"}]
    a.post(f"{two}/moves", {"ply": 0, "moves": moves})
    b.post(f"{two}/moves", {"ply": 0, "moves": moves})
    while a.get_json(f"{two}/")["ply"] < 8:
        for client in (a, b):
            page = client.get_json(f"{two}/legal-moves")
            if page["items"]:
                assert (
                    client.post(f"{two}/moves", {"ply": page["ply"], "move": page["items"][0]}).status_code
                    == 201
                )
    for client in (a, b, nobody):
        for path in ("", "moves", "positions/0", "positions/8"):
            client.ask("GET", f"{two}/{path}")
    for game in (one, two.removeprefix("games/")):
        Game.objects.filter(id=game).update(status="finished", ended_at=Now(), to_act=[])
        for path in ("", "moves", "positions/1"):
            nobody.ask("GET", f"games/{game}/{path}")
    a.post(f"games/{one}/moves", {"ply": 1, "notation": "ab"})


def leaving_on_tour(a, b, nobody, make_game, players):
    patience = f"games/{make_game('freecell', players[:1], options={'deal': 1})}"
    a.post(f"{patience}/undo", {"ply": 0})
    a.post(f"{patience}/moves", {"ply": 0, "notation": "5a"})
    for client in (a, a, b, nobody):
        client.post(f"{patience}/undo", {"ply": 1})
    for body in ({}, {"ply": 0}, {"ply": 9}):
        a.post(f"{patience}/undo", body)
    going_on = f"games/{make_game('sicksack', players)}"
    a.post(f"{going_on}/resign")
    a.post(f"{going_on}/moves", {"ply": 2, "move": {"type": "chance"}})
    void, three, unopened = (
        f"games/{make_game('freecell', players[:1])}",
        f"games/{make_game('sicksack', players)}",
        f"games/{make_game('sicksack', players[:2], start=False)}",
    )
    for path in (void, three, unopened):
        for client in (a, b, nobody):
            client.post(f"{path}/resign")
            for looked_at in ("", "moves", "positions/0", "positions/1", "legal-moves"):
                client.ask("GET", f"{path}/{looked_at}")
    a.post(f"{going_on}/undo", {"ply": 2})
    a.post("games/01920000-0000-7000-8000-000000000000/resign")
    a.post("games/01920000-0000-7000-8000-000000000000/undo", {"ply": 0})
    for path in (patience, void):
        a.post(f"{path}/resign")
        a.post(f"{path}/undo", {"ply": 2})
        b.ask("GET", f"{path}/")


def time_on_tour(a, b, nobody, make_game, players, time_passes):
    for clock in ({"type": "turn", "seconds": 60}, {"type": "bank", "seconds": 60, "increment": 5}):
        wanted = {"ruleset": "freecell", "options": {"deal": 1}, "clock": clock, "abandon_after": 3600}
        game = f"games/{a.post('games/', wanted).json()['id']}"
        a.post(f"{game}/start")
        a.post(f"{game}/moves", {"ply": 0, "notation": "5a"})
        time_passes(61)
        a.post(f"{game}/undo", {"ply": 1})
        for path in ("", "moves", "positions/2"):
            nobody.ask("GET", f"{game}/{path}")
    a.post("games/", {"ruleset": "freecell", "clock": {"type": "turn", "seconds": 59}})
    a.post("games/", {"ruleset": "freecell", "abandon_after": 1})
    two = f"games/{make_game('sicksack', players, clock=TurnClock(60))}"
    b.ask("GET", f"{two}/")
    time_passes(61)
    a.post(f"{two}/moves", {"ply": 0, "move": {"type": "chance"}})
    for path in ("", "moves", "positions/1"):
        b.ask("GET", f"{two}/{path}")


def reading_on_tour(a, nobody):
    for client in (a, nobody):
        client.ask("GET", "")
        client.ask("GET", "problems")
        for query in (
            "",
            "mine=true",
            "joinable=true&limit=2",
            "status=finished",
            "status=abandoned",
            "limit=x",
        ):
            client.ask("GET", f"games/?{query}")
        client.ask("GET", "rulesets/")
        client.ask("GET", "rulesets/?x=1")
        client.ask("GET", "rulesets/chess/")
        for slug in CURRENT:
            client.ask("GET", f"rulesets/{slug}/")
            client.ask("GET", f"rulesets/{slug}/rules")
        client.ask("GET", "rulesets/chess/rules?language=de")
        client.ask("GET", "rulesets/chess/rules")
    game = a.get_json("games/")["items"][0]["id"]
    a.ask("GET", f"games/{game}/", if_none_match="*")
    a.ask("GET", "games/01920000-0000-7000-8000-000000000000/")


def told_on_tour(a, b, nobody, fake, make_game, players):
    going_on = f"games/{make_game('sicksack', players)}"
    over = f"games/{make_game('freecell', players[:1], options={'deal': 1})}"
    a.post(f"{over}/moves", {"ply": 0, "notation": "5a"})
    a.post(f"{over}/resign")
    waiting = f"games/{make_game('sicksack', players, start=False)}"
    private = f"games/{make_game('freecell', players[:1], private=True)}"
    for client in (a, b, nobody, fake):
        client.post("me/stream-ticket")
        for accept in ("application/json", "text/event-stream", "text/plain"):
            for path in (going_on, over, waiting, private):
                for query in ("", "?after=1", "?limit=2", "?after=99", "?wait=61", "?ticket=x"):
                    client.ask("GET", f"{path}/events{query}", accept=accept)
                for last in ("1", "6", "x"):
                    client.ask("GET", f"{path}/events", accept=accept, last_event_id=last)
            for query in ("", "?after=0", "?after=0&limit=2", "?after=x"):
                client.ask("GET", f"me/events{query}", accept=accept)
            client.ask("GET", "me/events", accept=accept, last_event_id="0")
        for path in (going_on, over, waiting, private):
            client.ask("GET", f"{path}/proof")
        for path in (going_on, over, waiting, private):
            for look in ("replay", "replay?cursor=1&limit=1", "replay?cursor=99", "replay?limit=0", "export"):
                client.ask("GET", f"{path}/{look}")
            client.ask("GET", f"{path}/export", accept="text/plain")


def standing_on_tour(a, b, nobody, fake):
    rated = {"ruleset": "sicksack", "seats": 2, "rated": True, "clock": {"type": "turn", "seconds": 60}}
    a.post("games/", {"ruleset": "sicksack", "rated": True})
    game = f"games/{a.post('games/', rated).json()['id']}"
    b.post(f"{game}/join")
    a.post(f"{game}/start")
    a.post(f"{game}/resign")
    b.ask("GET", f"{game}/export", accept="text/plain")  # which its rule set does not have
    for options in ({"deal": 1}, {}):
        wanted = {"ruleset": "freecell", "options": options}
        patience = f"games/{a.post('games/', wanted).json()['id']}"
        a.post(f"{patience}/start")
        a.post(f"{patience}/resign")
    boards_project()
    for client in (a, b, nobody, fake):
        look(client, "leaderboards/", "", "x=1")
        for slug in ("sicksack", "freecell", "chess"):
            look(client, f"rulesets/{slug}/deals", "", "limit=1", "limit=0")
            look(client, f"rulesets/{slug}/statistics", "", "variant=deal=1", "x=1")
            look(client, f"leaderboards/{slug}/", "", "limit=1", "limit=0", "cursor=0.0", "measure=wins")
            look(client, f"leaderboards/{slug}/", "around=anna", "around=me", "around=nobody", "variant=x")
            look(client, f"leaderboards/{slug}/", "period=season", "period=2026-13", "measure=best_score")
        for name in ("anna", "bo", "nobody"):
            look(client, f"players/{name}/ratings", "", "x=1")
            look(client, f"players/{name}/rating-changes", "", "ruleset=sicksack&limit=1", "ruleset=chess")
            look(client, f"players/{name}/record", "", "opponent=bo", "opponent=nobody", "x=1")


def daily_on_tour(a, b, nobody, fake, day):
    daily_deals_make(today=day)
    today, tomorrow = (f"daily/{day + timedelta(days=days)}/freecell/" for days in (0, 1))
    for client in (a, a, nobody, fake):
        client.post(today, {"deal": 1})
        for path in (today, tomorrow, "daily/2026-02-30/freecell/", f"daily/{day}/sicksack/"):
            client.post(path, {})
    game = f"games/{a.get_json(today)['your_try']}"
    move = a.get_json(f"{game}/legal-moves?limit=1")["items"][0]
    a.post(f"{game}/moves", {"ply": 0, "move": move})
    for status in ("running", "finished"):
        for client in (a, b, nobody):
            for path in ("", "moves", "positions/0", "events", "replay", "export", "proof"):
                client.ask("GET", f"{game}/{path}")
        assert a.get_json(f"{game}/")["status"] == status
        a.post(f"{game}/resign")
    for path in (today, today, tomorrow):
        a.post(path, {}, idempotency_key="again")
    boards_project()


def after_that_day_on_tour(a, b, nobody, day):
    for client in (a, b, nobody):
        look(client, "daily/", "", "ruleset=freecell&limit=2", "cursor=2026-02-30", "limit=0")
        look(client, "daily/", f"cursor={day}&limit=1")
        for one in (day, day + timedelta(days=1), day + timedelta(days=99), "2026-02-30"):
            look(client, f"daily/{one}/freecell/", "")
            look(client, f"daily/{one}/freecell/table", "", "limit=1", "x=1", "around=bo&cursor=1.0")
            look(client, f"daily/{one}/freecell/table", "around=anna", "around=me", "around=nobody")
        since = f"since={day}T00:00:00Z"  # some games of before ended as none does
        look(client, "exports/", since, f"{since}&ruleset=freecell", f"{since}&limit=1", "limit=0")
        look(client, "exports/", "until=2020-01-01T00:00:00Z", "since=x", "cursor=1.0", "ruleset=chess")
        client.ask("GET", "exports/", accept="text/plain")


def look(client, path, *queries):
    for query in queries:
        client.ask("GET", f"{path}?{query}")
