"""Having jobs done again."""

from django.db import connection, transaction
from procrastinate.contrib.django import app
from procrastinate.exceptions import UniqueViolation

from accounts.locks import database_time
from accounts.models import Player
from accounts.services.audit import audit_write, clean_reason
from cardsite.problems import Problem

# A worker that lives says so every ten seconds.
_STUCK = """
SELECT j.task_name, j.status = 'failed' OR j.status = 'doing' AND NOT EXISTS (
    SELECT FROM procrastinate_workers w
    WHERE w.id = j.worker_id AND w.last_heartbeat > statement_timestamp() - interval '30 seconds')
FROM procrastinate_jobs j WHERE j.id = %s FOR UPDATE
"""


@transaction.atomic
def job_retry(*, job_id: int, by: Player, reason: str) -> None:
    """Have a job done again that failed, or whose worker died at it.

    Raises `Problem` not_found, forbidden (a job that waits, is being done or was done, or beside which the same
    waits already) or invalid (no reason, or a long one).
    """
    reason = clean_reason(reason)
    with connection.cursor() as cursor:
        cursor.execute(_STUCK, (job_id,))
        found = cursor.fetchone()
    if found is None:
        raise Problem("not_found", "There is no such job.")
    task, is_stuck = found
    if not is_stuck:
        raise Problem("forbidden", "The job has not failed.")
    try:
        with transaction.atomic():
            app.job_manager.retry_job_by_id(job_id, database_time())
    except UniqueViolation:
        raise Problem("forbidden", "Another job waits to do the same.") from None
    audit_write(by=by, act="retry_job", reason=reason, details={"job": job_id, "task": task})
