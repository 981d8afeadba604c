"""Django's settings, all from the environment; ``ladder.environment`` lists the variables."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any

import environ
import structlog
from celery.schedules import schedule
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from ladder.accounts.providers import APPS, login_providers
from ladder.broker import cache_url, chosen_broker
from ladder.environment import (
    ROOT,
    data_folder,
    read,
    read_bool,
    read_choice,
    read_int,
    read_secret,
    read_shaped,
    read_url,
)
from ladder.failures import send_failures
from ladder.files import STORE, store_options

BASE_DIR = ROOT
DATA = data_folder()
DEBUG = read_bool("RUMRUNNER_DEBUG")


def _secret_key(folder: Path) -> str:
    """The key of this installation, made on first start and readable by its owner alone."""
    path = folder / "secret_key"
    try:
        if not path.exists():
            _make_secret_key(folder, path)
        return path.read_text()
    except OSError as error:
        raise ImproperlyConfigured(
            f"the data folder {folder} can't be used ({error}). Make it yours, or set RUMRUNNER_DATA to another folder."
        ) from None


def _make_secret_key(folder: Path, path: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = folder / f".secret_key.{os.getpid()}"
    with os.fdopen(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(48))
    with contextlib.suppress(FileExistsError):
        os.link(fresh, path)  # the first process wins
    fresh.unlink()


NARROW = read_bool("RUMRUNNER_NARROW")
if NARROW:
    SECRET_KEY = secrets.token_urlsafe(48)  # a worker signs nothing, and knows nobody else's key
else:
    SECRET_KEY = read("RUMRUNNER_SECRET_KEY") or _secret_key(DATA)
HOST_NAME = re.compile(r"\*|\.?[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\]")
ALLOWED_HOSTS = read_shaped("RUMRUNNER_HOSTS", HOST_NAME, "ladder.example.org, without scheme, port or path")
ORIGIN = re.compile(r"https?://[^/\s]+")
CSRF_TRUSTED_ORIGINS = read_shaped("RUMRUNNER_ORIGINS", ORIGIN, "https://ladder.example.org, without a path")

INSTALLED_APPS = [
    "ladder.operations.admin_site.LadderAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "rest_framework",
    "django_filters",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "axes",
    "csp",
    "django_structlog",
    "ladder.tokens",
    "ladder.accounts",
    "ladder.ladders",
    "ladder.submissions",
    "ladder.matches",
    "ladder.live",
    "ladder.ratings",
    "ladder.qualifying",
    "ladder.duels",
    "ladder.matchmaking",
    "ladder.tournaments",
    "ladder.parlour",
    "ladder.operations",
    "ladder.api",
    "ladder.web",
    "ladder.pipeline",
]

MIDDLEWARE = [
    "ladder.operations.traffic.CountTraffic",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "ladder.operations.middleware.RefuseLargeBodies",
    "django_structlog.middlewares.RequestMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.middleware.http.ConditionalGetMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "ladder.operations.middleware.RefuseNul",
    "ladder.web.errors.TellRefusals",
]

ROOT_URLCONF = "ladder.urls"
WSGI_APPLICATION = "ladder.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "ladder" / "web" / "templates"],  # before allauth's own
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["ladder.web.paths", "ladder.web.templatetags.fixed"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "ladder.web.context.site",
            ],
        },
    }
]


LOCK_S = read_int("RUMRUNNER_LOCK_S")
STATEMENT_S = read_int("RUMRUNNER_STATEMENT_S")


# How long PostgreSQL lets a session wait for locks, work on a statement, or hold locks and do nothing.
DATABASE_PATIENCE_S = {
    "lock_timeout": LOCK_S,
    "statement_timeout": STATEMENT_S,
    "idle_in_transaction_session_timeout": STATEMENT_S,
}


def _patience() -> str:
    return " ".join(f"-c {name}={seconds}s" for name, seconds in DATABASE_PATIENCE_S.items())


def _database() -> dict[str, Any]:
    """PostgreSQL by URL, otherwise SQLite in the data folder, set up for several writers."""
    if url := read_url("RUMRUNNER_DATABASE_URL", ("postgres", "postgresql", "psql", "pgsql")):
        chosen = environ.Env.db_url_config(url)
        if not chosen["NAME"]:
            raise ImproperlyConfigured(
                "RUMRUNNER_DATABASE_URL names no database; write it as postgres://user@host/name."
            )
        options = {"connect_timeout": 5, "options": _patience(), **chosen.pop("OPTIONS", {})}
        return {**chosen, "OPTIONS": options, "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA / "rumrunner.sqlite3",
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": LOCK_S,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000;",
        },
        "CONN_MAX_AGE": None,
    }


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

BROKER_EMBEDDED = not read("RUMRUNNER_BROKER_URL")
CELERY_BROKER_URL = chosen_broker(DATA)
CACHES = {
    "default": {
        "BACKEND": "ladder.cache.ForgivingRedisCache",
        "LOCATION": cache_url(CELERY_BROKER_URL),
        "KEY_PREFIX": "rumrunner:cache",
    },
    # What lives for seconds is kept in the web process itself: a page is ready sooner than a round trip is made.
    "pages": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "pages"},
}

MATCH_WALL_S = read_int("RUMRUNNER_MATCH_WALL_S")
LONGEST_TASK_S = 3 * MATCH_WALL_S
LEASE_S = read_int("RUMRUNNER_LEASE_S")
BOT_LIMITS_MS = {name: read_int(f"RUMRUNNER_{name.upper()}") for name in ("start_ms", "turn_ms", "bank_ms")}
BOT_MEMORY_MIB = read_int("RUMRUNNER_MEMORY_MIB")
UNPACKED_MIB = read_int("RUMRUNNER_UNPACKED_MIB")
BUNDLE_FILES = read_int("RUMRUNNER_BUNDLE_FILES")
BOTS_A_USER = read_int("RUMRUNNER_BOTS_A_USER")
UPLOADS_A_DAY = read_int("RUMRUNNER_UPLOADS_A_DAY")
REQUESTS_A_DAY = read_int("RUMRUNNER_REQUESTS_A_DAY")
DUELS_A_DAY = read_int("RUMRUNNER_DUELS_A_DAY")
TOURNAMENTS_A_USER = read_int("RUMRUNNER_TOURNAMENTS_A_USER")
TOURNAMENT_MATCHES_A_USER = read_int("RUMRUNNER_TOURNAMENT_MATCHES_A_USER")
SITTINGS_A_DAY = read_int("RUMRUNNER_SITTINGS_A_DAY")
SITTINGS_OF_GUESTS = read_int("RUMRUNNER_SITTINGS_OF_GUESTS")
SITTING_SHARE = read_int("RUMRUNNER_SITTING_SHARE")
SITTING_MEMORY_MIB = read_int("RUMRUNNER_SITTING_MEMORY_MIB") or 6 * BOT_MEMORY_MIB  # a match has at most 6 bots
DEMO = read_bool("RUMRUNNER_DEMO")
LOG_DAYS = read_int("RUMRUNNER_LOG_DAYS")
LOG_MIB = read_int("RUMRUNNER_LOG_MIB")
LOG_FORMAT = read_choice("RUMRUNNER_LOG_FORMAT", ("line", "json"))
GRACE_S = read_int("RUMRUNNER_GRACE_S")
DISK_GIB = read_int("RUMRUNNER_DISK_GIB")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": LONGEST_TASK_S,
    "unacked_restore_interval": 10,
    "socket_timeout": 30,
    "socket_connect_timeout": 3,
    "max_retries": 1,  # a publisher gives up at once while the broker is away; the next beat makes up for it
    "interval_start": 0,
    "interval_step": 0.1,
    "socket_keepalive": True,
    "global_keyprefix": "rumrunner:",
}
if NARROW:  # messages it has in hand are kept apart: nobody with more rights ever puts one of them back
    CELERY_BROKER_TRANSPORT_OPTIONS |= {
        name: f"matches.{name.removesuffix('_key')}"
        for name in ("unacked_key", "unacked_index_key", "unacked_mutex_key")
    }
    CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_TASK_ACKS_LATE = False  # a message only wakes a stage; one kept open over a broker's restart ends the worker
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_DEFAULT_QUEUE = "service"
CELERY_TASK_ROUTES = {
    "ladder.matches.tasks.play_*": {"queue": "matches"},
    "ladder.parlour.tasks.host_*": {"queue": "matches"},
}
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "tick": {"task": "ladder.pipeline.tick", "schedule": schedule(2.0), "options": {"expires": 10}},
}
CELERY_BEAT_SCHEDULER = "ladder.pipeline.beat.Beat"
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA / "beat-schedule")
WORKERS = read_int("RUMRUNNER_WORKERS") or len(os.sched_getaffinity(0))

WEB_THREADS = read_int("RUMRUNNER_WEB_THREADS")
STARTS = read_choice("RUMRUNNER_STARTS", ("warm", "cold"))  # the sandbox reads it again
SERVICE_PROCESSES = max(1, read_int("RUMRUNNER_SERVICE_PROCESSES"))

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
AUTH_PASSWORD_VALIDATORS[1]["OPTIONS"] = {"min_length": 10}  # type: ignore[assignment]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "web:home"
ACCOUNT_SIGNUP_REDIRECT_URL = "web:submit"  # what most people sign up for; whoever came from a page is led back to it
SIGNUP = read_choice("RUMRUNNER_SIGNUP", ("open", "invite", "closed"))
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_UNIQUE_EMAIL = False  # addresses are not verified: one must not be able to block another
ACCOUNT_RATE_LIMITS = {"login_failed": False, "login": False}  # axes locks out
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_ADAPTER = "ladder.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "ladder.accounts.forms.SignupForm",
    "reset_password": "ladder.accounts.forms.ResetPasswordForm",
}
SOCIALACCOUNT_PROVIDERS = login_providers()
INSTALLED_APPS += [f"{APPS}.{name}" for name in SOCIALACCOUNT_PROVIDERS]
SOCIALACCOUNT_ADAPTER = "ladder.accounts.foreign.ForeignAdapter"
SOCIALACCOUNT_FORMS = {"signup": "ladder.accounts.forms.ForeignSignupForm"}
SOCIALACCOUNT_AUTO_SIGNUP = False  # names are public: everybody chooses their own
SOCIALACCOUNT_QUERY_EMAIL = True
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_REQUESTS_TIMEOUT = 5
ACCOUNT_USERNAME_VALIDATORS = "ladder.accounts.models.username_validators"
ACCOUNT_USERNAME_BLACKLIST = ["house", "admin", "administrator", "anonymous", "me", "root", "rumrunner"]
ALLAUTH_TRUSTED_PROXY_COUNT = read_int("RUMRUNNER_PROXIES")
PASSWORD_RESET_TIMEOUT = 24 * 3600
KNOX_TOKEN_MODEL = "knox.AuthToken"  # noqa: S105 - the name of a table
AXES_FAILURE_LIMIT = 6
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
CSRF_FAILURE_VIEW = "ladder.web.errors.csrf_failure"
AXES_USERNAME_CALLABLE = "ladder.accounts.lockout.attempted_name"
AXES_LOCKOUT_CALLABLE = "ladder.accounts.lockout.answer"
AXES_CLIENT_IP_CALLABLE = "ladder.accounts.lockout.client_address"

if MAIL_URL := read_url("RUMRUNNER_MAIL_URL", tuple(environ.Env.EMAIL_SCHEMES)):
    vars().update(environ.Env.email_url_config(MAIL_URL))
else:
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
DEFAULT_FROM_EMAIL = read("RUMRUNNER_MAIL_FROM")

METRICS_TOKEN = read_secret("RUMRUNNER_METRICS_TOKEN", least=16)
API_A_MINUTE = read_int("RUMRUNNER_API_A_MINUTE")
REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "ladder.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["ladder.api.wire.OrjsonRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "ladder.api.wire.Negotiation",
    "DEFAULT_PARSER_CLASSES": ["ladder.api.wire.OrjsonParser", "rest_framework.parsers.FormParser"],
    "DEFAULT_SCHEMA_CLASS": "ladder.api.schema.Described",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "ladder.api.pagination.Pages",
    "DEFAULT_THROTTLE_CLASSES": ["ladder.api.throttles.PerMinute"],
    "EXCEPTION_HANDLER": "ladder.api.errors.handle",
    "NUM_PROXIES": read_int("RUMRUNNER_PROXIES"),
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "TEST_REQUEST_RENDERER_CLASSES": [
        "rest_framework.renderers.MultiPartRenderer",
        "rest_framework.renderers.JSONRenderer",
    ],
}
REST_KNOX = {"TOKEN_TTL": timedelta(days=90)}
SPECTACULAR_SETTINGS = {
    "TITLE": "Rumrunner",
    "DESCRIPTION": "Submit bots, run tournaments and read ladders of four Prohibition-era board games.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SORT_OPERATIONS": True,
    "ENUM_NAME_OVERRIDES": {
        "MatchStatus": "ladder.matches.models.Match.Status",
        "VersionStatus": "ladder.submissions.models.BotVersion.Status",
        "TournamentStatus": "ladder.tournaments.models.Tournament.Status",
        "DuelStatus": "ladder.duels.models.Duel.Status",
        "SittingStatus": "ladder.parlour.models.Sitting.Status",
    },
    "PATH_CONVERTER_OVERRIDES": {"id": {"type": "integer", "minimum": 1, "maximum": 10**18 - 1}},
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},  # no badge from elsewhere
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "ladder.api.schema.describe_errors",
    ],
    "COMPONENT_SPLIT_REQUEST": True,
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF, *(["https:"] if SOCIALACCOUNT_PROVIDERS else [])],  # browsers ask where a form leads to
        "frame-ancestors": [NONE],
    }
}
HTTPS = read_bool("RUMRUNNER_HTTPS")
PROXIES = read_int("RUMRUNNER_PROXIES")
LIVE_PORT = read_int("RUMRUNNER_LIVE_PORT")
LIVE_URL = read_url("RUMRUNNER_LIVE_URL", ("http", "https", "")).rstrip("/")
SPECTATORS = read_int("RUMRUNNER_SPECTATORS")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SAMESITE = "Lax"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = HTTPS and PROXIES > 0  # who hears of no proxy takes every request for a plain one
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]  # asked by programs on this machine, past the proxy
SECURE_HSTS_SECONDS = HTTPS * read_int("RUMRUNNER_HSTS_DAYS") * 24 * 3600
PREFIX = re.compile(r"(/[A-Za-z0-9._~-]+)+/?|/")
FORCE_SCRIPT_NAME = "".join(read_shaped("RUMRUNNER_PREFIX", PREFIX, "/rumrunner")).rstrip("/") or None

STATIC_URL = f"{FORCE_SCRIPT_NAME or ''}/static/"
STATIC_ROOT = DATA / "static"
STATICFILES_DIRS = [("viewer", ROOT / "arena" / "viewer")]
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
STORE_WRITES = read_bool("RUMRUNNER_STORE_WRITES")
if STORE_URL := read_url("RUMRUNNER_STORE_URL", ("s3", "s3+http")):
    STORAGES[STORE] = {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": store_options(STORE_URL)}
WHITENOISE_USE_FINDERS = False

MEBIBYTE = 1024 * 1024
UPLOAD_MIB = read_int("RUMRUNNER_UPLOAD_MIB")
DATA_UPLOAD_MAX_MEMORY_SIZE = MEBIBYTE
FILE_UPLOAD_MAX_MEMORY_SIZE = MEBIBYTE

LANGUAGE_CODE = "en-gb"
USE_I18N = False
FORMAT_MODULE_PATH = "ladder.web.times"
TIME_ZONE = "UTC"
USE_TZ = True

RENDERERS: dict[str, Any] = {
    "line": structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"]),
    "json": structlog.processors.JSONRenderer(ensure_ascii=False, default=str),
}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processor": RENDERERS[LOG_FORMAT],
            "foreign_pre_chain": [
                structlog.contextvars.merge_contextvars,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.stdlib.add_log_level,
                *([structlog.processors.format_exc_info] if LOG_FORMAT == "json" else []),
            ],
        }
    },
    "filters": {"one line outages": {"()": "ladder.outages.OneLineOutages"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["one line outages"]}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "ladder": {"level": "INFO"},
        "django_structlog": {"level": "INFO" if LOG_FORMAT == "json" else "WARNING"},  # every request, every task
        "axes": {"level": "WARNING"},
    },
}
DJANGO_STRUCTLOG_CELERY_ENABLED = True
structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.filter_by_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.format_exc_info,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)

if SENTRY_DSN := read_url("RUMRUNNER_SENTRY_DSN", ("https", "http")):
    send_failures(SENTRY_DSN)
