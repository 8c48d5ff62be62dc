"""Tables on a player's page: by what the player comes in, what stands against the player, and what was done."""

from typing import Any

from django.db.models.functions import Now
from django.urls import reverse
from django.utils.html import format_html

from accounts.admin.audit import entries_about, entry_words
from accounts.models import ApiToken, Player, Sanction, Session
from cardsite.admin import game_link, link, moment
from cardsite.tables import table

MOST_SHOWN = 20


def tokens_table(player: Player, *, may_end: bool) -> dict[str, Any]:
    """The tokens that live."""
    tokens = ApiToken.objects.filter(player=player, revoked_at=None).defer("digest").order_by("-id")
    return table(
        ("Token", "Begins with", "Made (UTC)", "Last used (UTC)", ""),
        (
            (
                token.name,
                f"{token.hint}…",
                moment(token.created_at),
                moment(token.last_used_at),
                link(reverse("admin:accounts_token_end", args=(player.id, token.id)), "End")
                if may_end
                else "",
            )
            for token in tokens[:MOST_SHOWN]
        ),
    )


def sessions_table(player: Player, *, may_end: bool) -> dict[str, Any]:
    """Browsers that are logged in."""
    live = Session.objects.filter(player=player, expire_date__gt=Now())
    sessions = live.defer("session_data").order_by("-expire_date")
    return table(
        ("Session", "Ends (UTC)", ""),
        (
            (
                session.handle,
                moment(session.expire_date),
                link(reverse("admin:accounts_session_end", args=(player.id, session.handle)), "End")
                if may_end
                else "",
            )
            for session in sessions[:MOST_SHOWN]
        ),
    )


def sanctions_table(player: Player, *, may_lift: bool) -> dict[str, Any]:
    """What was held against the player; what is in force can be lifted."""
    sanctions = Sanction.objects.filter(player=player).select_related("by", "lifted_by").order_by("-id")
    in_force = {one.id for one in player.standing}  # type: ignore[attr-defined]  # of the page's query
    rows = []
    for one in sanctions[:MOST_SHOWN]:
        if one.lifted_at is not None and one.lifted_by is not None:
            held: object = format_html(
                "lifted {} by {}: {}", moment(one.lifted_at), one.lifted_by.username, one.lift_reason
            )
        elif may_lift and one.id in in_force:
            held = link(reverse("admin:accounts_sanction_lift", args=(player.id, one.id)), "Lift")
        else:
            held = ""
        until = moment(one.until) if one.until or one.kind == Sanction.Kind.WARNING else "it is lifted"
        rows.append((one.get_kind_display(), moment(one.at), one.by.username, one.reason, until, held))
    return table(("Sanction", "At (UTC)", "By", "Why", "Until (UTC)", ""), rows)


def acts_table(player: Player) -> dict[str, Any]:
    """The last that was done about the player."""
    return table(
        ("At (UTC)", "By", "What", "Why", "Game"),
        (
            (
                moment(entry.at),
                "the server" if entry.by is None else entry.by.username,
                entry_words(entry),
                entry.reason,
                game_link(entry.game, str(entry.game)[-12:]) if entry.game else "",
            )
            for entry in entries_about(player_id=player.id, limit=MOST_SHOWN)
        ),
    )
