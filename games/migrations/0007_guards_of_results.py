"""Deals of the day, changes of ratings and voidings are never changed; a game that is over still tells when it is
voided."""

from django.db import migrations

APPEND_ONLY = """
CREATE TRIGGER daily_deal_sealed BEFORE UPDATE OR DELETE ON games_dailydeal
    FOR EACH ROW EXECUTE FUNCTION games_refuse_change();
CREATE TRIGGER rating_change_append_only BEFORE UPDATE OR DELETE ON games_ratingchange
    FOR EACH ROW EXECUTE FUNCTION games_refuse_change();
CREATE TRIGGER voiding_append_only BEFORE UPDATE OR DELETE ON games_voiding
    FOR EACH ROW EXECUTE FUNCTION games_refuse_change();
ALTER TABLE games_dailydeal ADD CONSTRAINT daily_seed_length CHECK (octet_length(seed) = 32);
"""
APPEND_ONLY_BACK = """
ALTER TABLE games_dailydeal DROP CONSTRAINT daily_seed_length;
DROP TRIGGER voiding_append_only ON games_voiding;
DROP TRIGGER rating_change_append_only ON games_ratingchange;
DROP TRIGGER daily_deal_sealed ON games_dailydeal;
"""

# A game that is over may tell of one thing more, and is otherwise as it was. Whether it is rated is settled
# when it starts.
GAME_SEALED = """
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
        OR (NEW.variant, NEW.daily_id, NEW.is_first_try, NEW.sealed_until)
            IS DISTINCT FROM (OLD.variant, OLD.daily_id, OLD.is_first_try, OLD.sealed_until)
        OR NEW.rated AND NOT OLD.rated
        OR NEW.rated <> OLD.rated AND OLD.status <> 'open'
        OR NEW.ply < OLD.ply
        OR NEW.event_seq < OLD.event_seq
        OR OLD.status IN ('finished', 'cancelled', 'abandoned')
            AND (OLD.status <> 'finished' OR NEW.event_seq <> OLD.event_seq + 1
                 OR to_jsonb(NEW) - ARRAY['event_seq', 'event_txid']
                    <> to_jsonb(OLD) - ARRAY['event_seq', 'event_txid'])
        OR OLD.status = 'running' AND NEW.status NOT IN ('running', 'finished', 'abandoned')
    )
    EXECUTE FUNCTION games_refuse_change();
"""
GAME_SEALED_BACK = """
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
"""

# The boards that a result counts on.
PERIODS = """
CREATE FUNCTION games_periods(scope text, at timestamptz) RETURNS SETOF text LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
        SELECT unnest(CASE scope
            WHEN 'open' THEN ARRAY['all', to_char(day, 'YYYY-MM'), to_char(day, 'IYYY-"W"IW'),
                                   to_char(day, 'YYYY-MM-DD')]
            WHEN 'daily' THEN ARRAY[to_char(day, '"daily "YYYY-MM-DD')] END)
        FROM (SELECT at AT TIME ZONE 'UTC' AS day) AS of_utc
    $$;
"""
PERIODS_BACK = "DROP FUNCTION games_periods;"


class Migration(migrations.Migration):
    """Triggers, a constraint and a function."""

    dependencies = [("games", "0006_results_ratings_boards")]

    operations = [
        migrations.RunSQL(APPEND_ONLY, APPEND_ONLY_BACK),
        migrations.RunSQL(GAME_SEALED, GAME_SEALED_BACK),
        migrations.RunSQL(PERIODS, PERIODS_BACK),
    ]
