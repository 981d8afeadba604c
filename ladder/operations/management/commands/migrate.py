"""``manage.py migrate``: Django's own, one process at a time, and never on the tables of an older version."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.loader import MigrationLoader

from ladder.locks import one_at_a_time


class Command(migrate.Command):
    def execute(self, *args: Any, **options: Any) -> Any:
        with one_at_a_time((options.get("stdout") or self.stdout).write):  # Django's checks ask the database, too
            return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        _refuse_older_tables(options["database"])
        super().handle(*args, **options)


def _refuse_older_tables(alias: str) -> None:
    """Migrations are folded into one an app between releases; what stood before them moves by a backup."""
    ours = {config.label for config in apps.get_app_configs() if config.name.startswith("ladder.")} | {"replays"}
    loader = MigrationLoader(connections[alias])
    known = {*loader.disk_migrations, *(key for one in loader.disk_migrations.values() for key in one.replaces)}
    unknown = sorted(
        f"{app}.{name}" for app, name in loader.applied_migrations if app in ours and (app, name) not in known
    )
    if unknown:
        raise CommandError(
            f"This database was made by another version of the service: it has {unknown[0]}, which is not known here. "
            "Nothing was changed. Fix: run `manage.py backup FILE` with the version that made it, start this one with "
            "an empty database (RUMRUNNER_DATABASE_URL or RUMRUNNER_DATA), then run `manage.py restore FILE`."
        )
