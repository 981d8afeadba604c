"""A worker's narrow rights: what its roles in the database and the broker may do, and nothing else.

In the database it may call the functions of ``ladder.matches.functions``: claim, keep, hand back and settle what it has
a lease for, fetch the bundles of that match, and show itself. In the broker it may take messages from its own queue
and tell what it is playing. It can lie about the matches it plays, as whoever plays them can; about others it can't.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from urllib.parse import quote, urlsplit, urlunsplit

import redis
from django.conf import settings
from django.db import connection
from psycopg import sql

from ladder.broker import cache_url
from ladder.matches.functions import SCHEMA
from ladder.refusals import Refused

NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")
QUEUE = (
    "+brpop",
    "+llen",
    "+sadd",
    "+smembers",
    "+hset",
    "+hget",
    "+hdel",
    "+zadd",
    "+zrem",
    "+zrange",
    "+zrevrangebyscore",
)
QUEUE_KEYS = ("~rumrunner:matches*", "~rumrunner:_kombu.binding*.matches*")
# No scripts: those may run for ever.
PUTTING_BACK = ("+set", "+del", "+watch", "+unwatch", "+get", "+pexpire", "+expire")
GREETINGS = ("+ping", "+select", "+hello", "+auth", "+client|setinfo", "+client|setname", "+multi", "+exec", "+publish")
EVENTS = "&rumrunner:/*celeryev*"
MOST_CONNECTIONS = 100  # of one role, so that none takes all that the database has
LIVE = "(~rumrunner:live:* +rpush +expire +llen +del)"


class RoleRefused(Refused):
    """A role that can't be made like that."""

    code = "role_refused"
    status = 400


@dataclass(frozen=True, slots=True)
class WorkerRole:
    """What a worker's machine has to know, and nothing else."""

    database_url: str
    broker_url: str  # empty: the broker is this machine's own
    acl: str  # the line of the broker's user, for its ACL file


def make_role(name: str, database_url: str) -> WorkerRole:
    """Make a role, or give one that is there a new password; raises RoleRefused."""
    if connection.vendor != "postgresql":
        raise RoleRefused("Narrow rights need PostgreSQL; this service has SQLite, which other machines can't reach.")
    if not NAME.fullmatch(name):
        raise RoleRefused(f"{name!r} can't be the name of a role: use up to 41 small letters, digits and underscores.")
    password = secrets.token_urlsafe(24)
    _make_database_role(name, password)
    acl = _acl(name, password)
    if not settings.BROKER_EMBEDDED:
        redis.Redis.from_url(cache_url(settings.CELERY_BROKER_URL)).execute_command(  # type: ignore[no-untyped-call]
            "ACL", "SETUSER", name, *acl
        )
    broker = "" if settings.BROKER_EMBEDDED else _with_login(settings.CELERY_BROKER_URL, name, password)
    return WorkerRole(_with_login(database_url, name, password), broker, f"user {name} {' '.join(acl)}")


def _make_database_role(name: str, password: str) -> None:
    role = sql.Identifier(name)
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper OR rolcreaterole OR rolcreatedb FROM pg_roles WHERE rolname = %s", [name])
        found = cursor.fetchone()
        if found and found[0]:
            raise RoleRefused(f"{name!r} is a role with wide rights already; choose another name.")
        verb = sql.SQL("ALTER" if found else "CREATE")
        limits = sql.SQL(f"LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT {MOST_CONNECTIONS}")
        cursor.execute(
            sql.SQL("{} ROLE {} {} PASSWORD {}").format(verb, role, limits, sql.Literal(password)).as_string()
        )
        for limit, seconds in settings.DATABASE_PATIENCE_S.items():  # a pooler passes on none of a connection's own
            cursor.execute(
                sql.SQL("ALTER ROLE {} SET {} = {}")
                .format(role, sql.Identifier(limit), sql.Literal(f"{seconds}s"))
                .as_string()
            )
        for grant in (
            "GRANT USAGE ON SCHEMA {schema} TO {role}",
            "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {schema} TO {role}",
            "ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT EXECUTE ON FUNCTIONS TO {role}",
            "REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC",  # tables of its own would fill the disk
        ):
            names = {"schema": sql.Identifier(SCHEMA), "database": sql.Identifier(connection.settings_dict["NAME"])}
            cursor.execute(sql.SQL(grant).format(role=role, **names).as_string())


def can_take_locks(name: str) -> bool:
    """Whether a role may take the locks by which processes of the service keep out of each other's way."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT has_function_privilege(%s, 'pg_try_advisory_lock(bigint)', 'EXECUTE')", [name])
        return bool(cursor.fetchone()[0])


def _acl(name: str, password: str) -> list[str]:
    return ["reset", "on", f">{password}", *QUEUE_KEYS, EVENTS, "-@all", *GREETINGS, *QUEUE, *PUTTING_BACK, LIVE]


def _with_login(url: str, name: str, password: str) -> str:
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{name}:{quote(password)}@{place}"))
