"""``manage.py migrate``: Django's own, one process at a time."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import migrate

from ladder.locks import one_at_a_time


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        with one_at_a_time(self.stdout.write):
            super().handle(*args, **options)
