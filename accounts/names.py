"""What a player may be called."""

import hashlib
import secrets
import unicodedata

# `$` alone would let a newline follow in Python, though not in JSON Schema.
USERNAME = r"^[A-Za-z][A-Za-z0-9_-]{1,19}(?!\n)$"

# What the name of an erased account begins with; nobody else's does.
ERASED_PREFIX = "deleted-"
ERASED_DISPLAY_NAME = "deleted player"

RESERVED = frozenset(
    [
        "about",
        "account",
        "accounts",
        "admin",
        "administrator",
        "anonymous",
        "api",
        "bot",
        "bots",
        "card",
        "cards",
        "cardsite",
        "daily",
        "dealer",
        "deleted",
        "docs",
        "games",
        "guest",
        "help",
        "home",
        "host",
        "info",
        "leaderboard",
        "leaderboards",
        "legal",
        "login",
        "logout",
        "mail",
        "me",
        "moderator",
        "nobody",
        "none",
        "null",
        "operator",
        "owner",
        "player",
        "players",
        "public",
        "register",
        "replay",
        "root",
        "rules",
        "rulesets",
        "schema",
        "search",
        "security",
        "self",
        "settings",
        "signup",
        "site",
        "staff",
        "static",
        "support",
        "sysop",
        "system",
        "team",
        "test",
        "undefined",
        "user",
        "users",
        "webmaster",
        "you",
    ]
)

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
_ERASED_LETTERS = 12  # 20 with the prefix, which is all that a name may have

INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
# A letter or a symbol by its category, and yet nothing to see.
BLANK = frozenset("\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}\N{BRAILLE PATTERN BLANK}")


def is_reserved(username: str) -> bool:
    """Whether nobody may take the name."""
    name = username.lower()
    return name in RESERVED or name.startswith(ERASED_PREFIX)


def erased_name() -> str:
    """A name for an account that was erased."""
    return ERASED_PREFIX + "".join(secrets.choice(_LETTERS) for _ in range(_ERASED_LETTERS))


def is_erased_name(username: str) -> bool:
    """Whether a name is that of an account that was erased."""
    return username.startswith(ERASED_PREFIX)


def name_digest(username: str) -> bytes:
    """What is kept of a name that is not to be used again, in whatever case of its letters. There are few
    names, so it is made dear to try them; there is no secret in it, with which the name would come free."""
    return hashlib.scrypt(
        username.upper().encode(), salt=b"cardsite erased name", n=2**12, r=8, p=1, dklen=32
    )


def shows_something(text: str) -> bool:
    """Whether there is anything to see in a text: more than spaces, marks on nothing and invisible characters."""
    return any(
        unicodedata.category(character)[0] not in "CMZ" and character not in BLANK
        for character in unicodedata.normalize("NFKC", text)
    )


def clean_display_name(name: str) -> str:
    """A display name as it is kept: NFKC, runs of white space made one space.

    Raises `ValueError` where nothing is left, or where there are control or other invisible characters.
    """
    cleaned = " ".join(unicodedata.normalize("NFKC", name).split())
    categories = [unicodedata.category(character) for character in cleaned]
    if not INVISIBLE.isdisjoint(categories) or not BLANK.isdisjoint(cleaned):
        raise ValueError("a display name has no control or invisible characters")
    if cleaned and not shows_something(cleaned):
        raise ValueError("a display name is more than marks")
    if not 1 <= len(cleaned) <= 40:
        raise ValueError("a display name has 1 to 40 characters")
    return cleaned
