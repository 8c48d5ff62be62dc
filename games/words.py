"""Words that the rules have for moves, events and refusals, in the language of the request."""

from collections.abc import Sequence

from django.utils.translation import get_language, gettext, ngettext

from games.rules.contract import Phrase, Refused

ENGLISH = "en"


def asked_language() -> str:
    """The code of the language that the request asked for, among those that the server speaks."""
    return get_language() or ENGLISH


def said(phrase: Phrase) -> str:
    """A phrase in the asked language."""
    return phrase.said(gettext, ngettext)


def told(phrases: Sequence[Phrase]) -> str:
    """What `describe` found, as one line in the asked language."""
    return ", ".join(map(said, phrases))


def explained(refused: Refused) -> str:
    """Why a move is refused, in the asked language."""
    return said(refused.phrase)
