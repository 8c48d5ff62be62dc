"""A game and its seats."""

from datetime import timedelta

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Greatest, Now

from accounts.models import new_id
from games.models.daily import DailyDeal
from games.models.transaction_id import TransactionId


class Game(models.Model):
    """One play of one rule set.

    `ply`, `to_act`, the times, `left`, `undos` and `ending` repeat what follows from the log: the first
    guards every write, the others find whose turn it is and what is due. They change only together with the
    log, in one statement. `event_seq` counts the game's events, `event_txid` is the transaction of the last.
    `variant` is the name of the options, none for a game from before there were names; what is hidden of a game
    with the deal of the day stays so until `sealed_until`."""

    class Status(models.TextChoices):
        OPEN = "open"
        RUNNING = "running"
        FINISHED = "finished"
        CANCELLED = "cancelled"
        ABANDONED = "abandoned"

    class Ending(models.TextChoices):
        PLAYED_OUT = "played_out"
        RESIGNED = "resigned"
        TIMED_OUT = "timed_out"
        ABANDONED = "abandoned"

    class Visibility(models.TextChoices):
        PUBLIC = "public"
        PRIVATE = "private"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    ruleset = models.SlugField(max_length=40)
    rules_version = models.PositiveSmallIntegerField()
    shuffle_version = models.PositiveSmallIntegerField()
    options = models.JSONField()
    seat_count = models.PositiveSmallIntegerField()
    visibility = models.CharField(max_length=10, choices=Visibility)
    link_digest = models.BinaryField(max_length=32, null=True)
    commitment = models.CharField(max_length=64, null=True)  # noqa: DJ001 - none where nothing is shuffled
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    variant = models.CharField(max_length=100, null=True)  # noqa: DJ001
    rated = models.BooleanField(db_default=False)
    daily = models.ForeignKey(
        DailyDeal, on_delete=models.PROTECT, related_name="+", null=True, db_index=False
    )
    is_first_try = models.BooleanField(db_default=False)
    sealed_until = models.DateTimeField(null=True)
    clock = models.JSONField(null=True)
    abandon_after = models.DurationField(db_default=timedelta(days=30))
    ply = models.PositiveIntegerField(default=0)
    to_act = ArrayField(models.PositiveSmallIntegerField(), default=list)
    deadlines = ArrayField(models.DateTimeField(null=True), db_default=[])
    remaining = ArrayField(models.PositiveBigIntegerField(), db_default=[])  # milliseconds
    abandoned_at = models.DateTimeField(null=True)
    due_at = models.DateTimeField(null=True)
    left = ArrayField(models.PositiveSmallIntegerField(), db_default=[])
    undos = models.PositiveIntegerField(db_default=0)
    ending = models.CharField(max_length=10, choices=Ending, null=True)  # noqa: DJ001 - none while it goes on
    event_seq = models.PositiveIntegerField(db_default=0)
    event_txid = TransactionId(null=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    started_at = models.DateTimeField(null=True, editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        permissions = [
            ("void_game", "Can void games that are over"),
            ("reveal_game", "Can have shown what a game hides"),
            ("retry_job", "Can have failed jobs done again"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["open", "running", "finished", "cancelled", "abandoned"]),
                name="game_status_known",
            ),
            models.CheckConstraint(
                condition=Q(visibility="public", link_digest=None)
                | Q(visibility="private", link_digest__isnull=False),
                name="game_link_iff_private",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["open", "cancelled"], started_at=None, ply=0)
                | Q(status__in=["running", "finished", "abandoned"], started_at__isnull=False),
                name="game_started_iff_begun",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["open", "running"], ended_at=None)
                | Q(status__in=["finished", "cancelled", "abandoned"], ended_at__isnull=False),
                name="game_ended_iff_done",
            ),
            models.CheckConstraint(
                condition=Q(status="running", to_act__len__gt=0) | (~Q(status="running") & Q(to_act__len=0)),
                name="game_somebody_acts_iff_running",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["open", "running", "cancelled"], ending=None)
                # None where it ended before there was another way to end.
                | Q(status="finished")
                & (Q(ending=None) | Q(ending__in=["played_out", "resigned", "timed_out"]))
                # A comparison with null would let it pass.
                | Q(status="abandoned", ending="abandoned", ending__isnull=False),
                name="game_ending_iff_ended",
            ),
            models.CheckConstraint(condition=Q(seat_count__gte=1), name="game_has_a_seat"),
            models.CheckConstraint(
                condition=Q(daily=None, sealed_until=None, is_first_try=False)
                | Q(daily__isnull=False, sealed_until__isnull=False, rated=False),
                name="game_sealed_iff_daily",
            ),
            models.UniqueConstraint(
                fields=["daily", "owner"], condition=Q(is_first_try=True), name="game_first_try_once"
            ),
            models.CheckConstraint(
                condition=Q(commitment=None) | Q(commitment__regex="^[0-9a-f]{64}$"),
                name="game_commitment_form",
            ),
        ]
        indexes = [
            models.Index(fields=["ruleset", "status", "-id"], name="game_ruleset_status"),
            models.Index(fields=["status", "-id"], name="game_status"),
            models.Index(fields=["-id"], condition=Q(status="open"), name="game_open"),
            models.Index(
                fields=["due_at", "id"], condition=Q(status__in=["open", "running"]), name="game_due"
            ),
            models.Index(
                # When all of it was open to all.
                Greatest("ended_at", "sealed_until"),
                "id",
                condition=Q(visibility="public", status__in=["finished", "abandoned"]),
                name="game_disclosed_public",
            ),
            # By when they ended, as lists of games that are over show them.
            models.Index(
                fields=["ended_at", "id"],
                condition=Q(visibility="public", status__in=["finished", "abandoned"]),
                name="game_ended_public",
            ),
            models.Index(
                fields=["ruleset", "ended_at", "id"],
                condition=Q(visibility="public", status__in=["finished", "abandoned"]),
                name="game_ended_of_ruleset",
            ),
            # By what the admin looks for games. Games enter those that change with moves when they end.
            models.Index(
                fields=["ended_at", "ruleset"],
                include=["ply", "id"],
                condition=Q(status__in=["finished", "abandoned"]),
                name="game_ended",
            ),
            models.Index(
                fields=["ply", "-id"], condition=Q(status__in=["finished", "abandoned"]), name="game_length"
            ),
            models.Index(fields=["ending", "-id"], condition=Q(ending__isnull=False), name="game_ending"),
            models.Index(fields=["variant", "-id"], condition=~Q(variant="default"), name="game_variant"),
            models.Index(fields=["-id"], condition=Q(rated=True), name="game_rated"),
            models.Index(fields=["-id"], condition=Q(visibility="private"), name="game_private"),
            models.Index(fields=["daily", "-id"], condition=Q(daily__isnull=False), name="game_daily"),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.id}"


class Seat(models.Model):
    """A place in a game, from 0, and who sits there. `entropy` is that player's part in the shuffle,
    `since_seq` the event by which the seat was taken."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="seats")
    entropy = models.CharField(max_length=128, blank=True)
    since_seq = models.PositiveIntegerField(db_default=0)
    joined_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="seat_number_unique"),
            models.UniqueConstraint(fields=["game", "player"], name="seat_player_unique"),
        ]
        indexes = [models.Index(fields=["player", "-game"], name="seat_games_of_player")]

    def __str__(self) -> str:
        return f"seat {self.number}"
