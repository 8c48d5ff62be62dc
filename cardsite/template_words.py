"""The words of templates, for Babel: `make words` and the tests of translations alone load this module."""

import io
from collections.abc import Collection, Generator, Mapping
from typing import IO, Any

from babel.messages.extract import extract_python
from django.utils.translation.template import templatize


def extract(
    fileobj: IO[bytes],
    keywords: Mapping[str, Any],
    comment_tags: Collection[str],
    options: Mapping[str, Any],
) -> Generator[Any, None, None]:
    """The messages of a Django template.

    Django makes calls of gettext of the tags, and Xs of the rest; within brackets these are Python, however they
    are indented.
    """
    calls = f"({templatize(fileobj.read().decode())})"
    yield from extract_python(io.BytesIO(calls.encode()), keywords, comment_tags, {"encoding": "utf-8"})
