"""Proves a tournament anew: its seed, its schedule, every record, and the standings that follow from them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from arena import InvalidRecord, MatchRecord, verify
from ladder.matches.models import Match
from ladder.matches.records import NoRecord, stored_record
from ladder.matches.results import fault_of
from ladder.matches.services import rotations
from ladder.tournaments import sheets
from ladder.tournaments.formats import Table as Drawn
from ladder.tournaments.formats import seed_commitment, table_seed
from ladder.tournaments.models import SheetRow, Table, Tournament
from ladder.tournaments.schedule import draw_round, format_of, plan_of, tables_through

Versions = dict[int | None, str]  # digests by entrant


MOST_RESULTS = 300_000  # a proof in parts derives standings from no more, because that is one part


@dataclass(slots=True)
class Proof:
    """What was checked and what did not agree, so far or in all."""

    tables: int = 0  # from the first on: the next part begins with the table of this number
    matches: int = 0
    records: int = 0
    outdated: int = 0  # of the records those under older rules, checked by digest and shape
    problems: list[str] = field(default_factory=list)
    unlisted: int = 0  # problems that a proof carried from part to part has no room for
    has_sheet: bool = True  # whether the standings are checked too
    is_done: bool = False

    @property
    def ok(self) -> bool:
        return not self.problems


def begin_proof(tournament: Tournament) -> Proof:
    """A proof that has looked at the seed only."""
    proof = Proof()
    if seed_commitment(int(tournament.seed, 16)) != tournament.seed_commitment:
        proof.problems.append("The seed does not match its commitment.")
    return proof


def verify_tournament(tournament: Tournament, proof: Proof | None = None) -> Iterator[Proof]:
    """Check everything, or all that a proof has yet to check; yields the proof so far after each table."""
    proof = begin_proof(tournament) if proof is None else proof
    versions = dict(tournament.entrants.values_list("number", "version__bundle_id"))
    for table in _paired_with_schedule(tournament, proof):
        proof.tables += 1
        _check_table(tournament, table, versions, proof)
        yield proof
    if proof.has_sheet:
        _check_sheet(tournament, proof)
    proof.is_done = True
    yield proof


def verify_part(tournament: Tournament, proof: Proof, *, matches: int, seconds: float) -> Proof:
    """Go on with a proof for about so many matches or seconds, whichever comes first."""
    enough, too_late = proof.matches + matches, time.monotonic() + seconds
    proof.has_sheet = tournament.tables_settled * tournament.matches_a_table <= MOST_RESULTS
    for so_far in verify_tournament(tournament, proof):
        if so_far.matches >= enough or time.monotonic() > too_late:
            break
    return proof


def _paired_with_schedule(tournament: Tournament, proof: Proof) -> Iterator[Table]:
    """The stored tables from the proof's next on, each compared with the one the schedule has in its place."""
    tables = Table.objects.filter(tournament=tournament).select_related("match_set").order_by("number")
    stored = tables[proof.tables :].iterator(500)
    for drawn in _drawn_from(tournament, proof.tables):
        table = next(stored, None)
        if table is None:
            if tournament.status == Tournament.Status.FINISHED:
                proof.problems.append(f"Table {drawn.number} of the schedule was not played.")
            return
        if (table.number, tuple(table.entrants)) != (drawn.number, drawn.entrants):
            proof.problems.append(f"Table {table.number} seats {table.entrants}; drawn was {drawn.entrants}.")
        yield table
    for table in stored:
        proof.problems.append(f"Table {table.number} is not in the schedule.")


def _drawn_from(tournament: Tournament, first: int) -> Iterator[Drawn]:
    """The tables of the schedule from this number on, as far as rounds were drawn."""
    shape, plan = format_of(tournament), plan_of(tournament)
    for round_number in range(min(tournament.round + 1, shape.round_count(plan))):
        if tables_through(tournament, round_number) > first:
            yield from draw_round(tournament, round_number, first=first)


def _check_table(tournament: Tournament, table: Table, versions: Versions, proof: Proof) -> None:
    """Its matches are those of the schedule, and their records give the results that the standings count."""
    matches = list(table.match_set.matches.order_by("rotation"))
    seatings = [match.rotation for match in matches]
    if seatings != list(range(tournament.matches_a_table)):
        wanted = f"one for each of {tournament.matches_a_table} seatings"
        proof.problems.append(f"Table {table.number} has matches {seatings}, not {wanted}.")
        return
    played = [match for match in matches if match.status in (Match.Status.FINISHED, Match.Status.VOID)]
    proof.matches += len(played)
    told = [_result_of(tournament, table, match, versions, proof) for match in played]
    if table.is_settled and told != table.results:
        proof.problems.append(f"Table {table.number} is counted with results that differ from its records.")


def _result_of(
    tournament: Tournament, table: Table, match: Match, versions: Versions, proof: Proof
) -> list[list[object]]:
    """[entrant, rank, score, fault] by seat, as the record has it; a void match has no ranks."""
    entrants = rotations(table.entrants)[match.rotation]
    try:
        record = stored_record(match)
    except (NoRecord, InvalidRecord) as problem:
        if match.status == Match.Status.FINISHED:
            proof.problems.append(f"Match {match.pk}: {problem}")
        return [[entrant, None, None, ""] for entrant in entrants]
    proof.records += 1
    _check_record(tournament, table, match, [versions[entrant] for entrant in entrants], record, proof)
    faults = [fault.kind if (fault := fault_of(record, seat)) else "" for seat in range(len(entrants))]
    if match.status == Match.Status.VOID:
        return [[entrant, None, None, fault] for entrant, fault in zip(entrants, faults, strict=True)]
    ranks = record.ranks or (None,) * len(entrants)
    scores = record.outcome.scores if record.outcome else (None,) * len(entrants)
    return [list(seat) for seat in zip(entrants, ranks, scores, faults, strict=True)]


def _check_record(
    tournament: Tournament, table: Table, match: Match, seating: list[str], record: MatchRecord, proof: Proof
) -> None:
    """The record is of this table's seed and seating, plays out as it says, and is what the match's page shows."""
    verdict = verify(record)
    proof.outdated += verdict.old_rules is not None
    problems = list(verdict.problems)
    if record.order.seed != table_seed(int(tournament.seed, 16), table.number):
        problems.append("it was played with a seed that is not the schedule's")
    if list(record.order.seats) != seating:
        problems.append("it was played by versions that are not the schedule's")
    if record.digest != match.digest:
        problems.append("it is listed with a digest that is not its record's")
    if match.status == Match.Status.FINISHED:
        shown = list(match.seats.order_by("seat").values_list("rank", flat=True))
        if shown != list(record.ranks or ()):
            problems.append(f"it is listed with the ranks {shown}; its record says {list(record.ranks or ())}")
    elif record.is_rateable:
        problems.append(f"it has a result but was voided ({match.reason})")
    proof.problems += [f"Match {match.pk}: {problem}" for problem in problems]


def _check_sheet(tournament: Tournament, proof: Proof) -> None:
    """The standings shown are those that follow from the results."""
    if not tournament.is_over or tournament.sheet_settled != tournament.tables_settled:
        return
    names = ("entrant__number", *sheets.COUNTS, *sheets.MEASURES, "tie_rule", "cells")
    shown = SheetRow.objects.filter(tournament=tournament).order_by("position").values(*names)
    derived = sheets.current(tournament) if tournament.sheet_at else []
    for row, told in zip_longest(derived, shown.iterator(100)):
        if row is None or told is None or {"entrant__number": row.entrant, **sheets.line(row)} != told:
            proof.problems.append("The standings shown do not follow from the results.")
            return
