"""What those who look after the site have done about players, and that they have."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from accounts.models.player import Player, new_id

LONGEST_REASON = 200


class Sanction(models.Model):
    """What was held against a player, and until when: for ever where `until` is null. A suspension keeps the
    player out, a mute from public games with others, a warning is read. It is never changed but to be lifted
    once, kept so by the database."""

    class Kind(models.TextChoices):
        WARNING = "warning"
        MUTE = "mute"
        SUSPENSION = "suspension"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="sanctions", db_index=False)
    kind = models.CharField(max_length=10, choices=Kind)
    reason = models.CharField(max_length=LONGEST_REASON)
    by = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)
    until = models.DateTimeField(null=True)
    lifted_at = models.DateTimeField(null=True)
    lifted_by = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="+", null=True, db_index=False
    )
    lift_reason = models.CharField(max_length=LONGEST_REASON, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["warning", "mute", "suspension"]), name="sanction_kind_known"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="sanction_has_a_reason"),
            models.CheckConstraint(
                condition=Q(until=None) | (~Q(kind="warning") & Q(until__gt=F("at"))),
                name="sanction_until_later",
            ),
            models.CheckConstraint(
                condition=Q(lifted_at=None, lifted_by=None, lift_reason="")
                | (Q(lifted_at__isnull=False, lifted_by__isnull=False) & ~Q(lift_reason="")),
                name="sanction_lifted_wholly",
            ),
        ]
        indexes = [
            models.Index(fields=["player", "-id"], name="sanction_of_player"),
            # Looked up with every token.
            models.Index(
                fields=["player", "kind"], condition=Q(lifted_at=None), name="sanction_standing_of_player"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.at:%Y-%m-%d}"


class AuditEntry(models.Model):
    """Who has done what, when and why: about a player, a game, or something that `details` name. `by` is null
    where the server did it. Append-only, kept so by the database."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    at = models.DateTimeField(db_default=Now(), editable=False)
    by = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", null=True, db_index=False)
    act = models.CharField(max_length=40)
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="audit_entries", null=True, db_index=False
    )
    game = models.UUIDField(null=True)
    reason = models.CharField(max_length=LONGEST_REASON)
    details = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "audit entries"
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="audit_entry_has_a_reason"),
            models.CheckConstraint(condition=~Q(act=""), name="audit_entry_has_an_act"),
        ]
        indexes = [
            models.Index(fields=["by", "-id"], name="audit_entry_by"),
            models.Index(fields=["player", "-id"], name="audit_entry_of_player"),
            models.Index(fields=["game", "-id"], condition=Q(game__isnull=False), name="audit_entry_of_game"),
            models.Index(fields=["act", "-id"], name="audit_entry_of_act"),
        ]

    def __str__(self) -> str:
        return f"{self.act} at {self.at:%Y-%m-%d %H:%M}"
