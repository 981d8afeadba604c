from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from ladder.accounts.models import User
from ladder.operations.backups import BackupRefused, read_backup
from ladder.operations.management.commands.up import take_folder


class Command(BaseCommand):
    help = "Restore what `manage.py backup` wrote, on SQLite or PostgreSQL; stop the service first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--force", action="store_true", help="replace what the database holds now")

    def handle(self, *, file: Path, force: bool, **options: Any) -> None:
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        with take_folder(settings.DATA):
            call_command("migrate", verbosity=0, interactive=False)
            if User.objects.exists() and not force:
                raise CommandError("The database is not empty; add --force to replace everything in it.")
            try:
                summary = read_backup(file)
            except BackupRefused as refused:
                raise CommandError(str(refused)) from refused
        self.stdout.write(f"{summary.total} rows restored, as they were at {summary.made_at:%Y-%m-%d %H:%M:%S} UTC.")
