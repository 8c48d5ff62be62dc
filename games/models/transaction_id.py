"""The numbers of transactions."""

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper


class TransactionId(models.Field):  # type: ignore[type-arg]  # Django's takes none when it runs
    """PostgreSQL's number of a transaction, which never comes again."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        return "xid8"
