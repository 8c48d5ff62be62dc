"""The index by which what is due is found, made while games are played."""

from django.db import migrations, models

from cardsite.indexes import AddIndexMeanwhile


class Migration(migrations.Migration):
    """Not in one transaction, as an index that is made concurrently cannot be."""

    atomic = False
    dependencies = [("games", "0004_guards_of_events")]

    operations = [
        AddIndexMeanwhile(
            model_name="game",
            index=models.Index(
                condition=models.Q(status__in=["open", "running"]), fields=["due_at", "id"], name="game_due"
            ),
        ),
    ]
