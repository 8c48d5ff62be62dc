"""What a player may be called."""

import unicodedata

# `$` alone would let a newline follow in Python, though not in JSON Schema.
USERNAME = r"^[A-Za-z][A-Za-z0-9_-]{1,19}(?!\n)$"

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

INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
# A letter or a symbol by its category, and yet nothing to see.
BLANK = frozenset("\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}\N{BRAILLE PATTERN BLANK}")


def clean_display_name(name: str) -> str:
    """A display name as it is kept: NFKC, runs of white space made one space.

    Raises `ValueError` where nothing is left, or where there are control or other invisible characters.
    """
    cleaned = " ".join(unicodedata.normalize("NFKC", name).split())
    categories = [unicodedata.category(character) for character in cleaned]
    if not INVISIBLE.isdisjoint(categories) or not BLANK.isdisjoint(cleaned):
        raise ValueError("a display name has no control or invisible characters")
    if cleaned and all(category.startswith("M") for category in categories):
        raise ValueError("a display name is more than marks")
    if not 1 <= len(cleaned) <= 40:
        raise ValueError("a display name has 1 to 40 characters")
    return cleaned
