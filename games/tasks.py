"""What is done from time to time, by a worker."""

import logging
from uuid import UUID

from django.db import connection
from procrastinate import JobContext, RetryStrategy
from procrastinate.contrib.django import app

from games.locks import database_time
from games.services.daily import daily_deals_make
from games.services.erasing import FINISH, erasing_finish
from games.services.settling import games_settle

logger = logging.getLogger(__name__)


# A sweep that waits is enough: another is not put beside it.
@app.periodic(cron="* * * * * */10")
@app.task(queueing_lock="settle_overdue", pass_context=False)
def settle_overdue(timestamp: int) -> None:
    """Settle turns whose time is out, and games that were left alone. `timestamp` is when it was due."""
    try:
        settled = games_settle()
    finally:
        connection.close()
    if settled:
        logger.info("settled %d games", settled)


@app.periodic(cron="* * * * * 15")
@app.task(queueing_lock="make_daily_deals", pass_context=False)
def make_daily_deals(timestamp: int) -> None:
    """Make and commit to the deals of the days ahead. `timestamp` is when it was due."""
    try:
        made = daily_deals_make(today=database_time().date())
    finally:
        connection.close()
    if made:
        logger.info("made %d deals of the day", made)


@app.task(name=FINISH, retry=RetryStrategy(max_attempts=10, linear_wait=60))
def finish_erasing(player_id: str) -> None:
    """What is left to be done a while after an account was erased."""
    try:
        erasing_finish(player_id=UUID(player_id))
    finally:
        connection.close()


@app.periodic(cron="* * * * * 5,35")
@app.task(queueing_lock="retry_stalled", pass_context=True)
async def retry_stalled(context: JobContext, timestamp: int) -> None:
    """Put back the jobs of workers that died at them."""
    for job in await context.app.job_manager.get_stalled_jobs():
        await context.app.job_manager.retry_job(job)
        logger.warning("job %s (%s) is tried again: its worker died", job.id, job.task_name)


@app.periodic(cron="17 3 * * *")
@app.task(queueing_lock="remove_failed", pass_context=True)
async def remove_failed(context: JobContext, timestamp: int) -> None:
    """Forget failed jobs after 30 days."""
    await context.app.job_manager.delete_old_jobs(nb_hours=30 * 24, include_failed=True)
