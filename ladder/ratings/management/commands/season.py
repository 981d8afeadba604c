from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ladder.ladders.models import Ladder
from ladder.ladders.queries import get_ladder
from ladder.ratings.models import Season
from ladder.ratings.seasons import close_season, reopen_season
from ladder.refusals import Refused

ACTS = ("list", "close", "reopen")


class Command(BaseCommand):
    help = "List the closed seasons of a ladder, close the one that is played, or reopen the last."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("act", choices=ACTS)
        parser.add_argument("ladder", metavar="LADDER", help="the ladder's slug")
        parser.add_argument("--note", default="", help="a few words that the season's page shows")
        parser.add_argument(
            "--yes", action="store_true", help="do it; without, close and reopen only say what they would do"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            ladder = get_ladder(options["ladder"])
            if options["act"] == "list":
                self._list(ladder)
            elif options["act"] == "close":
                self._close(ladder, options["note"], is_sure=options["yes"])
            else:
                self._reopen(ladder, is_sure=options["yes"])
        except Refused as refused:
            raise CommandError(refused.message) from refused

    def _list(self, ladder: Ladder) -> None:
        closed = list(ladder.closed_seasons.order_by("number"))
        for season in closed:
            span = f"{season.began_at:%Y-%m-%d} to {season.closed_at:%Y-%m-%d}"
            self.stdout.write(
                f"{season.number}  rules {season.rules_version}  {span}  {season.bots} bots  {season.matches} matches"
            )
        self.stdout.write(f"Season {ladder.season} is being played; {len(closed) or 'none'} closed yet.")

    def _close(self, ladder: Ladder, note: str, *, is_sure: bool) -> None:
        if not is_sure:
            raise CommandError(
                f"This would close season {ladder.season} of {ladder.slug}: its table is kept, and the next one "
                "begins with everybody provisional. Add --yes to do it."
            )
        season = close_season(ladder, by=None, note=note, is_patient=True)
        self.stdout.write(
            f"Season {season.number} of {ladder.slug} is closed: {season.bots} bots, {season.matches} matches."
        )

    def _reopen(self, ladder: Ladder, *, is_sure: bool) -> None:
        season: Season | None = ladder.closed_seasons.order_by("-number").first()
        if season is None:
            raise CommandError(f"{ladder.slug} has no closed season.")
        if not is_sure:
            raise CommandError(f"This would reopen season {season.number} of {ladder.slug}. Add --yes to do it.")
        reopen_season(season, by=None)
        self.stdout.write(f"Season {season.number} of {ladder.slug} is reopened and goes on.")
