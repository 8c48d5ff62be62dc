"""Having jobs done again."""

from django.db import transaction
from procrastinate.contrib.django import app
from procrastinate.exceptions import UniqueViolation

from accounts.locks import database_time
from accounts.models import Player
from accounts.services.audit import audit_write, clean_reason
from cardsite.problems import Problem
from games.selectors.jobs import job_read, require_retryable


@transaction.atomic
def job_retry(*, job_id: int, by: Player, reason: str) -> None:
    """Have a job done again that failed, or whose worker died at it.

    Raises `Problem` not_found, forbidden (a job that waits, is being done or was done, or beside which the same
    waits already) or invalid (no reason, or a long one).
    """
    reason = clean_reason(reason)
    job = require_retryable(job_read(job_id=job_id, is_locked=True))
    try:
        with transaction.atomic():
            app.job_manager.retry_job_by_id(job_id, database_time())
    except UniqueViolation:
        raise Problem("forbidden", "Another job waits to do the same.") from None
    audit_write(by=by, act="retry_job", reason=reason, details={"job": job_id, "task": job.task})
