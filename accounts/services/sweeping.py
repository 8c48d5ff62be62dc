"""Forgetting what is over: kept answers, and sessions."""

from django.db import transaction
from django.db.models import F, Window
from django.db.models.functions import RowNumber

from accounts.locks import lock_expired_answers, lock_expired_sessions, lock_sessions
from accounts.models import IdempotentAnswer, Session
from accounts.services.idempotency import KEPT_FOR

AT_ONCE = 2000
MOST_SESSIONS = 100


def answers_sweep() -> int:
    """Delete the answers that have been kept for long enough, some in each transaction: how many there were."""
    swept = 0
    while some := _answers_sweep_some():
        swept += some
    return swept


def sessions_sweep() -> int:
    """Delete the sessions whose time is out, and of each player those beyond the newest `MOST_SESSIONS`, some in
    each transaction: how many there were."""
    swept = 0
    while some := _sessions_sweep_some() or _sessions_sweep_beyond():
        swept += some
    return swept


@transaction.atomic
def _answers_sweep_some() -> int:
    expired = lock_expired_answers(after=KEPT_FOR, limit=AT_ONCE)
    return IdempotentAnswer.objects.filter(id__in=expired).delete()[0]


@transaction.atomic
def _sessions_sweep_some() -> int:
    return Session.objects.filter(session_key__in=lock_expired_sessions(limit=AT_ONCE)).delete()[0]


@transaction.atomic
def _sessions_sweep_beyond() -> int:
    newest_first = Window(RowNumber(), partition_by="player", order_by=F("expire_date").desc())
    numbered = Session.objects.exclude(player=None).annotate(number=newest_first)
    beyond = numbered.filter(number__gt=MOST_SESSIONS).values_list("session_key", flat=True)
    # No row can be locked where rows are numbered.
    return Session.objects.filter(session_key__in=lock_sessions(keys=list(beyond[:AT_ONCE]))).delete()[0]
