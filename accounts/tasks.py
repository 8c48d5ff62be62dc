"""What is done after an answer, and from time to time, by a worker."""

import logging
from uuid import UUID

from django.db import connection
from django.utils.translation import override
from procrastinate.contrib.django import app

from accounts.mail import password_reset_mail
from accounts.selectors.players import active_players
from accounts.services.sweeping import answers_sweep, sessions_sweep

logger = logging.getLogger(__name__)


@app.task(retry=3, pass_context=False)
def send_password_reset(players: list[str], language: str) -> None:
    """Send the players of one address, in one message, what new passwords are chosen by: tried again, nobody gets
    it twice. It is put here even where there is nobody to send it to, so that who asked cannot tell; and by the
    players, so that no address stands among the jobs."""
    try:
        found = [one for one in active_players(ids=map(UUID, players)) if one.has_usable_password()]
        # Whoever has changed the address meanwhile shares no message with the others.
        shared = [one for one in found if one.email == found[0].email]
        if shared and shared[0].email:
            with override(language):
                password_reset_mail(address=shared[0].email, players=shared)
    finally:
        connection.close()


@app.periodic(cron="23 * * * *")
@app.task(queueing_lock="sweep_answers", pass_context=False)
def sweep_answers(timestamp: int) -> None:
    """Forget answers that were kept for a retry. `timestamp` is when it was due."""
    try:
        swept = answers_sweep()
    finally:
        connection.close()
    if swept:
        logger.info("forgot %d kept answers", swept)


@app.periodic(cron="41 3 * * *")
@app.task(queueing_lock="sweep_sessions", pass_context=False)
def sweep_sessions(timestamp: int) -> None:
    """Forget sessions that are over. `timestamp` is when it was due."""
    try:
        swept = sessions_sweep()
    finally:
        connection.close()
    if swept:
        logger.info("forgot %d sessions", swept)
