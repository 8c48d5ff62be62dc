"""Messages by e-mail."""

from collections.abc import Sequence

from django.contrib.auth.tokens import default_token_generator
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.models import Player
from cardsite.site_url import site_url


def password_reset_mail(*, address: str, players: Sequence[Player]) -> None:
    """Send one message to the address of players, with a link for each by which a new password is chosen."""
    context = {"accounts": [(player.username, _reset_link(player)) for player in players]}
    subject = render_to_string("accounts/mail/password_reset_subject.txt", context).strip()
    text = render_to_string("accounts/mail/password_reset.txt", context)
    send_mail(subject, text, from_email=None, recipient_list=[address])


def _reset_link(player: Player) -> str:
    given = {
        "uidb64": urlsafe_base64_encode(force_bytes(player.pk)),
        "token": default_token_generator.make_token(player),
    }
    return site_url() + reverse("password-reset-confirm", kwargs=given)
