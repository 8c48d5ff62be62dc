"""The Idempotency-Key: a creating request that is sent again gets the first answer again, for 24 hours."""

import base64
import hashlib
import re
from collections.abc import Callable
from datetime import timedelta

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac

from accounts.models import IdempotentAnswer, Player
from cardsite.problems import Problem, malformed

KEPT_FOR = timedelta(hours=24)
_KEY = re.compile(r"[\x21-\x7e]{1,100}")


@transaction.atomic
def answer_once(*, player: Player, key: str, request: bytes, work: Callable[[], bytes]) -> tuple[bytes, bool]:
    """The answer of `work`, which is done once for a player's key, and whether it was given before.

    The key's row is written first, so that a second request waits for the first to commit or to fail; a
    failure leaves nothing behind. `request` is all that makes the request what it is.

    Raises `Problem` malformed for a key that is not 1 to 100 visible ASCII characters, idempotency_mismatch
    for a key that was used for another request, and whatever `work` raises.
    """
    if not _KEY.fullmatch(key):
        raise malformed("not 1 to 100 visible ASCII characters", "Idempotency-Key")
    IdempotentAnswer.objects.filter(player=player, created_at__lt=Now() - KEPT_FOR).delete()
    key_digest = hashlib.sha256(key.encode()).digest()
    request_digest = hashlib.sha256(request).digest()
    kept, created = IdempotentAnswer.objects.get_or_create(
        player=player, key_digest=key_digest, defaults={"request_digest": request_digest}
    )
    seal = MultiFernet(
        [_seal(secret, player, key) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    )
    if created:
        answer = work()
        kept.sealed_answer = seal.encrypt(answer)
        kept.save(update_fields=["sealed_answer"])
        return answer, False
    if bytes(kept.request_digest) != request_digest:
        raise Problem("idempotency_mismatch", "This Idempotency-Key was used for another request.")
    try:
        return seal.decrypt(bytes(kept.sealed_answer or b"")), True
    except InvalidToken:
        raise Problem("idempotency_mismatch", "The answer was sealed with a secret key of before.") from None


def _seal(secret: str, player: Player, key: str) -> Fernet:
    digest = salted_hmac(
        "accounts.idempotency", f"{player.pk}:{key}", secret=secret, algorithm="sha256"
    ).digest()
    return Fernet(base64.urlsafe_b64encode(digest))
