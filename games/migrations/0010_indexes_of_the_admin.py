"""The indexes by which the admin finds games, made while games are played. Games enter most of them when they end:
moves cost what they did."""

from django.db import migrations, models

from cardsite.indexes import AddIndexMeanwhile

OVER = models.Q(status__in=["finished", "abandoned"])


class Migration(migrations.Migration):
    """Not in one transaction, as an index that is made concurrently cannot be."""

    atomic = False
    dependencies = [("games", "0009_reveals_roles")]

    operations = [
        AddIndexMeanwhile(
            model_name="game",
            index=models.Index(
                fields=["ended_at", "ruleset"], include=["ply", "id"], condition=OVER, name="game_ended"
            ),
        ),
        AddIndexMeanwhile(
            model_name="game", index=models.Index(fields=["ply", "-id"], condition=OVER, name="game_length")
        ),
        AddIndexMeanwhile(
            model_name="game",
            index=models.Index(
                fields=["ending", "-id"], condition=models.Q(ending__isnull=False), name="game_ending"
            ),
        ),
        AddIndexMeanwhile(
            model_name="game",
            index=models.Index(
                fields=["variant", "-id"], condition=~models.Q(variant="default"), name="game_variant"
            ),
        ),
        AddIndexMeanwhile(
            model_name="game",
            index=models.Index(fields=["-id"], condition=models.Q(rated=True), name="game_rated"),
        ),
        AddIndexMeanwhile(
            model_name="game",
            index=models.Index(fields=["-id"], condition=models.Q(visibility="private"), name="game_private"),
        ),
        AddIndexMeanwhile(
            model_name="game",
            index=models.Index(
                fields=["daily", "-id"], condition=models.Q(daily__isnull=False), name="game_daily"
            ),
        ),
        AddIndexMeanwhile(
            model_name="result",
            index=models.Index(fields=["result", "ruleset", "-game"], name="result_newest"),
        ),
        AddIndexMeanwhile(
            model_name="board",
            index=models.Index(fields=["period", "ruleset", "variant"], name="board_by_period"),
        ),
    ]
