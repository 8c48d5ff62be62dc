"""Which background jobs can be done again."""

from typing import NamedTuple

from django.db import connection

from cardsite.problems import Problem

# A worker that lives says so every ten seconds.
HEARD_OF_WITHIN = "30 seconds"
_JOB = f"""
SELECT j.task_name, j.status = 'failed' OR j.status = 'doing' AND NOT EXISTS (
    SELECT FROM procrastinate_workers w
    WHERE w.id = j.worker_id AND w.last_heartbeat > statement_timestamp() - interval '{HEARD_OF_WITHIN}')
FROM procrastinate_jobs j WHERE j.id = %s
"""  # noqa: S608 - of constants


class Job(NamedTuple):
    """What a job does, and whether it can be done again: it has failed, or its worker died at it."""

    task: str
    is_stuck: bool


def job_read(*, job_id: int, is_locked: bool = False) -> Job | None:
    """A job, on request locked until the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(f"{_JOB} FOR UPDATE" if is_locked else _JOB, (job_id,))
        found = cursor.fetchone()
    return None if found is None else Job(*found)


def require_retryable(job: Job | None) -> Job:
    """The job. Raises `Problem` not_found, or forbidden for one that waits, is being done or was done."""
    if job is None:
        raise Problem("not_found", "There is no such job.")
    if not job.is_stuck:
        raise Problem("forbidden", "The job has not failed.")
    return job
