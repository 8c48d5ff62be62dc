"""Messages by e-mail."""

from django.contrib.auth.tokens import default_token_generator
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.models import Player


def password_reset_mail(*, player: Player, host: str, secure: bool) -> None:
    """Send a player who has a password a link by which a new one is chosen."""
    if not player.has_usable_password():
        return
    context = {
        "name": player.username,
        "site": f"{'https' if secure else 'http'}://{host}",
        "uid": urlsafe_base64_encode(force_bytes(player.pk)),
        "token": default_token_generator.make_token(player),
    }
    subject = render_to_string("accounts/mail/password_reset_subject.txt", context).strip()
    text = render_to_string("accounts/mail/password_reset.txt", context)
    send_mail(subject, text, from_email=None, recipient_list=[player.email])
