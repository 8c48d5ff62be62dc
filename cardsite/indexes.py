"""Indexes that are made while games are played."""

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


class AddIndexMeanwhile(AddIndexConcurrently):
    """Django's operation, which waits for as long as others' transactions take, since nobody waits for it
    meanwhile; and which begins anew where one was broken off, whose index stands there and is of no use."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        """Raises what Django's raises."""
        schema_editor.execute("SET lock_timeout = 0")
        try:
            schema_editor.execute(
                f"DROP INDEX CONCURRENTLY IF EXISTS {schema_editor.quote_name(self.index.name)}"
            )
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        finally:
            schema_editor.execute("RESET lock_timeout")
