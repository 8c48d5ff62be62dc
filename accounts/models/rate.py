"""How much of something somebody has done."""

from django.db import models


class Allowance(models.Model):
    """How much somebody may still do of something: `spent_until` is when what was taken will have been given
    back. `key` is a digest, and names nobody."""

    key = models.BinaryField(primary_key=True, max_length=32)
    spent_until = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["spent_until"], name="allowance_spent_until")]

    def __str__(self) -> str:
        return f"spent until {self.spent_until:%Y-%m-%d %H:%M:%S}"


class RequestCount(models.Model):
    """How many requests somebody made in a minute (since 1970), as far as the processes have told. `key` is a
    digest, and names nobody."""

    pk = models.CompositePrimaryKey("key", "minute")
    key = models.BinaryField(max_length=32)
    minute = models.PositiveIntegerField()
    requests = models.PositiveIntegerField()

    class Meta:
        indexes = [models.Index(fields=["minute"], name="request_count_minute")]

    def __str__(self) -> str:
        return f"{self.requests} requests"
