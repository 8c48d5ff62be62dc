"""The secret key of a server that was given none: made once and kept beside its data."""

import os
import secrets
from pathlib import Path


def local_secret_key(file: Path) -> str:
    """The key in `file`, made on first use; readable by its owner alone."""
    file.parent.mkdir(parents=True, exist_ok=True)
    # Linked into place whole: of several first processes one wins, and none reads half a key.
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    if not file.exists():
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as handle:
            handle.write(secrets.token_urlsafe(48))
        try:
            os.link(draft, file)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return file.read_text()
