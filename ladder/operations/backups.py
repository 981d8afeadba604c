"""A backup is one zip file that any database this service runs on can take in: every table as JSON lines.

It is read from one snapshot, so that a running service is never caught between two writes, and a restore happens in
one transaction: it is there whole, or nothing has changed. Bundles and records are rows like all others; those in a
store outside are fetched into their rows, unless the operator keeps the store's own copies. A backup of an
older version comes up to date: what it lacks gets its default, and the beat does with it what an upgrade asks for.
"""

from __future__ import annotations

import base64
import os
import zipfile
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any

import orjson
from django.apps import apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import BinaryField, Field, ForeignKey, Model
from django.db.models.fields import NOT_PROVIDED
from django.utils.timezone import now

from ladder.matches.models import Pulse
from ladder.operations.moving import whole_rows
from ladder.snapshot import snapshot

FORMAT = 1
BATCH = 500
SESSIONS = "sessions.Session"  # nobody's log-in is worth keeping
MOVED = {  # models that older backups have under the app they were in then
    "accounts.ApiToken": "tokens.ApiToken",
    "operations.AuditEntry": "accounts.AuditEntry",
    "ratings.Ladder": "ladders.Ladder",
    "replays.SeatLog": "matches.SeatLog",
    "replays.StoredRecord": "matches.StoredRecord",
    "submissions.Trial": "qualifying.Trial",
}


BACKUP = "backup"  # the pulse of the last one


class BackupRefused(Exception):
    """A backup that can't be written or taken in; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a backup holds."""

    made_at: datetime
    rows: dict[str, int]
    lost: tuple[str, ...] = ()  # files that the store outside had no right bytes for; their rows only name them

    @property
    def total(self) -> int:
        return sum(self.rows.values())


def write_backup(path: Path, *, with_files: bool = True) -> Summary:
    """Write everything to a file that only its owner can read; raises FileUnavailable while the store is away."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600), "w+b") as file:
            summary = _write(file, with_files)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    note_backup()
    return summary


def note_backup() -> None:
    """There is a backup as of now; `/metrics` tells its age."""
    Pulse.objects.update_or_create(stage=BACKUP, defaults={"at": now()})


def _write(file: IO[bytes], with_files: bool) -> Summary:
    rows: dict[str, int] = {}
    lost: list[str] = []
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive, snapshot():
        for model in _tables():
            with archive.open(f"tables/{model._meta.label}.jsonl", "w", force_zip64=True) as member:
                rows[model._meta.label] = _write_table(model, member, lost if with_files else None)
        made_at = now()
        about = {"format": FORMAT, "made_at": made_at, "migrations": _migrations(), "rows": rows}
        archive.writestr("about.json", orjson.dumps(about, option=orjson.OPT_INDENT_2))
        key = Path(settings.DATA) / "secret_key"
        if key.exists():
            archive.writestr("secret_key", key.read_bytes())
    return Summary(made_at, rows, tuple(lost))


def _tables() -> list[type[Model]]:
    """Every table but sessions, in one order."""
    found = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    kept = [model for model in found if model._meta.label != SESSIONS and not model._meta.swapped]
    return sorted(kept, key=lambda model: model._meta.label)


def _columns(model: type[Model]) -> list[Field[Any, Any]]:
    return [field for field in model._meta.concrete_fields if not field.generated]


def _write_table(model: type[Model], member: IO[bytes], lost: list[str] | None) -> int:
    names = [field.attname for field in _columns(model)]
    member.write(orjson.dumps(names) + b"\n")
    count = 0
    rows = model._base_manager.order_by("pk").values_list(*names).iterator(chunk_size=BATCH)
    for row in rows if lost is None else whole_rows(model, names, rows, lost):
        member.write(orjson.dumps([_plain(value) for value in row], default=str) + b"\n")
        count += 1
    return count


def _plain(value: Any) -> Any:
    if isinstance(value, bytes | memoryview | bytearray):
        return base64.b64encode(bytes(value)).decode()
    return value


def _migrations() -> list[list[str]]:
    return sorted([app, name] for app, name in MigrationRecorder(connection).applied_migrations())


def read_backup(path: Path) -> Summary:
    """Put everything back in one transaction; raises BackupRefused, and then nothing has changed."""
    try:
        with zipfile.ZipFile(path) as archive:
            about = _about(archive)
            with transaction.atomic():
                _restore(archive, about["rows"])
            _restore_key(archive)
    except (zipfile.BadZipFile, KeyError, ValueError, ValidationError, OSError, EOFError) as error:
        raise BackupRefused(f"{path} is not a complete backup: {error}") from error
    return Summary(datetime.fromisoformat(about["made_at"]), about["rows"])


def _about(archive: zipfile.ZipFile) -> dict[str, Any]:
    about: dict[str, Any] = orjson.loads(archive.read("about.json"))
    if about.get("format") != FORMAT:
        raise BackupRefused(f"This backup has format {about.get('format')!r}; this version reads format {FORMAT}.")
    kept = {name.removeprefix("tables/").removesuffix(".jsonl") for name in archive.namelist() if name[:7] == "tables/"}
    ours = {model._meta.label for model in _tables()}
    if strange := ({_label(name) for name in kept} - ours) | (kept ^ about["rows"].keys()):
        raise _misfit(f"{', '.join(sorted(strange)[:5])} is not known here, or not in the file")
    return about


def _misfit(what: str) -> BackupRefused:
    return BackupRefused(
        f"The backup was made by another version of the service: {what}. Restore it with that version."
    )


def _label(kept: str) -> str:
    """What a model of a backup is called today."""
    return MOVED.get(kept, kept)


def _restore(archive: zipfile.ZipFile, expected: dict[str, int]) -> None:
    tables = _tables()
    kept = {_label(name): name for name in expected}
    with connection.cursor() as cursor:
        for model in [*tables, apps.get_model(SESSIONS)]:
            cursor.execute(f"DELETE FROM {_quoted(model._meta.db_table)}")  # noqa: S608 - a table of ours
        for model in [model for model in tables if model._meta.label in kept]:
            name = kept[model._meta.label]
            with archive.open(f"tables/{name}.jsonl") as member:
                count = _read_table(model, member, cursor)
            if count != expected[name]:
                raise BackupRefused(f"{name} has {count} rows instead of {expected[name]}.")
        for sql in connection.ops.sequence_reset_sql(no_style(), tables):
            cursor.execute(sql)
    connection.check_constraints()
    emit_post_migrate_signal(verbosity=0, interactive=False, db=connection.alias)  # models that it did not know


def _read_table(model: type[Model], member: IO[bytes], cursor: Any) -> int:
    columns, added = _matched(model, orjson.loads(member.readline()))
    names = ", ".join(_quoted(str(field.column)) for field in (*columns, *added))
    marks = ", ".join(["%s"] * (len(columns) + len(added)))
    sql = f"INSERT INTO {_quoted(model._meta.db_table)} ({names}) VALUES ({marks})"  # noqa: S608 - columns of ours
    count = 0
    while lines := list(islice(member, BATCH)):
        defaults = [_default(field) for field in added]
        cursor.executemany(sql, [[*_values(columns, orjson.loads(line)), *defaults] for line in lines])
        count += len(lines)
    return count


def _matched(model: type[Model], names: list[str]) -> tuple[list[Field[Any, Any]], list[Field[Any, Any]]]:
    """The columns that a backup has, in its order, and those that came later and get their default."""
    fields = {field.attname: field for field in _columns(model)}
    for name in names:
        if name not in fields:
            raise _misfit(f"it has {model._meta.label}.{name}")
    added = [field for name, field in fields.items() if name not in names and field.db_default is NOT_PROVIDED]
    return [fields[name] for name in names], added


def _default(field: Field[Any, Any]) -> Any:
    if not (field.has_default() or field.null):
        raise _misfit(f"it has no {field.model._meta.label}.{field.attname}")
    return field.get_db_prep_save(field.get_default(), connection)


def _values(columns: list[Field[Any, Any]], row: list[Any]) -> list[Any]:
    return [_value(field, value) for field, value in zip(columns, row, strict=True)]


def _value(field: Field[Any, Any], value: Any) -> Any:
    """A value as this database takes it."""
    target = field.target_field if isinstance(field, ForeignKey) else field
    if value is None:
        return field.get_db_prep_save(None, connection)
    if isinstance(target, BinaryField):
        return target.get_db_prep_save(base64.b64decode(value), connection)
    return target.get_db_prep_save(target.to_python(value), connection)


def _quoted(name: str) -> str:
    return str(connection.ops.quote_name(name))


def _restore_key(archive: zipfile.ZipFile) -> None:
    """The key that signs reset links and sessions, unless this installation already has one."""
    key = Path(settings.DATA) / "secret_key"
    if "secret_key" in archive.namelist() and not key.exists():
        with os.fdopen(os.open(key, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(archive.read("secret_key"))
