"""Changes of ratings and voidings are never changed; results are found by their players, games that are over by
when they ended."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

GUARDS = """
CREATE TRIGGER rating_change_append_only BEFORE UPDATE OR DELETE ON games_ratingchange
    FOR EACH ROW EXECUTE FUNCTION games_refuse_change();
CREATE TRIGGER voiding_append_only BEFORE UPDATE OR DELETE ON games_voiding
    FOR EACH ROW EXECUTE FUNCTION games_refuse_change();
"""
GUARDS_BACK = """
DROP TRIGGER voiding_append_only ON games_voiding;
DROP TRIGGER rating_change_append_only ON games_ratingchange;
"""


class Migration(migrations.Migration):
    """Not in one transaction, as an index that is made concurrently cannot be."""

    atomic = False
    dependencies = [("games", "0006_ratings")]

    operations = [
        migrations.RunSQL(GUARDS, GUARDS_BACK),
        AddIndexConcurrently(
            model_name="result", index=models.Index(fields=["player", "-game"], name="result_of_player")
        ),
        AddIndexConcurrently(
            model_name="game",
            index=models.Index(
                fields=["ended_at", "id"],
                condition=models.Q(status__in=["finished", "abandoned"], visibility="public"),
                name="game_ended_public",
            ),
        ),
    ]
