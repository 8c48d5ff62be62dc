"""What was done about players stays as it was written, but for the names of those whose accounts are erased."""

from django.db import migrations

GUARDS = """
CREATE FUNCTION accounts_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

-- Whether this transaction takes a name out of what others have written; it says so itself.
CREATE FUNCTION accounts_erasing() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
    AS $$SELECT current_setting('accounts.erasing', true) IS NOT DISTINCT FROM 'on'$$;

CREATE TRIGGER audit_entry_kept BEFORE DELETE ON accounts_auditentry
    FOR EACH ROW EXECUTE FUNCTION accounts_refuse_change();
CREATE TRIGGER audit_entry_sealed BEFORE UPDATE ON accounts_auditentry
    FOR EACH ROW WHEN (
        NOT accounts_erasing()
        OR to_jsonb(NEW) - ARRAY['reason', 'details'] <> to_jsonb(OLD) - ARRAY['reason', 'details']
    )
    EXECUTE FUNCTION accounts_refuse_change();

-- A sanction is lifted once.
CREATE TRIGGER sanction_kept BEFORE DELETE ON accounts_sanction
    FOR EACH ROW EXECUTE FUNCTION accounts_refuse_change();
CREATE TRIGGER sanction_sealed BEFORE UPDATE ON accounts_sanction
    FOR EACH ROW WHEN (
        (NEW.id, NEW.player_id, NEW.kind, NEW.by_id, NEW.at, NEW.until)
            IS DISTINCT FROM (OLD.id, OLD.player_id, OLD.kind, OLD.by_id, OLD.at, OLD.until)
        OR OLD.lifted_at IS NOT NULL
            AND (NEW.lifted_at, NEW.lifted_by_id) IS DISTINCT FROM (OLD.lifted_at, OLD.lifted_by_id)
        OR NOT accounts_erasing()
            AND (NEW.reason <> OLD.reason OR OLD.lifted_at IS NOT NULL AND NEW.lift_reason <> OLD.lift_reason)
    )
    EXECUTE FUNCTION accounts_refuse_change();

CREATE TRIGGER erased_name_kept BEFORE UPDATE OR DELETE ON accounts_erasedname
    FOR EACH ROW EXECUTE FUNCTION accounts_refuse_change();
CREATE TRIGGER erased_player_kept BEFORE UPDATE ON accounts_player
    FOR EACH ROW WHEN (OLD.erased_at IS NOT NULL) EXECUTE FUNCTION accounts_refuse_change();
"""
GUARDS_BACK = """
DROP TRIGGER erased_player_kept ON accounts_player;
DROP TRIGGER erased_name_kept ON accounts_erasedname;
DROP TRIGGER sanction_sealed ON accounts_sanction;
DROP TRIGGER sanction_kept ON accounts_sanction;
DROP TRIGGER audit_entry_sealed ON accounts_auditentry;
DROP TRIGGER audit_entry_kept ON accounts_auditentry;
DROP FUNCTION accounts_erasing;
DROP FUNCTION accounts_refuse_change;
"""


class Migration(migrations.Migration):
    """Triggers."""

    dependencies = [("accounts", "0004_moderation_sessions_erasing")]

    operations = [migrations.RunSQL(GUARDS, GUARDS_BACK)]
