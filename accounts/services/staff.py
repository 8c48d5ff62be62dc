"""The first account of a new server."""

import secrets

from django.db import IntegrityError, transaction

from accounts.models import Player

FIRST_STAFF = "admin"


@transaction.atomic
def first_staff_create() -> str | None:
    """A staff account with all rights where there is none yet: its password, which is known only now. None
    where somebody may enter the admin already, or another server that starts has just made it."""
    if Player.objects.filter(is_superuser=True, is_active=True).exists():
        return None
    password = secrets.token_urlsafe(12)
    try:
        with transaction.atomic():
            Player.objects.create_superuser(
                username=FIRST_STAFF, email="", password=password, display_name="Administrator"
            )
    except IntegrityError:
        if Player.objects.filter(username=FIRST_STAFF, is_superuser=True).exists():
            return None
        raise
    return password
