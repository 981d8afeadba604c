from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from ladder.disk import GIBIBYTE, disk_used_bytes
from ladder.operations.tidying import tidy


class Command(BaseCommand):
    help = "Throw away what is past its days (the service does this every hour by itself), and show the room taken."

    def handle(self, *args: Any, **options: Any) -> None:
        for name, count in tidy().items():
            self.stdout.write(f"{name:<9} {count}")
        self.stdout.write(f"the database takes {disk_used_bytes() / GIBIBYTE:.2f} GiB")
