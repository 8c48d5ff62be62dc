"""Erasing an account: what says who was behind it is gone for ever, and its name is nobody's again."""

import re
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.contrib.auth.hashers import make_password
from django.db import connection
from django.db.models.functions import Now
from msgspec import Struct

from accounts.locks import lock_player, lock_players, lock_with_owner
from accounts.models import ApiToken, ErasedName, IdempotentAnswer, Player, Session
from accounts.names import ERASED_DISPLAY_NAME, erased_name, name_digest
from accounts.selectors.ranks import require_erasable
from accounts.services.audit import audit_write, clean_reason
from cardsite.problems import Problem

BY_ONESELF = "by their own wish"
LONGEST_MAKING = timedelta(minutes=1)


class Erased(Struct, frozen=True):
    """An account that was erased: what it was called, and is called now."""

    player_id: UUID
    username: str
    display_name: str
    email: str
    name: str

    def __repr__(self) -> str:
        return f"<Erased {self.name}>"


class Text(Struct, frozen=True):
    """A column in which people write about players, its type, and the condition by which a row is about any of
    `%(players)s`."""

    table: str
    column: str
    kind: str
    is_about: str


_TEXTS = (
    Text("accounts_auditentry", "reason", "varchar(200)", "ARRAY[player_id, by_id] && %(players)s"),
    Text("accounts_sanction", "reason", "varchar(200)", "player_id = ANY (%(players)s)"),
    Text("accounts_sanction", "lift_reason", "varchar(200)", "player_id = ANY (%(players)s)"),
    Text("django_admin_log", "object_repr", "varchar(200)", "object_id = ANY (%(players)s::text[])"),
    Text("django_admin_log", "change_message", "text", "object_id = ANY (%(players)s::text[])"),
)


def account_erase(*, player: Player, by: Player, reason: str) -> list[Erased]:
    """Erase an account and those of its bots, in the caller's transaction: those that were not before.

    Names, address, password, tokens, sessions and kept answers are gone, also the answer to who made a bot, and
    the names are taken out of what was written about the player; nobody gets the user names again. Raises
    `Problem` forbidden (whoever has a role, the account of another or of another's bot, unless one ranks above,
    and one's own where the password was changed meanwhile) or invalid (no reason, or a long one).
    """
    reason = clean_reason(reason)
    # Once the player is locked no bot is made any more.
    kept = lock_with_owner(player_id=player.id)
    if by.id in (player.id, player.bot_of_id):
        _require_unchanged(by)
    bots = Player.objects.filter(bot_of=player).values_list("id", flat=True)
    locked = [one for one in lock_players(player_ids=[player.id, *bots]) if one.erased_at is None]
    require_erasable(by=by, player=kept)
    for bot in locked:
        if bot.bot_of_id is not None:
            _answer_forget(bot=bot)
    erased = [_erase(one) for one in locked]
    accesses_end(player_ids=[one.id for one in locked])
    for one in locked:
        audit_write(by=by, act="erase", reason=reason, player=one)
    texts_rewrite(erased=erased, texts=_TEXTS)
    return erased


def _require_unchanged(by: Player) -> None:
    """An old password erases nothing once it was changed."""
    kept = lock_player(player_id=by.id)
    if kept is not None and kept.erased_at is None and kept.password != by.password:
        raise Problem("forbidden", "The password was changed meanwhile.")


def accesses_end(*, player_ids: Sequence[UUID]) -> None:
    """Delete all by which players come in, and the answers that are kept for them."""
    ApiToken.objects.filter(player__in=player_ids).delete()
    Session.objects.filter(player__in=player_ids).delete()
    IdempotentAnswer.objects.filter(player__in=player_ids).delete()


def _answer_forget(*, bot: Player) -> None:
    """Delete the owner's answers among which is the one that names a bot: no answer says what it is about, but
    this was begun in the transaction that made the bot, which cannot have taken longer."""
    made = bot.created_at
    IdempotentAnswer.objects.filter(
        player=bot.bot_of_id, created_at__range=(made - LONGEST_MAKING, made)
    ).delete()


def texts_rewrite(*, erased: Sequence[Erased], texts: Sequence[Text]) -> None:
    """Put the new names of erased accounts where the old ones stand, in the caller's transaction: as words of
    their own in texts about them, and in all others where they are written as `@name`. An ordinary word that
    somebody took for a name stays what it is in what was written about others; addresses go everywhere. Display
    names stay: they are chosen anew at any time, and would let players write over what was written about them."""
    players = [one.player_id for one in erased]
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('accounts.erasing', 'on', true)")
        for one in erased:
            named = _named(one.username, one.email)
            mentioned = _mentioned(one.username, one.email)
            for text in texts:
                for pattern, condition in ((named, text.is_about), (mentioned, "true")):
                    changed = f"regexp_replace({text.column}, %(pattern)s, %(name)s, 'gi')"
                    cursor.execute(
                        f"UPDATE {text.table} SET {text.column} = {changed}::{text.kind} "  # noqa: S608
                        f"WHERE {text.column} ~* %(pattern)s AND ({condition})",
                        {"pattern": pattern, "name": one.name, "players": players},
                    )
        cursor.execute("SELECT set_config('accounts.erasing', '', true)")


def _named(*names: str) -> str:
    """The pattern of any of the names that there are, as a word of its own."""
    words = "|".join(re.escape(name) for name in sorted(filter(None, names), key=len, reverse=True))
    return rf"(?<![\w-])(?:{words})(?![\w-])"


def _mentioned(username: str, email: str) -> str:
    """The pattern of a name that follows on an `@` by itself, and of an address."""
    mention = rf"(?<![\w.+-]@)(?<=@){re.escape(username)}(?![\w-])"
    return f"{mention}|{_named(email)}" if email else mention


def _erase(player: Player) -> Erased:
    erased = Erased(player.id, player.username, player.display_name, player.email, erased_name())
    ErasedName.objects.bulk_create([ErasedName(digest=name_digest(player.username))], ignore_conflicts=True)
    player.groups.clear()
    player.user_permissions.clear()
    Player.objects.filter(id=player.id).update(
        username=erased.name,
        display_name=ERASED_DISPLAY_NAME,
        email="",
        password=make_password(None),
        is_active=False,
        last_login=None,
        erased_at=Now(),
    )
    return erased
