"""The indexes by which players are found in the admin and by address, made while games are played."""

from django.db import migrations, models
from django.db.models.functions import Upper

from cardsite.indexes import AddIndexMeanwhile


class Migration(migrations.Migration):
    """Not in one transaction, as an index that is made concurrently cannot be."""

    atomic = False
    dependencies = [("accounts", "0005_guards")]

    operations = [
        AddIndexMeanwhile(
            model_name="player",
            index=models.Index(Upper("email"), condition=~models.Q(email=""), name="player_email"),
        ),
        AddIndexMeanwhile(
            model_name="player",
            index=models.Index(fields=["-id"], condition=models.Q(is_staff=True), name="player_staff"),
        ),
        AddIndexMeanwhile(
            model_name="player",
            index=models.Index(
                fields=["-id"], condition=models.Q(erased_at__isnull=False), name="player_erased"
            ),
        ),
    ]
