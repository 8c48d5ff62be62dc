"""The indexes by which results are found by player, and games to be dumped, made while games are played."""

from django.db import migrations, models
from django.db.models.functions import Greatest

from cardsite.indexes import AddIndexMeanwhile


class Migration(migrations.Migration):
    """Not in one transaction, as an index that is made concurrently cannot be."""

    atomic = False
    dependencies = [("games", "0007_guards_of_results")]

    operations = [
        AddIndexMeanwhile(
            model_name="result", index=models.Index(fields=["player", "-game"], name="result_of_player")
        ),
        AddIndexMeanwhile(
            model_name="game",
            index=models.Index(
                Greatest("ended_at", "sealed_until"),
                "id",
                condition=models.Q(visibility="public", status__in=["finished", "abandoned"]),
                name="game_disclosed_public",
            ),
        ),
    ]
