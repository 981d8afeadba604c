"""How a running tournament goes on: settle its tables, draw the next, write the sheet, end it.

Nothing here is remembered between calls, so any process may die at any time. What takes long (drawing, standings) is
worked out before anything is locked, and thrown away if the tournament has moved on meanwhile.
"""

from __future__ import annotations

import time
from datetime import timedelta
from itertools import islice

import structlog
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone

from ladder.accounts.models import Notification, User
from ladder.accounts.services import notify
from ladder.events import Event, announce
from ladder.locks import each_alone
from ladder.matches import services as matches
from ladder.matches.models import Lane, Match, Seat
from ladder.matches.queries import playing_slots
from ladder.submissions.following import tell_followers
from ladder.tournaments import sheets
from ladder.tournaments.formats import Table as Drawn
from ladder.tournaments.formats import table_seed
from ladder.tournaments.models import Table, Tournament
from ladder.tournaments.queries import winners_of
from ladder.tournaments.schedule import draw_round, format_of, plan_of, tables_in_all, tables_through

log = structlog.get_logger("ladder.tournaments")
KIND = "tournament"  # one process at a time brings one on
TABLES_AHEAD = 64  # unsettled tables a tournament keeps in the queue
TABLES_A_SLOT = 8  # or so many for each match that can be played at once
SETTLED_AT_ONCE = 500
SHEET_REST = 20  # writing standings may take a twentieth of the time


def advance_all() -> int:
    """Bring every running tournament on; returns how many tables were settled, drawn or ended."""
    running = Tournament.objects.filter(status=Tournament.Status.RUNNING).order_by("id")
    return each_alone(KIND, list(running.values_list("pk", flat=True)), advance) + _settle_called_off()


def advance(tournament_id: int) -> int:
    """Settle, draw, and end rounds until there is nothing to do but wait."""
    done = 0
    while step := _settle(tournament_id) + _draw(tournament_id) + _end_round(tournament_id):
        done += step
    _write_sheet_when_due(tournament_id)
    return done


def _settle_called_off() -> int:
    """Copy what still came in after a pause or a call-off, and keep matches that were handed back from being played."""
    unsettled = Q(tables_settled__lt=F("tables_drawn")) | Q(sheet_settled__lt=F("tables_settled"))
    idle = Tournament.objects.filter(unsettled, status__in=(Tournament.Status.PAUSED, Tournament.Status.CANCELLED))
    return each_alone(KIND, list(idle.order_by("id").values_list("pk", flat=True)), _settle_idle)


def _settle_idle(tournament_id: int) -> int:
    stop_matches(Tournament.objects.get(pk=tournament_id))
    done = _settle(tournament_id)
    _write_sheet_when_due(tournament_id)
    return done


def stop_matches(tournament: Tournament) -> None:
    """Hold or call off the queued matches of a tournament that is paused or cancelled."""
    sets = unsettled_sets(tournament)
    if tournament.status == Tournament.Status.PAUSED:
        matches.hold_sets(sets)
    else:
        matches.cancel_sets(sets, reason=f"{tournament} was cancelled")


def unsettled_sets(tournament: Tournament) -> list[int]:
    """The sets that are still being played or waited for."""
    return list(Table.objects.filter(tournament=tournament, is_settled=False).values_list("match_set_id", flat=True))


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
    """For each set its matches but those called off, as lists of [entrant, rank, score, fault] by seat."""
    by_set = {table.match_set_id: table for table in tables}
    seats = (
        Seat.objects.filter(match__set__in=by_set)
        .exclude(match__status=Match.Status.CANCELLED)
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


def _draw(tournament_id: int) -> int:
    """Queue the next tables of the round as the queue drains."""
    tournament = Tournament.objects.select_related("ladder").get(pk=tournament_id)
    if tournament.status != Tournament.Status.RUNNING:
        return 0
    drawn = next_tables(tournament)
    return queue_all(tournament, drawn) if drawn else 0


def next_tables(tournament: Tournament) -> list[Drawn]:
    """The tables after those already drawn, of the current round, as many as there is room for."""
    ahead = max(TABLES_AHEAD, TABLES_A_SLOT * playing_slots())
    room = ahead - (tournament.tables_drawn - tournament.tables_settled)
    if room < ahead // 2 or tournament.tables_drawn >= tables_through(tournament, tournament.round):
        return []
    return list(islice(draw_round(tournament, tournament.round, first=tournament.tables_drawn), room))


@transaction.atomic
def queue_all(seen: Tournament, drawn: list[Drawn]) -> int:
    """Queue what was drawn, unless the tournament is not as it was seen any more."""
    now = _locked(seen.pk)
    if (now.status, now.round, now.tables_drawn) != (seen.status, seen.round, seen.tables_drawn):
        return 0
    versions = dict(now.entrants.values_list("number", "version_id"))
    for table in drawn:
        _queue(now, table, versions)
    Tournament.objects.filter(pk=now.pk).update(
        tables_drawn=F("tables_drawn") + len(drawn), tables_total=tables_in_all(now)
    )
    announce(Event.MATCHES_QUEUED)
    return len(drawn)


def _queue(tournament: Tournament, table: Drawn, versions: dict[int | None, int]) -> None:
    seating = [versions[entrant] for entrant in table.entrants]
    match_set = matches.create_set(
        ladder=tournament.ladder,
        seatings=matches.rotations(seating) if tournament.all_rotations else [seating],
        lane=Lane.TOURNAMENT,
        is_rated=tournament.is_rated,
        seed=table_seed(int(tournament.seed, 16), table.number),
        wakes=False,
    )
    Table.objects.create(
        tournament=tournament,
        number=table.number,
        round=table.round,
        entrants=list(table.entrants),
        match_set=match_set,
    )


def _end_round(tournament_id: int) -> int:
    """Go to the next round when this one is played, or end the tournament after the last."""
    tournament = Tournament.objects.select_related("ladder").get(pk=tournament_id)
    if tournament.status != Tournament.Status.RUNNING or tournament.tables_settled < tables_through(
        tournament, tournament.round
    ):
        return 0
    if tournament.round + 1 == format_of(tournament).round_count(plan_of(tournament)):
        return _finish(tournament)
    as_seen = Tournament.objects.filter(pk=tournament_id, status=tournament.status, round=tournament.round)
    return as_seen.update(round=F("round") + 1)


def _finish(tournament: Tournament) -> int:
    """Write the last sheet and end; whoever dies in between leaves it to the next beat."""
    sheets.write(tournament)
    with transaction.atomic():
        running = Tournament.objects.filter(pk=tournament.pk, status=Tournament.Status.RUNNING)
        if not running.update(status=Tournament.Status.FINISHED, finished_at=Now()):
            return 0
        _tell_everybody(tournament)
    log.info("tournament finished", tournament=tournament.pk, tables=tournament.tables_drawn)
    return 1


def _tell_everybody(tournament: Tournament) -> None:
    text = f"{tournament} has finished."
    for user in User.objects.filter(Q(bots__entries__tournament=tournament) | Q(tournaments=tournament)).distinct():
        notify(user, Notification.Kind.TOURNAMENT_FINISHED, text, f"/tournaments/{tournament.pk}/")
    tournament.refresh_from_db(fields=["status"])
    first = winners_of(tournament)
    won = "won" if len(first) == 1 else "shared first place in"
    for row in first:
        bot = row.entrant.bot
        tell_followers(bot, f"{bot.name} {won} {tournament.name}.", f"/tournaments/{tournament.pk}/")


def _write_sheet_when_due(tournament_id: int) -> None:
    """Write the standings when results came in, the less often the more that costs."""
    tournament = Tournament.objects.select_related("ladder").get(pk=tournament_id)
    if tournament.sheet_at is not None and tournament.sheet_settled == tournament.tables_settled:
        return
    if tournament.sheet_at is not None and not tournament.is_over:
        rest = timedelta(milliseconds=max(1000, SHEET_REST * tournament.sheet_ms))
        if timezone.now() - tournament.sheet_at < rest:
            return
    began = time.monotonic()
    sheets.write(tournament)
    log.debug("sheet written", tournament=tournament_id, ms=round(1000 * (time.monotonic() - began)))


def _locked(tournament_id: int) -> Tournament:
    return Tournament.objects.select_for_update(of=("self",)).select_related("ladder").get(pk=tournament_id)
