"""The indexes by which lists show the games that ended last, made while games are played. Games enter them when
they end: moves cost what they did."""

from django.db import migrations, models

from cardsite.indexes import AddIndexMeanwhile

OVER_AND_PUBLIC = models.Q(visibility="public", status__in=["finished", "abandoned"])


class Migration(migrations.Migration):
    """Not in one transaction, as an index that is made concurrently cannot be."""

    atomic = False
    dependencies = [("games", "0010_indexes_of_the_admin")]

    operations = [
        AddIndexMeanwhile(
            model_name="game",
            index=models.Index(
                fields=["ended_at", "id"], condition=OVER_AND_PUBLIC, name="game_ended_public"
            ),
        ),
        AddIndexMeanwhile(
            model_name="game",
            index=models.Index(
                fields=["ruleset", "ended_at", "id"],
                condition=OVER_AND_PUBLIC,
                name="game_ended_of_ruleset",
            ),
        ),
    ]
