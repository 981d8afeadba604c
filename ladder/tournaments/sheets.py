"""Writes the standings and the crosstable of a tournament from its settled tables."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import orjson
from django.db import transaction
from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils import timezone

from ladder.collector import nothing_collected
from ladder.tournaments.ledger import Ledger, TableResults, read_ledger
from ladder.tournaments.models import Entrant, SheetRow, Table, Tournament
from ladder.tournaments.schedule import byes_of, climb_of, format_of, points_of
from ladder.tournaments.standings import EntrantScore, ranked

COUNTS = ("place", "low", "high", "wins", "draws", "losses", "matches", "voids", "faults", "byes")
A_BATCH = 2000  # tables
MEASURES = ("progress", "points", "sonneborn_berger", "mean_score", "p_first", "share_low", "share_high")


def write(tournament: Tournament) -> None:
    """Replace the sheet by one that covers every table settled now, unless another already covers more."""
    began = time.monotonic()
    settled = Tournament.objects.values_list("tables_settled", flat=True).get(pk=tournament.pk)
    rows = current(tournament)  # takes a while in a big tournament, so nothing is locked meanwhile
    _replace(tournament, rows, settled, began)


@transaction.atomic
def _replace(tournament: Tournament, rows: list[EntrantScore], settled: int, began: float) -> None:
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


@nothing_collected()
def current(tournament: Tournament) -> list[EntrantScore]:
    """The standings from the tables settled now, best first."""
    points, shape = points_of(tournament), format_of(tournament)
    win = points[0] * tournament.matches_a_table
    byes = [(entrant, win) for _, entrant in byes_of(tournament)] if shape.byes_win else []
    climb = climb_of(tournament) if shape.sends_home else None
    by_share = shape.places_by_average and tournament.draw_version > 1
    ledger, is_old = ledger_of(tournament), tournament.draw_version < 3
    return ranked(tournament.entrant_count, ledger, points, byes, climb, by_share=by_share, luck_by_points=is_old)


def ledger_of(tournament: Tournament) -> Ledger:
    """Every settled match in the order of the schedule."""
    tables = Table.objects.filter(tournament=tournament, is_settled=True).order_by("number")
    told = tables.annotate(text=Cast("results", TextField())).values_list("number", "text")
    return read_ledger(_batches(told.iterator(chunk_size=A_BATCH)), tournament.ladder.seats)


def _batches(tables: Iterable[tuple[int, str]]) -> Iterator[tuple[Sequence[int], list[TableResults]]]:
    """Numbers and results, read many at once: one by one takes longer than all the counting."""
    rows = iter(tables)
    while batch := list(islice(rows, A_BATCH)):
        numbers, texts = zip(*batch, strict=True)
        yield numbers, orjson.loads(f"[{','.join(texts)}]")


def _sheet_row(tournament: Tournament, entrant_id: int, position: int, row: EntrantScore) -> SheetRow:
    return SheetRow(tournament=tournament, entrant_id=entrant_id, position=position, **line(row))


def line(row: EntrantScore) -> dict[str, Any]:
    """What the sheet says of one entrant, rounded as it is stored."""
    whole = {name: getattr(row, name) for name in COUNTS}
    parts = {name: None if (value := getattr(row, name)) is None else round(value, 6) for name in MEASURES}
    cells = {str(other): met for other, met in row.opponents.items()}  # halves, and by number already
    return {**whole, **parts, "tie_rule": row.tie_rule, "cells": cells}
