from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ladder.tournaments.models import Tournament
from ladder.tournaments.verification import Proof, verify_tournament


class Command(BaseCommand):
    help = "Recompute a tournament's schedule, replay every record, and compare the standings."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("tournament", type=int, help="the tournament's number, as in its address")

    def handle(self, *args: Any, **options: Any) -> None:
        tournament = Tournament.objects.select_related("ladder").filter(pk=options["tournament"]).first()
        if tournament is None:
            raise CommandError(f"There is no tournament {options['tournament']}.")
        if tournament.started_at is None:
            raise CommandError(f"{tournament} is {tournament.status}; there is nothing to verify yet.")
        proof = Proof()
        for proof in verify_tournament(tournament):
            if self.stdout.isatty():
                self.stdout.write(f"\r{proof.tables}/{tournament.tables_drawn} tables", ending="")
        if self.stdout.isatty():
            self.stdout.write("")
        for problem in proof.problems:
            self.stdout.write(self.style.ERROR(problem))
        if not proof.ok:
            raise CommandError(f"{tournament} does not verify: {len(proof.problems)} problems.")
        old = f", {proof.outdated} under older rules checked by digest and structure" if proof.outdated else ""
        replayed = proof.records - proof.outdated
        self.stdout.write(f"{tournament} verifies: {proof.tables} tables, {replayed} records replayed{old}.")
