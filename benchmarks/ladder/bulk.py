"""Many made-up rows in one statement; columns that nobody names get the model's default, so new ones break nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.color import no_style
from django.db import connection
from django.db.models import Field, Model
from django.db.models.fields import NOT_PROVIDED

SERIES = {
    "sqlite": "(WITH RECURSIVE n(i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM n WHERE i < {last}) "
    "SELECT i FROM n) n",
    "postgresql": "generate_series(CAST({first} AS bigint), {last}) AS n(i)",
}
INDEXES = (
    "SELECT 'DROP INDEX ' || quote_ident(indexname), indexdef FROM pg_indexes WHERE tablename = %s "
    "AND indexname NOT IN (SELECT conname FROM pg_constraint)"
)
UNIQUE = (
    "SELECT format('ALTER TABLE %%s DROP CONSTRAINT %%I', conrelid::regclass, conname), "
    "format('ALTER TABLE %%s ADD CONSTRAINT %%I %%s', conrelid::regclass, conname, pg_get_constraintdef(oid)) "
    "FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'u'"
)
SETTINGS = (
    "session_replication_role = replica",  # no foreign keys are looked up
    "maintenance_work_mem = '512MB'",
    "work_mem = '256MB'",
    "synchronous_commit = off",
    "statement_timeout = 0",
)


def series(first: int, last: int) -> str:
    """A source of rows with the whole numbers ``n.i`` from first to last, in either database."""
    return SERIES[connection.vendor].format(first=first, last=last)


def insert(model: type[Model], source: str, **expressions: str) -> None:
    """Add a row for each of the source, its columns as these SQL expressions say; a per cent sign is doubled there."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    if unknown := expressions.keys() - fields.keys():
        raise ValueError(f"{model.__name__} has no {', '.join(sorted(unknown))}; it has {', '.join(fields)}")
    values = {name: field.get_db_prep_save(field.get_default(), connection) for name, field in _with_default(fields)}
    values = {name: value for name, value in values.items() if name not in expressions}
    columns = ", ".join(f'"{fields[name].column}"' for name in (*expressions, *values))
    chosen = ", ".join([*expressions.values(), *["%s"] * len(values)])
    with connection.cursor() as cursor:
        table = model._meta.db_table
        cursor.execute(f"INSERT INTO {table} ({columns}) SELECT {chosen} FROM {source}", list(values.values()))  # noqa: S608


def _with_default(fields: dict[str, Field[Any, Any]]) -> Iterator[tuple[str, Field[Any, Any]]]:
    """What the database would not fill by itself."""
    for name, field in fields.items():
        if not field.primary_key and not field.null and field.db_default is NOT_PROVIDED:
            yield name, field


def count_on(*models: type[Model]) -> None:
    """Let the next row of each table have the number after the highest."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


@contextmanager
def bare_tables(*models: type[Model]) -> Iterator[None]:
    """Without indexes, unique constraints and foreign keys while so much is written; they are built faster at once."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        kept = [pair for model in models for pair in _kept(cursor, model._meta.db_table)]
        for drop, _ in kept:
            cursor.execute(drop)
        for setting in SETTINGS:
            cursor.execute(f"SET {setting}")
        yield
        for _, make in kept:
            cursor.execute(make)
        for setting in SETTINGS:
            cursor.execute(f"RESET {setting.partition(' =')[0]}")


def _kept(cursor: Any, table: str) -> list[tuple[str, str]]:
    """The statements that drop and make again what a table keeps beside its rows and their numbers."""
    pairs: list[tuple[str, str]] = []
    for question in (INDEXES, UNIQUE):
        cursor.execute(question, [table])
        pairs += [(row[0], row[1]) for row in cursor.fetchall()]
    return pairs
