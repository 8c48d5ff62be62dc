"""The indexes by which the admin finds games, made while games are played. Games enter most of them when they end:
moves cost what they did."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

OVER = models.Q(status__in=["finished", "abandoned"])


class Migration(migrations.Migration):
    """Not in one transaction, as an index that is made concurrently cannot be."""

    atomic = False
    dependencies = [("games", "0009_reveals_roles")]

    operations = [
        AddIndexConcurrently(
            model_name="game",
            index=models.Index(
                fields=["ended_at", "ruleset"], include=["ply", "id"], condition=OVER, name="game_ended"
            ),
        ),
        AddIndexConcurrently(
            model_name="game", index=models.Index(fields=["ply", "-id"], condition=OVER, name="game_length")
        ),
        AddIndexConcurrently(
            model_name="game",
            index=models.Index(
                fields=["ending", "-id"], condition=models.Q(ending__isnull=False), name="game_ending"
            ),
        ),
        AddIndexConcurrently(
            model_name="game",
            index=models.Index(
                fields=["variant", "-id"], condition=~models.Q(variant="default"), name="game_variant"
            ),
        ),
        AddIndexConcurrently(
            model_name="game",
            index=models.Index(fields=["-id"], condition=models.Q(rated=True), name="game_rated"),
        ),
        AddIndexConcurrently(
            model_name="game",
            index=models.Index(fields=["-id"], condition=models.Q(visibility="private"), name="game_private"),
        ),
        AddIndexConcurrently(
            model_name="game",
            index=models.Index(
                fields=["daily", "-id"], condition=models.Q(daily__isnull=False), name="game_daily"
            ),
        ),
        AddIndexConcurrently(
            model_name="result",
            index=models.Index(fields=["result", "ruleset", "-game"], name="result_newest"),
        ),
        AddIndexConcurrently(
            model_name="board",
            index=models.Index(fields=["period", "ruleset", "variant"], name="board_by_period"),
        ),
    ]
