"""How a running tournament goes on: settle its tables, draw the next, write the sheet, end it.

Nothing here is remembered between calls but a generator that could be made again, so any process may die at any time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import islice

import structlog
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone

from ladder.accounts.models import Notification, User
from ladder.accounts.services import notify
from ladder.matches import services as matches
from ladder.matches.models import Lane, Match, Seat
from ladder.tournaments import sheets
from ladder.tournaments.formats import FORMATS, table_seed
from ladder.tournaments.formats import Table as Drawn
from ladder.tournaments.models import Table, Tournament
from ladder.tournaments.schedule import draw_round, plan_of

log = structlog.get_logger("ladder.tournaments")
TABLES_AHEAD = 64  # unsettled tables a tournament keeps in the queue
SETTLED_AT_ONCE = 500
SHEET_REST = 20  # writing standings may take a twentieth of the time

_draws: dict[tuple[int, int], tuple[int, Iterator[Drawn]]] = {}


def advance_all() -> int:
    """Bring every running tournament on; returns how many tables were settled, drawn or ended."""
    running = Tournament.objects.filter(status=Tournament.Status.RUNNING).order_by("id")
    return sum(advance(pk) for pk in running.values_list("pk", flat=True)) + _settle_called_off()


def advance(tournament_id: int) -> int:
    """Settle, draw, and end rounds until there is nothing to do but wait."""
    done = 0
    while step := _settle(tournament_id) + _draw(tournament_id) + _end_round(tournament_id):
        done += step
    _write_sheet_when_due(tournament_id)
    return done


def _settle_called_off() -> int:
    """Copy the results of matches that were still running when their tournament was paused or cancelled."""
    idle = Tournament.objects.filter(
        status__in=(Tournament.Status.PAUSED, Tournament.Status.CANCELLED),
        tables_settled__lt=F("tables_drawn"),
    )
    done = 0
    for pk in idle.values_list("pk", flat=True):
        settled = _settle(pk)
        done += settled
        if settled:
            _write_sheet_when_due(pk)
    return done


@transaction.atomic
def _settle(tournament_id: int) -> int:
    """Copy the results of tables whose matches have all ended."""
    tournament = _locked(tournament_id)
    unsettled = Match.objects.filter(set=OuterRef("match_set"), status__in=(Match.Status.QUEUED, Match.Status.RUNNING))
    tables = list(
        Table.objects.filter(~Exists(unsettled), tournament=tournament, is_settled=False).order_by("number")[
            :SETTLED_AT_ONCE
        ]
    )
    if not tables:
        return 0
    results = _results_of(tables)
    for table in tables:
        table.is_settled, table.results = True, results.get(table.match_set_id, [])
    Table.objects.bulk_update(tables, ["is_settled", "results"], batch_size=200)
    Tournament.objects.filter(pk=tournament_id).update(tables_settled=F("tables_settled") + len(tables))
    return len(tables)


def _results_of(tables: list[Table]) -> dict[int, list[list[list[object]]]]:
    """For each set a list of its matches, each a list of [entrant, rank, score, fault] by seat; rank null when void."""
    by_set = {table.match_set_id: table for table in tables}
    seats = (
        Seat.objects.filter(match__set__in=by_set)
        .order_by("match__set", "match__rotation", "seat")
        .values_list("match__set", "match__rotation", "match__status", "seat", "rank", "score", "fault")
    )
    results: dict[int, list[list[list[object]]]] = {}
    for set_id, rotation, status, seat, rank, score, fault in seats:
        entrants = by_set[set_id].entrants
        counts = status == Match.Status.FINISHED
        row = [entrants[(seat + rotation) % len(entrants)], rank if counts else None, score if counts else None, fault]
        matches_of_set = results.setdefault(set_id, [])
        if seat == 0:
            matches_of_set.append([])
        matches_of_set[-1].append(row)
    return results


@transaction.atomic
def _draw(tournament_id: int) -> int:
    """Queue the next tables of the round as the queue drains."""
    tournament = _locked(tournament_id)
    if tournament.status != Tournament.Status.RUNNING:
        return 0
    room = TABLES_AHEAD - (tournament.tables_drawn - tournament.tables_settled)
    if room < TABLES_AHEAD // 2:
        return 0
    drawn = _next_tables(tournament, room)
    versions = dict(tournament.entrants.values_list("number", "version_id")) if drawn else {}
    for table in drawn:
        _queue(tournament, table, versions)
    Tournament.objects.filter(pk=tournament_id).update(tables_drawn=F("tables_drawn") + len(drawn))
    return len(drawn)


def _queue(tournament: Tournament, table: Drawn, versions: dict[int | None, int]) -> None:
    seating = [versions[entrant] for entrant in table.entrants]
    match_set = matches.create_set(
        ladder=tournament.ladder,
        seatings=matches.rotations(seating) if tournament.all_rotations else [seating],
        lane=Lane.TOURNAMENT,
        is_rated=tournament.is_rated,
        seed=table_seed(int(tournament.seed, 16), table.number),
    )
    Table.objects.create(
        tournament=tournament,
        number=table.number,
        round=table.round,
        entrants=list(table.entrants),
        match_set=match_set,
    )


def _next_tables(tournament: Tournament, count: int) -> list[Drawn]:
    """The tables after those already drawn, of the current round; the draw is kept open between calls."""
    key = (tournament.pk, tournament.round)
    reached, tables = _draws.pop(key, (-1, iter(())))
    if reached != tournament.tables_drawn:
        tables = iter(draw_round(tournament, tournament.round))
        tables = (table for table in tables if table.number >= tournament.tables_drawn)
    drawn = list(islice(tables, count))
    if len(drawn) == count:
        _draws[key] = (tournament.tables_drawn + len(drawn), tables)
    return drawn


@transaction.atomic
def _end_round(tournament_id: int) -> int:
    """Go to the next round when this one is played, or end the tournament after the last."""
    tournament = _locked(tournament_id)
    if tournament.status != Tournament.Status.RUNNING or tournament.tables_settled < tournament.tables_drawn:
        return 0
    if _next_tables(tournament, 1):
        _draws.pop((tournament.pk, tournament.round), None)
        return 0
    if tournament.round + 1 < FORMATS[tournament.format].round_count(plan_of(tournament)):
        Tournament.objects.filter(pk=tournament_id).update(round=F("round") + 1)
    else:
        _finish(tournament)
    return 1


def _finish(tournament: Tournament) -> None:
    sheets.write(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.FINISHED, finished_at=Now())
    text = f"{tournament} has finished."
    for user in User.objects.filter(Q(bots__entries__tournament=tournament) | Q(tournaments=tournament)).distinct():
        notify(user, Notification.Kind.TOURNAMENT_FINISHED, text, f"/tournaments/{tournament.pk}/")
    log.info("tournament finished", tournament=tournament.pk, tables=tournament.tables_drawn)


def _write_sheet_when_due(tournament_id: int) -> None:
    """Write the standings when results came in, the less often the more that costs."""
    tournament = Tournament.objects.select_related("ladder").get(pk=tournament_id)
    if tournament.sheet_at is not None:
        rest = timedelta(milliseconds=max(1000, SHEET_REST * tournament.sheet_ms))
        if tournament.sheet_settled == tournament.tables_settled or timezone.now() - tournament.sheet_at < rest:
            return
    began = time.monotonic()
    sheets.write(tournament)
    log.debug("sheet written", tournament=tournament_id, ms=round(1000 * (time.monotonic() - began)))


def _locked(tournament_id: int) -> Tournament:
    return Tournament.objects.select_for_update(of=("self",)).select_related("ladder").get(pk=tournament_id)
