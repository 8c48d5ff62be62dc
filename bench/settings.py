"""The project's settings, with an address that does nothing, to measure against."""

from cardsite.settings import *  # noqa: F403

ROOT_URLCONF = "bench.urls"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
