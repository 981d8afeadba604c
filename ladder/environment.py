"""Every setting that comes from the environment, with its default and its meaning.

``docs/2-settings.md`` is this table for people; a test compares the two.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from re import Pattern
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable; the type of the default is the type of the value."""

    name: str
    default: str | int | bool
    meaning: str

    @property
    def written(self) -> str:
        """The default as somebody would write it."""
        return str(self.default).lower() if isinstance(self.default, bool) else str(self.default)


VARIABLES = (
    Variable("RUMRUNNER_DATA", "var", "Folder for database, bundles, records, broker and secret key"),
    Variable("RUMRUNNER_RUNTIME", "", "Folder with what bots may import; empty means `.runtime` next to the code"),
    Variable(
        "RUMRUNNER_TMPFS",
        "",
        "A tmpfs with exec and 512 MB for the files bots see; empty means the first that serves, as `/dev/shm`",
    ),
    Variable(
        "RUMRUNNER_ENGINES", "", "`pure` or `compiled` engines; empty means compiled ones if they were built, else pure"
    ),
    Variable(
        "RUMRUNNER_STARTS",
        "warm",
        "`warm`: Python bots are forked from a parent that has engines and kit loaded; `cold`: each begins anew",
    ),
    Variable("RUMRUNNER_DATABASE_URL", "", "`postgres://user:password@host/name`; empty means SQLite in that folder"),
    Variable("RUMRUNNER_LOCK_S", 30, "Seconds a statement may wait for a lock of the database before it fails"),
    Variable("RUMRUNNER_STATEMENT_S", 300, "Seconds PostgreSQL lets one statement, or an idle transaction, take"),
    Variable("RUMRUNNER_BROKER_URL", "", "`redis://host:6379/0` of a Redis or Valkey; empty means the embedded Valkey"),
    Variable(
        "RUMRUNNER_STORE_URL",
        "",
        "S3-compatible store for records and bundles, `s3://key:secret@host/bucket`; empty means the database",
    ),
    Variable(
        "RUMRUNNER_STORE_WRITES",
        True,
        "Records and bundles go to that store; `false`: they are only read there, while they are moved back",
    ),
    Variable("RUMRUNNER_SECRET_KEY", "", "Signs sessions; empty means a key made on first start and kept"),
    Variable("RUMRUNNER_HOSTS", "localhost,127.0.0.1,[::1]", "Host names the site answers to, separated by commas"),
    Variable("RUMRUNNER_ORIGINS", "", "Origins trusted for forms behind a proxy, e.g. `https://ladder.example.org`"),
    Variable("RUMRUNNER_PREFIX", "", "Path the site lives under behind a proxy, e.g. `/rumrunner`"),
    Variable(
        "RUMRUNNER_HTTPS", False, "A proxy serves the site over https: plain http is redirected, cookies are secure"
    ),
    Variable("RUMRUNNER_HSTS_DAYS", 365, "With https, days for which browsers refuse to go back to http; 0 means none"),
    Variable("RUMRUNNER_PROXIES", 0, "Reverse proxies in front of the site whose forwarded addresses are believed"),
    Variable("RUMRUNNER_METRICS_TOKEN", "", "Token for programs that read `/metrics`; empty means administrators only"),
    Variable("RUMRUNNER_DEBUG", False, "Django's debug pages; never in production"),
    Variable("HOST", "127.0.0.1", "Address the web server listens on"),
    Variable("PORT", 8000, "Port the web server listens on"),
    Variable("RUMRUNNER_WEB_THREADS", 8, "Requests answered at the same time"),
    Variable("RUMRUNNER_SPECTATORS", 1_000, "Watchers of live matches at the same time; 0 means no stream is started"),
    Variable("RUMRUNNER_LIVE_PORT", 0, "Port of the live stream; 0 means any free one, which the pages find out"),
    Variable(
        "RUMRUNNER_LIVE_URL",
        "",
        "Where browsers reach the stream behind a proxy, e.g. `/stream`; empty means its port, or none behind proxies",
    ),
    Variable("RUMRUNNER_WORKERS", 0, "Matches played at the same time on this machine; 0 means one a core"),
    Variable("RUMRUNNER_SERVICE_PROCESSES", 2, "Processes that check, pair, rate and draw on this machine"),
    Variable("RUMRUNNER_NARROW", False, "A worker with narrow rights, as `manage.py worker_role` gives them"),
    Variable("RUMRUNNER_SIGNUP", "open", "Who may sign up: `open`, `invite` or `closed`"),
    Variable("RUMRUNNER_OIDC_URL", "", "Issuer of an OpenID Connect provider that people may sign in with"),
    Variable("RUMRUNNER_OIDC_CLIENT", "", "Name under which that provider knows this site"),
    Variable("RUMRUNNER_OIDC_SECRET", "", "Secret that it has given to this site"),
    Variable("RUMRUNNER_OIDC_NAME", "single sign-on", "What the button on the sign-in page calls it"),
    Variable("RUMRUNNER_GITHUB_CLIENT", "", "Client id of this site as an OAuth app at GitHub; empty means none"),
    Variable("RUMRUNNER_GITHUB_SECRET", "", "Client secret of that app"),
    Variable("RUMRUNNER_MAIL_URL", "", "`smtp://user:password@host:587`; empty means no email is sent"),
    Variable("RUMRUNNER_MAIL_FROM", "rumrunner@localhost", "Sender of emails"),
    Variable("RUMRUNNER_DEMO", True, "On an empty database, start a demo tournament among the house bots of each game"),
    Variable("RUMRUNNER_UPLOAD_MIB", 20, "Largest upload"),
    Variable("RUMRUNNER_UNPACKED_MIB", 64, "Largest bundle after unpacking"),
    Variable("RUMRUNNER_BUNDLE_FILES", 500, "Most files in a bundle"),
    Variable("RUMRUNNER_BOTS_A_USER", 20, "Most bots one user may have"),
    Variable("RUMRUNNER_UPLOADS_A_DAY", 50, "Most versions one user may upload in 24 hours"),
    Variable("RUMRUNNER_REQUESTS_A_DAY", 100, "Most unrated matches one user may ask for in 24 hours"),
    Variable("RUMRUNNER_DUELS_A_DAY", 10, "Most tests of a new version one user may start in 24 hours"),
    Variable("RUMRUNNER_SITTINGS_A_DAY", 50, "Most games against bots that one user may begin in 24 hours"),
    Variable(
        "RUMRUNNER_SITTINGS_OF_GUESTS",
        10,
        "Most games of people who are not signed in that are played at the same time; 0 means none",
    ),
    Variable(
        "RUMRUNNER_SITTING_SHARE",
        50,
        "Percent of all matches played at the same time whose place games with people may take, and at least one place",
    ),
    Variable(
        "RUMRUNNER_SITTING_MEMORY_MIB",
        0,
        "Memory that the bots of games with people may hold in one such place; 0 means that of 6 bots, as a match may",
    ),
    Variable("RUMRUNNER_API_A_MINUTE", 600, "API requests one visitor may make in a minute; 0 means no limit"),
    Variable("RUMRUNNER_TOURNAMENTS_A_USER", 5, "Most unfinished tournaments of one author"),
    Variable("RUMRUNNER_TOURNAMENT_MATCHES_A_USER", 20_000, "Most matches in a tournament of an author"),
    Variable("RUMRUNNER_TURN_MS", 100, "Cpu allowance of a bot for each act"),
    Variable("RUMRUNNER_BANK_MS", 10_000, "Cpu bank of a bot for a match"),
    Variable("RUMRUNNER_START_MS", 5_000, "Cpu allowance of a bot to get ready"),
    Variable("RUMRUNNER_MEMORY_MIB", 512, "Memory of a bot"),
    Variable("RUMRUNNER_MATCH_WALL_S", 600, "Longest a match may take, unless its seats together may use more"),
    Variable("RUMRUNNER_LEASE_S", 60, "Seconds of silence after which a running match is given to another worker"),
    Variable("RUMRUNNER_LOG_DAYS", 30, "Days that the logs of bots are kept"),
    Variable("RUMRUNNER_LOG_MIB", 10, "Size at which `manage.py up` rotates a log of the service; 0 means never"),
    Variable(
        "RUMRUNNER_LOG_FORMAT", "line", "`line`: key=value for people; `json`: an object a line, with all requests"
    ),
    Variable("RUMRUNNER_SENTRY_DSN", "", "Sends failures of the service to this Sentry; needs `make options`"),
    Variable(
        "RUMRUNNER_GRACE_S", 5, "Seconds in which a worker told to stop may end its matches; then it hands them back"
    ),
    Variable("RUMRUNNER_DISK_GIB", 20, "Disk that bundles and records may fill before uploads are refused"),
)

A_DAY_S, A_CENTURY_DAYS, A_TERABYTE_MIB = 86_400, 36_500, 1_000_000
MOST = 1_000_000_000
LONGEST_NUMBER = 20  # digits that are read at all
LIMITS = {  # of the numbers that can't be anything from 0 to MOST
    "RUMRUNNER_LOCK_S": (1, A_DAY_S),
    "RUMRUNNER_STATEMENT_S": (0, A_DAY_S),
    "RUMRUNNER_HSTS_DAYS": (0, A_CENTURY_DAYS),
    "RUMRUNNER_PROXIES": (0, 100),
    "PORT": (1, 65_535),
    "RUMRUNNER_WEB_THREADS": (1, 1_000),
    "RUMRUNNER_LIVE_PORT": (0, 65_535),
    "RUMRUNNER_WORKERS": (0, 1_000),
    "RUMRUNNER_SERVICE_PROCESSES": (0, 1_000),
    "RUMRUNNER_UPLOAD_MIB": (1, A_TERABYTE_MIB),
    "RUMRUNNER_UNPACKED_MIB": (1, A_TERABYTE_MIB),
    "RUMRUNNER_BUNDLE_FILES": (1, MOST),
    "RUMRUNNER_SITTING_SHARE": (0, 100),
    "RUMRUNNER_SITTING_MEMORY_MIB": (0, A_TERABYTE_MIB),
    "RUMRUNNER_START_MS": (1, MOST),
    "RUMRUNNER_MEMORY_MIB": (1, A_TERABYTE_MIB),
    "RUMRUNNER_MATCH_WALL_S": (1, A_DAY_S),
    "RUMRUNNER_LEASE_S": (1, A_DAY_S),
    "RUMRUNNER_LOG_DAYS": (0, A_CENTURY_DAYS),
    "RUMRUNNER_LOG_MIB": (0, A_TERABYTE_MIB),
    "RUMRUNNER_GRACE_S": (0, A_DAY_S),
    "RUMRUNNER_DISK_GIB": (0, A_TERABYTE_MIB),
}
_BY_NAME = {variable.name: variable for variable in VARIABLES}


def read(name: str) -> str:
    """The text of a variable."""
    return os.environ.get(name, str(_BY_NAME[name].default)).strip()


def read_int(name: str) -> int:
    """The value of a numeric variable; raises ImproperlyConfigured with the value."""
    text = read(name)
    least, most = LIMITS.get(name, (0, MOST))
    is_number = text.isdecimal() and len(text) <= LONGEST_NUMBER
    if not is_number or not least <= int(text) <= most:
        told = f"{name}={text[:60]!r} is not a whole number from {least} to {most}."
        raise ImproperlyConfigured(f"{told} {_BY_NAME[name].meaning}.")
    return int(text)


def read_bool(name: str) -> bool:
    """The value of a yes-or-no variable; raises ImproperlyConfigured with the value."""
    text = read(name).lower()
    if text not in (*environ.Env.BOOLEAN_TRUE_STRINGS, "false", "off", "n", "no", "0", ""):
        raise ImproperlyConfigured(f"{name}={text!r} is neither true nor false. {_BY_NAME[name].meaning}.")
    return text in environ.Env.BOOLEAN_TRUE_STRINGS


def read_secret(name: str, *, least: int) -> str:
    """A secret without spaces, empty or long enough; raises ImproperlyConfigured, which never shows it."""
    text = read(name)
    if text and (len(text) < least or any(letter.isspace() for letter in text)):
        raise ImproperlyConfigured(f"{name} must have at least {least} characters and no spaces.")
    return text


def read_list(name: str) -> list[str]:
    """The parts of a comma-separated variable."""
    return [part.strip() for part in read(name).split(",") if part.strip()]


def read_shaped(name: str, shape: Pattern[str], as_in: str) -> list[str]:
    """The parts of a comma-separated variable, each of one shape; raises ImproperlyConfigured with the other."""
    parts = read_list(name)
    for part in parts:
        if not shape.fullmatch(part):
            raise ImproperlyConfigured(f"{name} has {part[:60]!r}, which can't be meant; write it like {as_in}.")
    return parts


def read_choice(name: str, choices: tuple[str, ...]) -> str:
    """The value of a variable that has few values; raises ImproperlyConfigured with the value."""
    text = read(name)
    if text not in choices:
        raise ImproperlyConfigured(f"{name}={text!r} must be one of {', '.join(choices)}.")
    return text


def read_url(name: str, schemes: tuple[str, ...]) -> str:
    """The address in a variable; raises ImproperlyConfigured, which never shows the password in it."""
    text = read(name)
    try:
        parts = urlsplit(text)
    except ValueError:  # whose words may show the password
        raise ImproperlyConfigured(f"{name} is not an address: what stands for its host can't be read.") from None
    if text and parts.scheme not in schemes:
        known = ", ".join(f"{scheme}://" for scheme in schemes)
        raise ImproperlyConfigured(f"{name} has the scheme {parts.scheme!r}; it must begin with one of {known}.")
    try:
        _ = parts.port
    except ValueError:
        raise ImproperlyConfigured(f"{name} has a port that is not a number from 0 to 65535.") from None
    return text


def data_folder() -> Path:
    """Where everything that must survive a restart is kept."""
    path = Path(read("RUMRUNNER_DATA") or str(_BY_NAME["RUMRUNNER_DATA"].default))  # never the code's own folder
    return path if path.is_absolute() else ROOT / path
