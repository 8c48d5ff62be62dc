"""The indexes by which players are found in the admin by how their names begin, whatever order the database's
collation has; made while games are played."""

from django.contrib.postgres.indexes import OpClass
from django.db import migrations, models
from django.db.models.functions import Upper

from cardsite.indexes import AddIndexMeanwhile


class Migration(migrations.Migration):
    """Not in one transaction, as an index that is made concurrently cannot be."""

    atomic = False
    dependencies = [("accounts", "0006_indexes_of_the_admin")]

    operations = [
        AddIndexMeanwhile(
            model_name="player",
            index=models.Index(
                OpClass(Upper("username"), name="text_pattern_ops"), name="player_username_begins"
            ),
        ),
        AddIndexMeanwhile(
            model_name="player",
            index=models.Index(
                OpClass(Upper("display_name"), name="text_pattern_ops"), name="player_display_name_begins"
            ),
        ),
    ]
