"""The deals of the day: made and committed to beforehand, and played."""

import secrets
from datetime import date, timedelta
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction

from accounts.locks import lock_player
from accounts.models import Player, new_id
from cardsite.jsonbody import timestamp
from cardsite.problems import Problem
from games import shuffle
from games.catalog import CURRENT, AnyRules
from games.clock import whole_milliseconds
from games.events import EventBody, event_record, seat_event
from games.locks import database_time
from games.models import DailyDeal, Deal, Game, Seat
from games.rules.contract import read_options
from games.selectors.daily import closing_of, opening_of
from games.selectors.revealing import is_deal_revealed_to
from games.services.gathering import ABANDON_AFTER
from games.services.starting import game_begin
from games.variants import variant_of

AHEAD = 7
"""Days for which deals are made, and their commitments published, beforehand."""


def daily_deals_make(*, today: date) -> int:
    """Make the deals of today and the days ahead, where there are none yet: how many were made."""
    days = [today + timedelta(days=number) for number in range(AHEAD + 1)]
    there = set(DailyDeal.objects.filter(date__in=days).values_list("date", "ruleset"))
    missing = [
        _sealed(day, rules)
        for day in days
        for rules in CURRENT.values()
        if rules.is_patience and (day, rules.slug) not in there
    ]
    return len(DailyDeal.objects.bulk_create(missing, ignore_conflicts=True))


def _sealed(day: date, rules: AnyRules) -> DailyDeal:
    """A deal of nobody's entropy but ours, with nothing chosen of its rule set."""
    deal_id, seed = new_id(), secrets.token_bytes(shuffle.SEED_BYTES)
    options = rules.resolve(read_options(rules, {}), 1)
    return DailyDeal(
        id=deal_id,
        date=day,
        ruleset=rules.slug,
        rules_version=rules.version,
        shuffle_version=shuffle.VERSION,
        options=msgspec.to_builtins(options),
        variant=variant_of(rules, options, 1),
        seed=seed,
        deck=shuffle.deck_order(rules.deck(options), seed, [""]),
        commitment=shuffle.commitment(deal_id, seed),
    )


@transaction.atomic
def daily_start(*, player: Player, day: date, ruleset: str) -> UUID:
    """A game with the deal of a day, begun at once: its id. A player's first counts; when it is over others can
    be begun.

    Raises `Problem` forbidden (a bot would show the deal to its owner), not_found, not_today, revealed (the deal
    was shown to the player in another's try) or try_running.
    """
    if player.bot_of_id is not None:
        raise Problem("forbidden", "The deal of the day is not for bots, whose owners would know it.")
    deal = DailyDeal.objects.filter(date=day, ruleset=ruleset).first()
    if deal is None:
        raise Problem("not_found", "There is no deal of that day.")
    now = whole_milliseconds(database_time())
    if not opening_of(day) <= now < closing_of(day):
        raise Problem(
            "not_today",
            "The deal is played on its day.",
            opens_at=timestamp(opening_of(day)),
            closes_at=timestamp(closing_of(day)),
        )
    # It is not shown to the player just now.
    lock_player(player_id=player.id)
    if is_deal_revealed_to(deal_id=deal.id, player_id=player.id):
        raise Problem("revealed", "You have had this deal shown in another's try, and do not play it.")
    first = Game.objects.filter(daily=deal, owner=player, is_first_try=True).first()
    if first is not None and first.status == Game.Status.RUNNING:
        raise _running(first.id)
    game = _game(player, deal, is_first_try=first is None)
    abandoned_at = now + ABANDON_AFTER
    game.abandoned_at = game.due_at = abandoned_at
    game.created_at = now
    try:
        with transaction.atomic():
            game.save(force_insert=True)
    except IntegrityError:
        raise _running(Game.objects.get(daily=deal, owner=player, is_first_try=True).id) from None
    Deal.objects.create(game=game, seed=deal.seed)
    event_record(game, EventBody("created", {}))
    since = event_record(game, seat_event("joined", 0, player.id))
    seat = Seat.objects.create(game=game, number=0, player=player, since_seq=since, joined_at=now)
    game_begin(game=game, seats=[seat])
    return game.id


def _game(player: Player, deal: DailyDeal, *, is_first_try: bool) -> Game:
    return Game(
        owner=player,
        ruleset=deal.ruleset,
        rules_version=deal.rules_version,
        shuffle_version=deal.shuffle_version,
        options=deal.options,
        variant=deal.variant,
        seat_count=1,
        visibility=Game.Visibility.PUBLIC,
        commitment=deal.commitment,
        abandon_after=ABANDON_AFTER,
        daily=deal,
        is_first_try=is_first_try,
        sealed_until=closing_of(deal.date),
    )


def _running(game_id: UUID) -> Problem:
    return Problem("try_running", "Your first try, which counts, goes on.", game=str(game_id))
