"""Proves a tournament anew: its seed, its schedule, every record, and the standings that follow from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from arena import verify
from ladder.matches.models import Match
from ladder.matches.services import rotations
from ladder.replays.queries import NoRecord, stored_record
from ladder.tournaments import sheets
from ladder.tournaments.formats import FORMATS, seed_commitment, table_seed
from ladder.tournaments.models import SheetRow, Table, Tournament
from ladder.tournaments.schedule import draw_round, plan_of


@dataclass(slots=True)
class Proof:
    """What was checked and what did not agree."""

    tables: int = 0
    records: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.problems


def verify_tournament(tournament: Tournament) -> Iterator[Proof]:
    """Check everything; yields the proof so far after each table, so that a caller can show progress."""
    proof = Proof()
    if seed_commitment(int(tournament.seed, 16)) != tournament.seed_commitment:
        proof.problems.append("The seed is not the one that was committed to.")
    versions = dict(tournament.entrants.values_list("number", "version__bundle_id"))
    for table in _paired_with_schedule(tournament, proof):
        proof.tables += 1
        for match in table.match_set.matches.filter(status=Match.Status.FINISHED).order_by("rotation"):
            _check_match(tournament, table, match, versions, proof)
        yield proof
    _check_sheet(tournament, proof)
    yield proof


def _paired_with_schedule(tournament: Tournament, proof: Proof) -> Iterator[Table]:
    """The stored tables, each compared with the one the schedule has in its place."""
    stored = Table.objects.filter(tournament=tournament).select_related("match_set").order_by("number").iterator(500)
    for round_number in range(min(tournament.round + 1, FORMATS[tournament.format].round_count(plan_of(tournament)))):
        for drawn in draw_round(tournament, round_number):
            table = next(stored, None)
            if table is None:
                if tournament.status == Tournament.Status.FINISHED:
                    proof.problems.append(f"Table {drawn.number} of the schedule was never played.")
                return
            if (table.number, tuple(table.entrants)) != (drawn.number, drawn.entrants):
                proof.problems.append(f"Table {table.number} seats {table.entrants}; drawn was {drawn.entrants}.")
            yield table
    for table in stored:
        proof.problems.append(f"Table {table.number} is not in the schedule.")


def _check_match(
    tournament: Tournament, table: Table, match: Match, versions: dict[int | None, str], proof: Proof
) -> None:
    """The record is of this table's seed and seating, and plays out as it says."""
    proof.records += 1
    try:
        record = stored_record(match)
    except NoRecord as missing:
        proof.problems.append(f"Match {match.pk}: {missing}")
        return
    seating = tuple(rotations([versions[entrant] for entrant in table.entrants])[match.rotation])
    if record.order.seed != table_seed(int(tournament.seed, 16), table.number):
        proof.problems.append(f"Match {match.pk} was played with another seed than the schedule's.")
    if tuple(record.order.seats) != seating:
        proof.problems.append(f"Match {match.pk} was played by other versions than the schedule's.")
    proof.problems += [f"Match {match.pk}: {problem}" for problem in verify(record).problems]
    stored = [list(seat) for seat in match.seats.order_by("seat").values_list("rank", flat=False)]
    if [rank for (rank,) in stored] != list(record.ranks or ()):
        proof.problems.append(f"Match {match.pk} is listed with other ranks than its record's.")


def _check_sheet(tournament: Tournament, proof: Proof) -> None:
    """The standings shown are those that follow from the results."""
    if not tournament.is_over:
        return
    shown = list(
        SheetRow.objects.filter(tournament=tournament)
        .order_by("position")
        .values_list("entrant__number", "place", "points")
    )
    derived = [(row.entrant, row.place, round(row.points, 6)) for row in sheets.current(tournament)]
    if shown != derived:
        proof.problems.append("The standings shown are not those that follow from the results.")
