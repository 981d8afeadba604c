"""Writes the standings and the crosstable of a tournament from its settled tables."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from django.db import transaction
from django.utils import timezone

from ladder.tournaments.models import Entrant, SheetRow, Table, Tournament
from ladder.tournaments.schedule import byes_of, climb_of, points_of
from ladder.tournaments.standings import MatchResult, Row, standings

COUNTS = ("place", "low", "high", "wins", "draws", "losses", "matches", "voids", "faults", "byes")
MEASURES = ("progress", "points", "sonneborn_berger", "mean_score")


def write(tournament: Tournament) -> None:
    """Replace the sheet by one that covers every table settled now, unless another already covers more."""
    began = time.monotonic()
    settled = Tournament.objects.values_list("tables_settled", flat=True).get(pk=tournament.pk)
    rows = current(tournament)  # takes a while in a big tournament, so nothing is locked meanwhile
    _replace(tournament, rows, settled, began)


@transaction.atomic
def _replace(tournament: Tournament, rows: list[Row], settled: int, began: float) -> None:
    if Tournament.objects.select_for_update().get(pk=tournament.pk).sheet_settled > settled:
        return
    entrants = dict(Entrant.objects.filter(tournament=tournament).values_list("number", "pk"))
    SheetRow.objects.filter(tournament=tournament).delete()
    SheetRow.objects.bulk_create(
        (_sheet_row(tournament, entrants[row.entrant], position, row) for position, row in enumerate(rows)),
        batch_size=200,
    )
    cost_ms = round(1000 * (time.monotonic() - began))
    Tournament.objects.filter(pk=tournament.pk).update(sheet_at=timezone.now(), sheet_settled=settled, sheet_ms=cost_ms)


def current(tournament: Tournament) -> list[Row]:
    """The standings from the tables settled now, best first."""
    points = points_of(tournament)
    win = points[0] * tournament.matches_a_table
    byes = [(entrant, win) for _, entrant in byes_of(tournament)] if tournament.format == "swiss" else []
    climb = climb_of(tournament) if tournament.format == "knockout" else None
    return standings(tournament.entrant_count, results_of(tournament), points, byes, climb)


def results_of(tournament: Tournament) -> Iterator[MatchResult]:
    """Every settled match in the order of the schedule."""
    tables = Table.objects.filter(tournament=tournament, is_settled=True).order_by("number")
    for number, results in tables.values_list("number", "results").iterator(chunk_size=2000):
        for match in results:
            yield match_result(number, match)


def match_result(number: int, match: list[list[object]]) -> MatchResult:
    """One stored match as the standings read it."""
    entrants, ranks, scores, faults = zip(*match, strict=True)
    at_fault = tuple(entrant for entrant, fault in zip(entrants, faults, strict=True) if fault)
    if ranks[0] is None:
        return MatchResult(number, entrants, (), (), at_fault)
    return MatchResult(number, entrants, ranks, scores, at_fault)


def _sheet_row(tournament: Tournament, entrant_id: int, position: int, row: Row) -> SheetRow:
    return SheetRow(tournament=tournament, entrant_id=entrant_id, position=position, **line(row))


def line(row: Row) -> dict[str, Any]:
    """What the sheet says of one entrant, rounded as it is stored."""
    whole = {name: getattr(row, name) for name in COUNTS}
    parts = {name: round(getattr(row, name), 6) for name in MEASURES}
    cells = {str(other): [round(share, 6), met] for other, (share, met) in sorted(row.opponents.items())}
    return {**whole, **parts, "tie_rule": row.tie_rule, "cells": cells}
