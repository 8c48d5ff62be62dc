"""What Django's constraints cannot say: nothing of the log, a deal or a begun game's seats is ever changed."""

from django.db import migrations

NOTHING_CHANGES = """
CREATE FUNCTION games_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER move_append_only BEFORE UPDATE OR DELETE ON games_move
    FOR EACH ROW EXECUTE FUNCTION games_refuse_change();
CREATE TRIGGER result_append_only BEFORE UPDATE OR DELETE ON games_result
    FOR EACH ROW EXECUTE FUNCTION games_refuse_change();

-- A deal is completed once, by the deck order; its seed was committed to.
CREATE TRIGGER deal_kept BEFORE DELETE ON games_deal
    FOR EACH ROW EXECUTE FUNCTION games_refuse_change();
CREATE TRIGGER deal_sealed BEFORE UPDATE ON games_deal
    FOR EACH ROW WHEN (OLD.deck IS NOT NULL OR NEW.seed <> OLD.seed OR NEW.game_id <> OLD.game_id)
    EXECUTE FUNCTION games_refuse_change();

-- What a game is does not change, and it never goes back.
CREATE TRIGGER game_kept BEFORE DELETE ON games_game
    FOR EACH ROW EXECUTE FUNCTION games_refuse_change();
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

CREATE FUNCTION games_guard_seat() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    seated games_game;
BEGIN
    SELECT * INTO seated FROM games_game
        WHERE id = CASE WHEN TG_OP = 'INSERT' THEN NEW.game_id ELSE OLD.game_id END;
    IF seated.status <> 'open' THEN
        RAISE EXCEPTION 'the seats of a game that is not open are never changed'
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    IF NEW.game_id <> seated.id THEN
        RAISE EXCEPTION 'a seat stays at its game' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.number >= seated.seat_count THEN
        RAISE EXCEPTION 'the game has no seat %', NEW.number USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER seat_guarded BEFORE INSERT OR UPDATE OR DELETE ON games_seat
    FOR EACH ROW EXECUTE FUNCTION games_guard_seat();

ALTER TABLE games_deal ADD CONSTRAINT deal_seed_length CHECK (octet_length(seed) = 32);
ALTER TABLE games_move ADD CONSTRAINT move_of_a_seat
    FOREIGN KEY (game_id, seat) REFERENCES games_seat (game_id, number);
ALTER TABLE games_result ADD CONSTRAINT result_of_a_seat
    FOREIGN KEY (game_id, seat) REFERENCES games_seat (game_id, number);
"""

NOTHING_CHANGES_BACK = """
ALTER TABLE games_result DROP CONSTRAINT result_of_a_seat;
ALTER TABLE games_move DROP CONSTRAINT move_of_a_seat;
ALTER TABLE games_deal DROP CONSTRAINT deal_seed_length;
DROP TRIGGER seat_guarded ON games_seat;
DROP FUNCTION games_guard_seat;
DROP TRIGGER game_sealed ON games_game;
DROP TRIGGER game_kept ON games_game;
DROP TRIGGER deal_sealed ON games_deal;
DROP TRIGGER deal_kept ON games_deal;
DROP TRIGGER result_append_only ON games_result;
DROP TRIGGER move_append_only ON games_move;
DROP FUNCTION games_refuse_change;
"""

# Of the role and not of the session, so that they hold behind a pooler in transaction mode too.
ROLE_TIMEOUTS = """
DO $$
BEGIN
    EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET lock_timeout = ''5s''', current_database());
    EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET statement_timeout = ''30s''', current_database());
    EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET idle_in_transaction_session_timeout = ''60s''',
                   current_database());
END $$;
"""
ROLE_TIMEOUTS_BACK = """
DO $$
BEGIN
    EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I RESET lock_timeout', current_database());
    EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I RESET statement_timeout', current_database());
    EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I RESET idle_in_transaction_session_timeout',
                   current_database());
END $$;
"""


class Migration(migrations.Migration):
    """Triggers, composite foreign keys and time-outs."""

    dependencies = [("games", "0001_initial")]

    operations = [
        migrations.RunSQL(NOTHING_CHANGES, NOTHING_CHANGES_BACK),
        migrations.RunSQL(ROLE_TIMEOUTS, ROLE_TIMEOUTS_BACK),
    ]
