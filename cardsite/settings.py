"""Settings, all from the environment; the table of them stands in `docs/settings.md`."""

from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

from cardsite import csp, embedded, navigation
from cardsite.secret_key import local_secret_key

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var")))

DEBUG = env.bool("DEBUG", default=False)
# Always by its own machine, where its health is looked at.
ALLOWED_HOSTS = [*env.list("ALLOWED_HOSTS", default=[]), "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SITE_URL = env.str("SITE_URL", default="").rstrip("/")  # what links in mail begin with: see cardsite.site_url

POOL = {"min_size": 1, "max_size": env.int("DATABASE_POOL", default=14), "timeout": 5}
if "DATABASE_URL" in env:
    EMBEDDED_DATABASE = None
    database: dict[str, Any] = env.db_url("DATABASE_URL")
    if database["ENGINE"] != "django.db.backends.postgresql":
        raise ImproperlyConfigured("DATABASE_URL names another database than PostgreSQL")
    if "SECRET_KEY" not in env:
        raise ImproperlyConfigured("SECRET_KEY is required where DATABASE_URL is set")
    SECRET_KEY = env.str("SECRET_KEY")
else:
    EMBEDDED_DATABASE = DATA_DIR / "postgres"
    database = {"ENGINE": "django.db.backends.postgresql", **embedded.database_settings(EMBEDDED_DATABASE)}
    SECRET_KEY = env.str("SECRET_KEY", default="") or local_secret_key(DATA_DIR / "secret_key")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])

# Without the health check every request after a restart of the database would fail.
database |= {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True}
database["OPTIONS"] = {**database.get("OPTIONS", {}), "pool": POOL}
# Planning the statements of a move takes the database longer than running them.
if env.bool("PREPARED_STATEMENTS", default=True):
    database["OPTIONS"] |= {"server_side_binding": True, "prepare_threshold": 5}
DATABASES = {"default": database}
# Streams listen on a connection of their own, which no pooler may stand before.
LISTEN_DATABASE = env.db_url("LISTEN_DATABASE_URL") if "LISTEN_DATABASE_URL" in env else database

INSTALLED_APPS = [
    "unfold",
    "unfold.contrib.filters",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "corsheaders",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "procrastinate.contrib.django",
    "accounts",
    "games",
]
MIDDLEWARE = [
    "cardsite.request_log.RequestLog",
    "cardsite.problems.ProblemsOutsideApi",
    "django.middleware.security.SecurityMiddleware",
    "cardsite.csp.PoliciesByPath",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "cardsite.languages.Languages",
    "cardsite.paths.CommonRequests",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
UNFOLD = navigation.UNFOLD
ROOT_URLCONF = "cardsite.urls"
WSGI_APPLICATION = "cardsite.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "cardsite" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "cardsite.pages.preferred",
            ],
            "builtins": ["cardsite.page_tags"],
        },
    }
]

AUTH_USER_MODEL = "accounts.Player"
AUTHENTICATION_BACKENDS = ["accounts.throttling.PasswordBackend"]
SIGN_UPS_PER_HOUR = env.int("SIGN_UPS_PER_HOUR", default=1000)  # from one address
LOG_IN_ATTEMPTS = env.int("LOG_IN_ATTEMPTS", default=10)  # by name and address; one more each minute
LOG_IN_ATTEMPTS_FROM_ADDRESS = env.int(
    "LOG_IN_ATTEMPTS_FROM_ADDRESS", default=100
)  # whatever the names, in 10 minutes
PASSWORD_RESETS_PER_HOUR = env.int(
    "PASSWORD_RESETS_PER_HOUR", default=10
)  # of one mail address; of one network's
REQUESTS_PER_MINUTE = env.int("REQUESTS_PER_MINUTE", default=6000)  # of one player, or from one address
EXPORT_PAGES_PER_MINUTE = env.int("EXPORT_PAGES_PER_MINUTE", default=20)  # likewise
PROXIES = env.int("PROXIES", default=0)  # that stand in front and write X-Forwarded-For
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
AUTH_PASSWORD_VALIDATORS.append({"NAME": "accounts.passwords.NotTooLong"})
PASSWORD_RESET_TIMEOUT = 86_400  # seconds
LOGIN_URL = "log-in"
# Where the log-in page of the browsable API leads; that of the site leads to the account.
LOGIN_REDIRECT_URL = "docs"
LOGOUT_REDIRECT_URL = "rest_framework:login"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("sv", "Swedish"), ("es", "Spanish")]
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "cardsite" / "locale"]  # of the rules, and of the pages
LANGUAGE_COOKIE_AGE = 31_536_000
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_HTTPONLY = True
TIME_ZONE = "UTC"
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# An address such as smtp+tls://user:password@host:587; without one, messages are written to the console.
vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="Cardsite <noreply@localhost>")
EMAIL_TIMEOUT = 10

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "cardsite" / "static"]
WHITENOISE_USE_FINDERS = True

# Served over plain HTTP from two commands; behind TLS, HTTPS=true turns on what needs it.
HTTPS = env.bool("HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_REDIRECT_EXEMPT = ["^healthz$", "^readyz$"]
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_HTTPONLY = True
SESSION_ENGINE = "cardsite.sessions"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = {"DIRECTIVES": csp.STRICT}

# Tokens only: a browser of another origin never sends the session.
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_CREDENTIALS = False
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_HEADERS = (
    "accept",
    "accept-language",
    "authorization",
    "content-type",
    "idempotency-key",
    "if-none-match",
    "last-event-id",
)
CORS_EXPOSE_HEADERS = ("etag", "idempotent-replayed", "retry-after", "x-request-id")

DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024  # bytes of a request's body
STREAMS = "games.api.streams.Streams"
STREAMS_PER_PLAYER = env.int("STREAMS_PER_PLAYER", default=50)  # and requests that wait, at once in a process
SERVER_THREADS = env.int("SERVER_THREADS", default=8)

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.authentication.TokenAuthentication",
        "accounts.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": ["accounts.request_rate.RequestRate"],
    "DEFAULT_RENDERER_CLASSES": [
        "cardsite.formats.JSONRenderer",
        "rest_framework.renderers.BrowsableAPIRenderer",
    ],
    "DEFAULT_PARSER_CLASSES": ["cardsite.formats.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "cardsite.openapi.Schema",
    "EXCEPTION_HANDLER": "cardsite.problems.exception_handler",
    "URL_FORMAT_OVERRIDE": None,
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Cardsite",
    "DESCRIPTION": "Play card games by API, at your own pace.",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "POSTPROCESSING_HOOKS": ["games.api.examples.add_examples"],
    "APPEND_COMPONENTS": {
        "securitySchemes": {
            "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "A personal token: `Bearer card_…`.",
            },
            "password": {"type": "http", "scheme": "basic", "description": "User name and password."},
            "cookieAuth": {
                "type": "apiKey",
                "in": "cookie",
                "name": "sessionid",
                "description": "A browser that is logged in; what changes something has a CSRF token as well.",
            },
        }
    },
    "COMPONENT_SPLIT_PATCH": False,
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "ENABLE_DJANGO_DEPLOY_CHECK": False,
}

DEFAULT_EXCEPTION_REPORTER_FILTER = "cardsite.problems.NoLocals"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "request_id": {"()": "cardsite.logs.RequestIdFilter"},
        "refusals": {"()": "cardsite.logs.RefusalFilter"},
    },
    "formatters": {
        "line": {
            "()": "cardsite.logs.LineFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s",
        },
        "json": {
            "()": "cardsite.logs.StructuredFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s %(request_id)s",
            "rename_fields": {"asctime": "at", "levelname": "level", "name": "logger"},
        },
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "filters": ["request_id"],
            "formatter": env.str("LOG_FORMAT", default="line"),
        }
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        # It tells of every job that it does.
        "procrastinate": {"level": "WARNING"},
        "cardsite.requests": {"level": "INFO" if env.bool("LOG_REQUESTS", default=False) else "WARNING"},
        "django": {"handlers": ["console"], "level": "INFO", "propagate": False},
        "django.request": {"filters": ["refusals"]},
        # A statement's parameters may be a seed or a password's hash; they are not logged at any level.
        "django.db.backends": {"handlers": [], "level": "WARNING", "propagate": False},
    },
}
