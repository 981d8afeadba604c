from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ladder.files import FileUnavailable
from ladder.operations.backups import note_backup, write_backup


class Command(BaseCommand):
    help = "Write the whole service (accounts, bots, matches, records, ratings) to one file; it may keep running."

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("file", type=Path, nargs="?")
        what.add_argument("--noted", action="store_true", help="write nothing: another program has made a backup now")
        parser.add_argument("--force", action="store_true", help="overwrite the file if it exists")
        parser.add_argument(
            "--without-files", action="store_true", help="leave records and bundles in the store outside: it has copies"
        )

    def handle(self, *, file: Path | None, noted: bool, force: bool, without_files: bool, **options: Any) -> None:
        if file is None:
            note_backup()
            self.stdout.write("Noted: there is a backup as of now.")
            return
        if file.exists() and not force:
            raise CommandError(f"{file} exists; choose another name or add --force.")
        if not file.parent.is_dir():
            raise CommandError(f"There is no folder {file.parent}.")
        try:
            summary = write_backup(file, with_files=not without_files)
        except FileUnavailable as away:
            raise CommandError(f"{away} Nothing was written; --without-files leaves out what is there.") from None
        except OSError as error:
            raise CommandError(f"{file} can't be written: {error.strerror}.") from error
        size = file.stat().st_size
        self.stdout.write(f"{file}: {summary.total} rows, {size / 2**20:.1f} MiB. It contains secrets: keep it safe.")
        if summary.lost:
            raise CommandError(f"The store has lost {len(summary.lost)} files: {', '.join(summary.lost[:5])}")
