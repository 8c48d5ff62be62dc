"""What a game hides is shown to the staff only as is written down, and the roles of the staff."""

from typing import Any

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import accounts.models.player

# The reasons lose the names of those who have erased their accounts, and nothing else is ever changed.
GUARDS = """
CREATE TRIGGER reveal_kept BEFORE DELETE ON games_reveal
    FOR EACH ROW EXECUTE FUNCTION games_refuse_change();
CREATE TRIGGER reveal_sealed BEFORE UPDATE ON games_reveal
    FOR EACH ROW WHEN (
        NOT accounts_erasing() OR to_jsonb(NEW) - 'reason' <> to_jsonb(OLD) - 'reason'
    )
    EXECUTE FUNCTION games_refuse_change();

DROP TRIGGER voiding_append_only ON games_voiding;
CREATE TRIGGER voiding_kept BEFORE DELETE ON games_voiding
    FOR EACH ROW EXECUTE FUNCTION games_refuse_change();
CREATE TRIGGER voiding_sealed BEFORE UPDATE ON games_voiding
    FOR EACH ROW WHEN (
        NOT accounts_erasing() OR to_jsonb(NEW) - 'reason' <> to_jsonb(OLD) - 'reason'
    )
    EXECUTE FUNCTION games_refuse_change();
"""
GUARDS_BACK = """
DROP TRIGGER voiding_sealed ON games_voiding;
DROP TRIGGER voiding_kept ON games_voiding;
CREATE TRIGGER voiding_append_only BEFORE UPDATE OR DELETE ON games_voiding
    FOR EACH ROW EXECUTE FUNCTION games_refuse_change();
DROP TRIGGER reveal_sealed ON games_reveal;
DROP TRIGGER reveal_kept ON games_reveal;
"""

# Of what the admin shows; deals, seeds and answers are nobody's to see.
VIEWED = {
    "accounts": ("player", "sanction", "auditentry", "apitoken", "session"),
    "admin": ("logentry",),
    "auth": ("group",),
    "games": (
        "board",
        "event",
        "frequency",
        "game",
        "move",
        "rating",
        "ratingchange",
        "result",
        "reveal",
        "seat",
        "standing",
        "tally",
        "voiding",
    ),
    "procrastinate": (
        "procrastinateevent",
        "procrastinatejob",
        "procrastinateperiodicdefer",
        "procrastinateworker",
    ),
}
VIEWER = [
    (app, model, f"view_{model}", f"Can view {model}") for app, models_ in VIEWED.items() for model in models_
]
MODERATOR = [
    *VIEWER,
    ("accounts", "player", "sanction_player", "Can warn, mute and suspend players"),
    ("accounts", "player", "end_access", "Can end players' tokens and sessions"),
    ("games", "game", "void_game", "Can void games that are over"),
    ("games", "game", "reveal_game", "Can have shown what a game hides"),
]
OPERATOR = [
    *MODERATOR,
    ("accounts", "player", "erase_player", "Can erase accounts"),
    ("accounts", "player", "set_role", "Can give and take roles"),
    ("games", "game", "retry_job", "Can have failed jobs done again"),
]
ROLES = {"viewer": VIEWER, "moderator": MODERATOR, "operator": OPERATOR}


def make_roles(apps: Any, schema_editor: Any) -> None:
    """Groups with their permissions, which Django makes only after all migrations where they are not there."""
    content_types = apps.get_model("contenttypes", "ContentType").objects
    permissions = apps.get_model("auth", "Permission").objects
    groups = apps.get_model("auth", "Group").objects
    for role, allowed in ROLES.items():
        group, _ = groups.get_or_create(name=role)
        for app, model, codename, name in allowed:
            content_type, _ = content_types.get_or_create(app_label=app, model=model)
            permission, _ = permissions.get_or_create(
                content_type=content_type, codename=codename, defaults={"name": name}
            )
            group.permissions.add(permission)


def remove_roles(apps: Any, schema_editor: Any) -> None:
    """Without the groups nobody has a role."""
    apps.get_model("auth", "Group").objects.filter(name__in=ROLES).delete()


class Migration(migrations.Migration):
    """A table, triggers and groups."""

    dependencies = [
        ("games", "0008_results_by_player"),
        ("accounts", "0005_guards"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="game",
            options={
                "permissions": [
                    ("void_game", "Can void games that are over"),
                    ("reveal_game", "Can have shown what a game hides"),
                    ("retry_job", "Can have failed jobs done again"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Reveal",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=accounts.models.player.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("reason", models.CharField(max_length=200)),
                (
                    "at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reveals",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("game", "by"), name="reveal_once"),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="reveal_has_a_reason"
                    ),
                ],
            },
        ),
        migrations.RunSQL(GUARDS, GUARDS_BACK),
        migrations.RunPython(make_roles, remove_roles),
    ]
