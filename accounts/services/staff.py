"""The first account of a new server."""

import secrets

from django.db import transaction

from accounts.models import Player

FIRST_STAFF = "admin"


@transaction.atomic
def first_staff_create() -> str | None:
    """A staff account with all rights where there is none yet: its password, which is known only now. None
    where somebody may enter the admin already."""
    if Player.objects.filter(is_superuser=True, is_active=True).exists():
        return None
    password = secrets.token_urlsafe(12)
    Player.objects.create_superuser(
        username=FIRST_STAFF, email="", password=password, display_name="Administrator"
    )
    return password
