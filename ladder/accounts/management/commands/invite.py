from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ladder.accounts.services import invite

MOST_USES, MOST_DAYS = 100_000, 3_650


class Command(BaseCommand):
    help = "Print an invitation code for signing up while RUMRUNNER_SIGNUP is `invite`."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--uses", type=int, default=1, help="how many people can use it (default: 1)")
        parser.add_argument("--days", type=int, default=30, help="how many days it is valid (default: 30)")
        parser.add_argument("--note", default="", help="who it is for")

    def handle(self, *, uses: int, days: int, note: str, **options: Any) -> None:
        if not 1 <= uses <= MOST_USES or not 1 <= days <= MOST_DAYS:
            told = f"--uses {uses} must be from 1 to {MOST_USES}, and --days {days} from 1 to {MOST_DAYS}."
            raise CommandError(told)
        self.stdout.write(invite(by=None, uses=uses, days=days, note=note).code)
