"""The project's settings, with what is quick in tests."""

from cardsite.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LISTEN_DATABASE = DATABASES["default"]  # noqa: F405 - which is a test's own
# Otherwise every new client walks through all static files.
WHITENOISE_AUTOREFRESH = True

# Tests ask as one address, and quickly.
REQUESTS_PER_MINUTE = 10**9
EXPORT_PAGES_PER_MINUTE = 10**6
