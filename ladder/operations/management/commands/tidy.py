from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from ladder.disk import GIBIBYTE, disk_used_bytes
from ladder.operations.tidying import tidy


class Command(BaseCommand):
    help = "Delete expired data (the service does this every hour), and show the disk space used."

    def handle(self, *args: Any, **options: Any) -> None:
        for name, count in tidy().items():
            self.stdout.write(f"{name:<9} {count}")
        self.stdout.write(f"the database takes {disk_used_bytes() / GIBIBYTE:.2f} GiB")
