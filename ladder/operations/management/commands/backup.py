from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ladder.operations.backups import write_backup


class Command(BaseCommand):
    help = "Write the whole service (accounts, bots, matches, records, ratings) to one file; it may keep running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--force", action="store_true", help="overwrite the file if it exists")

    def handle(self, *, file: Path, force: bool, **options: Any) -> None:
        if file.exists() and not force:
            raise CommandError(f"{file} exists; choose another name or add --force.")
        if not file.parent.is_dir():
            raise CommandError(f"There is no folder {file.parent}.")
        try:
            summary = write_backup(file)
        except OSError as error:
            raise CommandError(f"{file} can't be written: {error.strerror}.") from error
        size = file.stat().st_size
        self.stdout.write(f"{file}: {summary.total} rows, {size / 2**20:.1f} MiB. It contains secrets: keep it safe.")
