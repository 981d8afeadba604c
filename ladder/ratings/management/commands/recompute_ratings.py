from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ladder.ladders.models import Ladder
from ladder.ratings.recompute import check, rebuild


class Command(BaseCommand):
    help = "Compute the ratings again from the matches, in order of their rating numbers."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ladders", nargs="*", metavar="LADDER", help="ladder slugs (default: all)")
        parser.add_argument("--check", action="store_true", help="only compare; fails if a single bit differs")

    def handle(self, *args: Any, **options: Any) -> None:
        ladders = _named(options["ladders"])
        if not options["check"]:
            for ladder in ladders:
                self.stdout.write(f"{ladder.slug}: {rebuild(ladder)} matches rated again")
            return
        if sum(self._report(ladder) for ladder in ladders):
            raise CommandError("The table differs from its matches. `manage.py recompute_ratings` rewrites it.")

    def _report(self, ladder: Ladder) -> bool:
        found = check(ladder)
        self.stdout.write(f"{ladder.slug}: {found.matches} matches, {len(found.problems) or 'no'} differences")
        for problem in found.problems:
            self.stdout.write(f"  {problem}")
        return bool(found.problems)


def _named(slugs: list[str]) -> list[Ladder]:
    ladders = list(Ladder.objects.filter(slug__in=slugs) if slugs else Ladder.objects.all())
    if unknown := set(slugs) - {ladder.slug for ladder in ladders}:
        raise CommandError(f"There is no ladder {', '.join(sorted(unknown))}.")
    return ladders
