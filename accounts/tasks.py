"""What is done after an answer, by a worker."""

from uuid import UUID

from django.db import connection
from django.utils.translation import override
from procrastinate.contrib.django import app

from accounts.mail import password_reset_mail
from accounts.selectors.players import active_players


@app.task(retry=3, pass_context=False)
def send_password_reset(players: list[str], host: str, language: str, *, secure: bool) -> None:
    """Send players what a new password is chosen by. It is put here even where there is nobody to send it to, so
    that who asked cannot tell; and by the players, so that no address stands among the jobs."""
    try:
        with override(language):
            for player in active_players(ids=[UUID(one) for one in players]):
                password_reset_mail(player=player, host=host, secure=secure)
    finally:
        connection.close()
