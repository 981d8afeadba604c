"""``manage.py tournament``: run one from the terminal and print its table."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Sheet

from engines import GAMES
from ladder.accounts.models import User
from ladder.ladders.services import find_ladder
from ladder.matches.queries import able_workers
from ladder.refusals import Refused
from ladder.submissions.models import Bot
from ladder.tournaments import queries, services
from ladder.tournaments.formats import FORMATS
from ladder.tournaments.models import Tournament

LOOK_S = 0.5


class Command(BaseCommand):
    help = "Run a tournament among registered bots; the workers of a running service play it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", choices=sorted(GAMES))
        parser.add_argument("--bots", nargs="+", metavar="NAME", help="entrants (default: the top of the ladder)")
        parser.add_argument(
            "--top", type=int, default=16, help="how many of the ladder's top bots, without --bots (default: 16)"
        )
        parser.add_argument("--seats", type=int, help="seats per table (default: the game's fewest)")
        parser.add_argument("--format", choices=list(FORMATS), default="round_robin")
        parser.add_argument("--cycles", type=int, default=1)
        parser.add_argument("--rounds", type=int, default=0, help="Swiss rounds; 0 means as many as needed")
        parser.add_argument("--best-of", type=int, default=1, help="games at a knockout table")
        parser.add_argument("--champion", help="the bot that everyone meets in a gauntlet")
        parser.add_argument("--name", help="the tournament's name")
        parser.add_argument("--as", dest="user", default="admin", help="the organiser (default: admin)")
        parser.add_argument("--seed", help="256 bits in hex, to repeat a tournament")
        parser.add_argument("--rated", action="store_true")
        parser.add_argument("--wait", action="store_true", help="show progress and print the table at the end")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            tournament = self._make(options)
        except Refused as refused:
            raise CommandError(refused.message) from None
        self.stdout.write(f"Tournament {tournament.pk} runs: {tournament.tables_total} tables.")
        if not able_workers().exists():
            self.stderr.write("No worker has reported in recently; `make run` starts the service that plays it.")
        if options["wait"]:
            self._wait_and_print(tournament)

    def _wait_and_print(self, tournament: Tournament) -> None:
        try:
            self._wait(tournament)
        except KeyboardInterrupt:
            self.stdout.write(f"Tournament {tournament.pk} keeps running without this window.")
            return
        self._print(tournament)

    @transaction.atomic
    def _make(self, options: dict[str, Any]) -> Tournament:
        user = User.objects.filter(username__iexact=options["user"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['user']!r}; name an organiser with --as.")
        bots = [self._bot(options["game"], name) for name in options["bots"] or ()]
        tournament = services.create_tournament(by=user, wishes=self._wishes(options))
        for bot in bots:
            services.enter(tournament, bot, by=user)
        if not bots:
            services.enter_top(tournament, options["top"], by=user)
        services.start(tournament, by=user)
        tournament.refresh_from_db()
        return tournament

    def _wishes(self, options: dict[str, Any]) -> services.Wishes:
        game, seats = options["game"], options["seats"] or GAMES[options["game"]].seats[0]
        if seats not in GAMES[game].seats:
            raise CommandError(f"{game} can't be played with {seats} seats; choose from {list(GAMES[game].seats)}.")
        return services.Wishes(
            name=options["name"] or f"{GAMES[game].title}, {FORMATS[options['format']].title.lower()}",
            ladder=find_ladder(game=game, seats=seats),
            format=options["format"],
            entry=Tournament.Entry.CLOSED,
            is_rated=options["rated"],
            cycles=options["cycles"],
            rounds=options["rounds"],
            best_of=options["best_of"],
            champion=self._bot(game, options["champion"]) if options["champion"] else None,
            seed=self._seed(options["seed"]),
        )

    def _bot(self, game: str, name: str) -> Bot:
        bot = Bot.objects.select_related("active_version__bot").filter(game=game, name__iexact=name).first()
        if bot is None:
            known = ", ".join(Bot.objects.filter(game=game).order_by("name").values_list("name", flat=True)[:20])
            raise CommandError(f"There is no bot {name!r} for {game}; there are: {known or 'none'}.")
        return bot

    def _seed(self, text: str | None) -> int | None:
        try:
            return None if text is None else int(text, 16)
        except ValueError:
            raise CommandError(f"--seed {text!r} is not a number in hex.") from None

    def _wait(self, tournament: Tournament) -> None:
        columns = (
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
            TextColumn("{task.fields[running]} running, {task.fields[rate]:.1f} matches/s"), TimeRemainingColumn(),
        )  # fmt: skip
        with Progress(*columns, console=Console()) as bar:
            began = time.monotonic()
            task = bar.add_task(tournament.name, total=None, running=0, rate=0.0)
            while not tournament.is_over:
                time.sleep(LOOK_S)
                tournament.refresh_from_db()
                now = queries.progress(tournament)
                rate = now.done / (time.monotonic() - began)
                bar.update(task, total=now.total, completed=now.done, running=now.running, rate=rate)

    def _print(self, tournament: Tournament) -> None:
        table = Sheet(title=f"{tournament.name} ({tournament.status})")
        for head in ("Place", "95 %", "Bot", "Points", "Won", "Drawn", "Lost", "Faults", "Tie broken by"):
            table.add_column(head, justify="left" if head in {"Bot", "Tie broken by"} else "right")
        for row in queries.sheet_of(tournament):
            name = f"{row.entrant.bot.name} v{row.entrant.version.number}"
            counts = (row.wins, row.draws, row.losses, row.faults)
            table.add_row(
                str(row.place), f"{row.low}–{row.high}", name, f"{row.points:g}", *map(str, counts), row.tie_rule
            )
        Console().print(table)
        self.stdout.write(f"Seed {queries.told_seed(tournament) or 'told when the last match has been played'}")
