from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from ladder.files import FileUnavailable, has_store
from ladder.operations.moving import FileHome, left_to_move, move_files


class Command(BaseCommand):
    help = "Move records and bundles between database and store while the service runs; stopped, it goes on later."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", choices=[place.value for place in FileHome], required=True)

    def handle(self, *, to: str, **options: Any) -> None:
        place = FileHome(to)
        _check(place)
        total, done = left_to_move(place), 0
        lost: list[str] = []
        try:
            for moved in move_files(place):
                done += moved.files
                lost += moved.lost
                self.stdout.write(f"{done} of {total} files moved to the {place}")
        except FileUnavailable as away:
            raise CommandError(f"{away} {done} files were moved; run the same command again to continue.") from None
        if lost:
            raise CommandError(f"{len(lost)} files are lost, their rows unchanged: {', '.join(lost[:5])}")
        self.stdout.write(f"All {done} files are in the {place}.")


def _check(place: FileHome) -> None:
    if not has_store():
        raise CommandError("There is no store: set RUMRUNNER_STORE_URL.")
    if place == FileHome.DATABASE and settings.STORE_WRITES:
        raise CommandError(
            "The service would move everything to the store again. Set RUMRUNNER_STORE_WRITES=false for all its parts, "
            "restart them, and run this again."
        )
