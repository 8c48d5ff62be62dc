"""Events are never changed, a clock is part of what a game is, and games are asked for the time in one place."""

from django.db import migrations

# What tests put in another's place, so that a deadline need not be waited for.
NOW = """
CREATE FUNCTION games_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
    AS 'SELECT statement_timestamp()';
"""
NOW_BACK = "DROP FUNCTION games_now;"

GUARDS = """
CREATE TRIGGER event_append_only BEFORE UPDATE OR DELETE ON games_event
    FOR EACH ROW EXECUTE FUNCTION games_refuse_change();

DROP TRIGGER game_sealed ON games_game;
CREATE TRIGGER game_sealed BEFORE UPDATE ON games_game
    FOR EACH ROW WHEN (
        (NEW.id, NEW.owner_id, NEW.ruleset, NEW.rules_version, NEW.shuffle_version, NEW.options, NEW.seat_count)
            IS DISTINCT FROM
        (OLD.id, OLD.owner_id, OLD.ruleset, OLD.rules_version, OLD.shuffle_version, OLD.options, OLD.seat_count)
        OR NEW.commitment IS DISTINCT FROM OLD.commitment
        OR NEW.visibility <> OLD.visibility
        OR NEW.link_digest IS DISTINCT FROM OLD.link_digest
        OR NEW.created_at <> OLD.created_at
        OR NEW.clock IS DISTINCT FROM OLD.clock
        OR NEW.abandon_after <> OLD.abandon_after
        OR NEW.ply < OLD.ply
        OR NEW.event_seq < OLD.event_seq
        OR OLD.status IN ('finished', 'cancelled', 'abandoned')
        OR OLD.status = 'running' AND NEW.status NOT IN ('running', 'finished', 'abandoned')
    )
    EXECUTE FUNCTION games_refuse_change();

ALTER TABLE games_game ADD CONSTRAINT game_times_of_every_seat CHECK (
    cardinality(deadlines) = cardinality(remaining) AND cardinality(deadlines) IN (0, seat_count)
);
"""
GUARDS_BACK = """
ALTER TABLE games_game DROP CONSTRAINT game_times_of_every_seat;
DROP TRIGGER game_sealed ON games_game;
CREATE TRIGGER game_sealed BEFORE UPDATE ON games_game
    FOR EACH ROW WHEN (
        (NEW.id, NEW.owner_id, NEW.ruleset, NEW.rules_version, NEW.shuffle_version, NEW.options, NEW.seat_count)
            IS DISTINCT FROM
        (OLD.id, OLD.owner_id, OLD.ruleset, OLD.rules_version, OLD.shuffle_version, OLD.options, OLD.seat_count)
        OR NEW.commitment IS DISTINCT FROM OLD.commitment
        OR NEW.visibility <> OLD.visibility
        OR NEW.link_digest IS DISTINCT FROM OLD.link_digest
        OR NEW.created_at <> OLD.created_at
        OR NEW.ply < OLD.ply
        OR OLD.status IN ('finished', 'cancelled')
        OR OLD.status = 'running' AND NEW.status NOT IN ('running', 'finished')
    )
    EXECUTE FUNCTION games_refuse_change();
DROP TRIGGER event_append_only ON games_event;
"""


class Migration(migrations.Migration):
    """The time, triggers and a constraint."""

    dependencies = [("games", "0003_clocks_events_leaving")]

    operations = [
        migrations.RunSQL(NOW, NOW_BACK),
        migrations.RunSQL(GUARDS, GUARDS_BACK),
    ]
