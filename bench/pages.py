"""What each page costs on a large database: `python -m bench.pages [--rounds N] [--each N]`.

It is the database of the settings, best one that `bench.fill` has made. The public pages and the admin are
followed link by link and filter by filter, as nobody, as the player with the most results and as a superuser, whom
it makes: of each shape of address (names and ids apart) a few, each of which is asked for some times. Printed are
the slowest, by the median, beside it the best of these times, and every query that reads a table of some size from
end to end.
"""

import argparse
import logging
import os
import re
import time
from collections import Counter, deque
from collections.abc import Iterator
from html.parser import HTMLParser
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote_plus, urldefrag, urlencode, urljoin, urlsplit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bench.settings")
os.environ.setdefault("REQUESTS_PER_MINUTE", "1000000000")

import django

django.setup()

from django.conf import settings  # noqa: E402 - needs the settings
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from accounts.models import Player  # noqa: E402
from cardsite import embedded  # noqa: E402

BAR = 0.3  # seconds
LARGE = 2000  # rows of a table that is not read whole
SHOWN = 40
NAME = re.compile(r"(?<=/)(?:[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}|\d{4}-\d\d-\d\d|\d+)(?=/|$)")
PLAYER = re.compile(r"(?<=/players/)[^/]+")
WITHIN = ("/static/", "/api/", "/log-out", "/admin/logout/", "/admin/jsi18n/")
SEARCHES = ("p-", "a", "zzzz", "019")
SIZES = """SELECT relname, reltuples::bigint FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"""
OF_THE_BUSIEST = "SELECT player_id FROM games_result GROUP BY player_id ORDER BY count(*) DESC LIMIT 1"
LONGEST = "SELECT id FROM games_game WHERE status = %s ORDER BY ply DESC LIMIT 1"


class Cost(NamedTuple):
    """Of a page: seconds by the median and at best, its queries, and the bytes of its answer."""

    seconds: float
    best: float
    queries: int
    size: int


class Links(HTMLParser):
    """The addresses that a page leads to: by its links, and by each choice of its forms that ask."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page = page
        self.found: list[str] = []
        self.action: str | None = None
        self.select: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in of:
            self.found.append(urljoin(self.page, urldefrag(of["href"]).url))
        elif tag == "form":
            asks = of.get("method", "get").lower() == "get"
            self.action = urljoin(self.page, of.get("action") or urlsplit(self.page).path) if asks else None
        elif tag == "select":
            self.select = of.get("name")
        elif tag == "option" and self.select:
            self._ask(self.select, of.get("value", ""))
        elif tag == "input" and of.get("name"):
            for value in self._values(of):
                self._ask(of["name"], value)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.action = None
        elif tag == "select":
            self.select = None

    def _ask(self, name: str, value: str) -> None:
        if self.action is not None and value:
            self.found.append(f"{self.action}?{urlencode({name: value})}")

    def _values(self, of: dict[str, str]) -> tuple[str, ...]:
        match of.get("type", "text"):
            case "radio" | "checkbox":
                return (of.get("value", "on"),)
            case "date":
                return ("2026-06-01",)
            case "number":
                return ("3", "100")
            case "search" | "text":
                return SEARCHES
        return ()


class Follower:
    """Follows the pages that one client is shown."""

    def __init__(self, client: Client, each: int, rounds: int) -> None:
        self.client = client
        self.each = each
        self.rounds = rounds
        self.asked: Counter[str] = Counter()
        self.costs: dict[str, Cost] = {}
        self.scans: dict[tuple[str, str], str] = {}
        self.large = _large_tables()

    def follow(self, beginnings: list[str]) -> None:
        """Ask for the pages and for all that they lead to."""
        waiting, seen = deque(beginnings), set(beginnings)
        while waiting:
            page = waiting.popleft()
            for link in self._look(page):
                if link not in seen and self._is_ours(link):
                    seen.add(link)
                    waiting.append(link)

    def _is_ours(self, link: str) -> bool:
        parts = urlsplit(link)
        if parts.netloc or parts.scheme or parts.path.startswith(WITHIN):
            return False
        shape = _shape(link)
        if self.asked[shape] >= self.each:
            return False
        self.asked[shape] += 1
        return True

    def _look(self, page: str) -> Iterator[str]:
        queries: list[tuple[str, Any]] = []

        def note(execute: Any, sql: str, params: Any, many: Any, context: Any) -> Any:
            queries.append((sql, params))
            return execute(sql, params, many, context)

        with connection.execute_wrapper(note):
            answer = self.client.get(page)
        if answer.status_code >= 400:
            print(f"{answer.status_code} {page}")
            return
        times = []
        for _ in range(self.rounds):
            started = time.perf_counter()
            again = self.client.get(page)
            b"".join(again) if again.streaming else again.content
            times.append(time.perf_counter() - started)
        size = 0 if answer.streaming else len(answer.content)
        self.costs[page] = Cost(median(times), min(times), len(queries), size)
        for sql, params in queries:
            for table in self._scanned(sql, params):
                self.scans.setdefault(
                    (_shape(page), table), f"{page}\n    {' '.join(sql.split())[:1500]}\n    {params}"
                )
        if not answer.streaming and "html" in answer.headers.get("Content-Type", ""):
            links = Links(page)
            links.feed(answer.content.decode())
            yield from links.found
        elif answer.status_code in (301, 302):
            yield urljoin(page, answer.headers["Location"])

    def _scanned(self, sql: str, params: Any) -> set[str]:
        """The large tables that a query reads whole."""
        if not sql.lstrip(" \n(").upper().startswith(("SELECT", "WITH")):
            return set()
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}", params)
            (plan,) = cursor.fetchone()
        return {one["Relation Name"] for one in _nodes(plan[0]["Plan"]) if self._is_scan(one)}

    def _is_scan(self, node: dict[str, Any]) -> bool:
        return node["Node Type"] == "Seq Scan" and node["Relation Name"] in self.large


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="times that each page is asked for")
    parser.add_argument("--each", type=int, default=4, help="pages of each shape")
    parser.add_argument("--at", nargs="*", default=[], help="these alone, and where they lead")
    given = parser.parse_args()
    logging.disable(logging.WARNING)  # of what is refused, which is printed here
    if settings.EMBEDDED_DATABASE is not None:
        embedded.ensure(settings.EMBEDDED_DATABASE)
    call_command("migrate", interactive=False, verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        cursor.execute(SIZES)
        print(", ".join(f"{name} {rows:,}" for name, rows in sorted(cursor.fetchall()) if rows > LARGE))
        cursor.execute(OF_THE_BUSIEST)
        busiest = Player.objects.get(id=cursor.fetchone()[0])
        games = []
        for status in ("finished", "running"):
            cursor.execute(LONGEST, (status,))
            games += [str(game) for (game,) in cursor.fetchall()]
    staff, _ = Player.objects.get_or_create(
        username="bench-staff", defaults={"display_name": "bench", "is_staff": True, "is_superuser": True}
    )
    public = ["/", f"/players/{busiest.username}/", *(f"/games/{game}/" for game in games)]
    inside = ["/admin/", f"/admin/accounts/player/{busiest.id}/change/"]
    inside += [f"/admin/games/game/{game}/change/" for game in games]
    for who, player, beginnings in (
        ("nobody", None, public),
        (f"player {busiest.username}", busiest, ["/account/", "/tokens/", *public]),
        ("staff", staff, inside),
    ):
        client = Client(headers={"host": "localhost"})
        if player is not None:
            client.force_login(player)
        follower = Follower(client, given.each, given.rounds)
        follower.follow(given.at or beginnings)
        _tell(who, follower)


def _tell(who: str, follower: Follower) -> None:
    costs = sorted(follower.costs.items(), key=lambda pair: -pair[1].seconds)
    over = sum(cost.seconds > BAR for _, cost in costs)
    print(
        f"\n{who}: {len(costs)} pages, {over} over {BAR * 1000:.0f} ms; the slowest, and their queries and bytes:"
    )
    for page, cost in costs[:SHOWN]:
        times = f"{cost.seconds * 1000:8.1f} {cost.best * 1000:8.1f} ms"
        print(f"{times} {cost.queries:4} {cost.size:9,}  {page}")
    print(f"reading a whole table: {len(follower.scans)}")
    for (_, table), query in follower.scans.items():
        print(f"  {table}: {query}")


def _shape(link: str) -> str:
    parts = urlsplit(link)
    path = PLAYER.sub("…", NAME.sub("…", parts.path))
    keys = sorted(name for name, _ in parse_qsl(parts.query, keep_blank_values=True))
    return f"{path}?{quote_plus(' '.join(keys))}"


def _large_tables() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(SIZES)
        return {name for name, rows in cursor.fetchall() if rows > LARGE}


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from _nodes(inner)


if __name__ == "__main__":
    main()
