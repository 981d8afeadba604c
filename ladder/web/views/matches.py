"""Matches: the list, one match with its replay, its frames, its record and its verification."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import orjson
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arena import MatchRecord
from arena.plain import drawing_of
from engines import GAMES
from ladder.api.throttles import Costly, PerMinute, throttled
from ladder.ladders.models import Ladder
from ladder.matches.models import Match, Seat
from ladder.matches.permissions import Eyes, eyes_of
from ladder.matches.queries import matches_in_full, set_aside_matches
from ladder.matches.records import NoRecord, frames_of, log_of, public_record, stored_record, verification_of
from ladder.matches.waiting import what_it_waits_for
from ladder.ratings.models import Z95, Rating
from ladder.ratings.queries import rating_changes
from ladder.web.cards import card_of_match
from ladder.web.endings import ending_sentence
from ladder.web.plots import Scale, turn_columns
from ladder.web.reader import wants_fragment

PAGE = 30
FRAMES = 100
DAY_S = 86_400
MOST_COLUMNS = 1_200


@require_safe
def match_list(request: HttpRequest) -> HttpResponse:
    """Matches, newest first, by ladder and state; the next page starts below the last id."""
    asked = request.GET
    matches = matches_in_full()
    if slug := asked.get("ladder", ""):
        matches = matches.filter(ladder__slug=slug)
    if (status := asked.get("status", "")) in Match.Status.values:
        matches = matches.filter(status=status)
    if (before := asked.get("before", "")).isdecimal() and len(before) < 19:
        matches = matches.filter(pk__lt=int(before))
    rows = list(matches[: PAGE + 1])
    context = {
        "nav": "matches",
        "matches": rows[:PAGE],
        "has_more": len(rows) > PAGE,
        "ladders": list(Ladder.objects.all()),
        "statuses": Match.Status.values,
        "asked": {"ladder": slug, "status": status},
    }
    return render(request, "web/matches.html", context)


def get_match(match_id: int) -> Match:
    match = matches_in_full().filter(pk=match_id).first()
    if match is None:
        raise Http404
    return match


@dataclass(frozen=True, slots=True)
class SeatPanel:
    """A seat as the match page shows it."""

    seat: Seat
    name: str
    result: str
    change: Rating | None
    before: Scale | None
    is_mine: bool
    log: str
    notes: tuple[tuple[int, str], ...]


@require_safe
def match_page(request: HttpRequest, match_id: int) -> HttpResponse:
    """The replay, who sat where, what it changed, and how it ended."""
    match = get_match(match_id)
    eyes = eyes_of(request.user, match)
    record = _record(match)
    views = eyes.views(match.ladder.seats) if record else []
    game = GAMES[match.ladder.game]
    names = [seat.version.bot.name for seat in match.seats.all()]
    context = {
        "nav": "matches",
        "match": match,
        "game": game,
        "drawing": drawing_of(game.name),
        "sentence": ending_sentence(match, record),
        "eyes": eyes,
        "views": views,
        "view": _first_view(views, eyes),
        "panels": _panels(match, record, eyes),
        "seat_names": names,
        "views_json": json.dumps(views),
        "seats_json": json.dumps(names),
        "places_json": json.dumps([game.words.seat_name(seat, len(names)) for seat in range(len(names))]),
        "plies": len(record.actions) if record else 0,
        "times": _times(record) if record and eyes.is_revealed else None,
        "waits_for": what_it_waits_for(match),
        "held_by": set_aside_matches().filter(set=match.set_id).exclude(pk=match.pk).first(),
        "is_live": match.status in (Match.Status.QUEUED, Match.Status.RUNNING),
        "old_rules": record.order.rules_version if record and record.order.is_outdated else None,
    }
    context["card"] = card_of_match(match, context["sentence"])
    return render(request, "web/match.html", context | _time_chart(record, eyes))


def _record(match: Match) -> MatchRecord | None:
    try:
        return stored_record(match)
    except NoRecord:
        return None


def _first_view(views: list[str], eyes: Eyes) -> str:
    """An author looks through the own seat's eyes first, everybody else at everything."""
    return str(eyes.own[0]) if eyes.own and str(eyes.own[0]) in views else next(iter(views), "")


def _times(record: MatchRecord) -> list[int]:
    return [round(action.cpu_ms) for action in record.actions]


def _time_chart(record: MatchRecord | None, eyes: Eyes) -> dict[str, Any]:
    """Columns of cpu time a turn, if there are not more than fit."""
    if record is None or not eyes.is_revealed or not record.actions or len(record.actions) > MOST_COLUMNS:
        return {}
    limit = record.order.limits.turn_ms
    turns = [(action.seat, action.cpu_ms) for action in record.actions]
    return {
        "columns": turn_columns(turns, limit_ms=limit),
        "turn_ms": limit,
        "most_ms": max(ms for _, ms in turns),
        "host": record.host,
    }


def _panels(match: Match, record: MatchRecord | None, eyes: Eyes) -> list[SeatPanel]:
    changes = {change.seat: change for change in rating_changes(match.pk)}
    scale = _common_scale(list(changes.values()))
    words = GAMES[match.ladder.game].words
    return [
        SeatPanel(
            seat=seat,
            name=words.seat_name(seat.seat, match.ladder.seats),
            result=_result(match, seat),
            change=changes.get(seat.seat),
            before=scale,
            is_mine=seat.seat in eyes.own,
            log=log_of(match, seat.seat) if seat.seat in eyes.own else "",
            notes=_notes(record, seat.seat) if seat.seat in eyes.own else (),
        )
        for seat in match.seats.all()
    ]


def _notes(record: MatchRecord | None, seat: int) -> tuple[tuple[int, str], ...]:
    return tuple((note.ply + 1, note.text) for note in record.seats[seat].notes) if record else ()


def _result(match: Match, seat: Seat) -> str:
    if seat.rank is None:
        return ""
    first = [other.rank for other in match.seats.all()].count(1)
    if seat.rank == 1:
        return "Won" if first == 1 else "Drawn" if first == match.ladder.seats else "Shared first"
    return "Lost" if match.ladder.seats == 2 else f"Place {seat.rank}"


def _common_scale(changes: list[Rating]) -> Scale | None:
    """One scale for all seats, so that before and after can be compared across them."""
    if not changes:
        return None
    low = min(min(c.mu - Z95 * c.sigma, c.mu_before - Z95 * c.sigma_before) for c in changes)
    high = max(max(c.mu + Z95 * c.sigma, c.mu_before + Z95 * c.sigma_before) for c in changes)
    return Scale(low - 0.5, high + 0.5)


@require_safe
@throttled(PerMinute)
def frames(request: HttpRequest, match_id: int) -> HttpResponse:
    """Frames for the viewer, at most 100: what may not be seen is never sent."""
    match = get_match(match_id)
    seat = _number(request, "seat", match.ladder.seats)
    eyes = eyes_of(request.user, match)
    if not eyes.may(seat):
        raise PermissionDenied("This view opens once every match with the same seed has been played.")
    start = _number(request, "start") or 0
    stop = _number(request, "stop")
    found = frames_of(match, seat=seat, start=start, end=start + FRAMES if stop is None else stop)
    body = orjson.dumps({"frames": [frame.as_json() for frame in found]})
    age = f"max-age={DAY_S}" if eyes.is_revealed else "no-store"
    return HttpResponse(body, "application/json", headers={"Cache-Control": f"private, {age}"})


def _number(request: HttpRequest, key: str, below: int | None = None) -> int | None:
    """A whole number of the query; 404 for anything else, because no such frame exists."""
    text = request.GET.get(key)
    if text is None:
        return None
    if not text.isdecimal() or len(text) > 9 or (below is not None and int(text) >= below):
        raise Http404
    return int(text)


@require_safe
def record(request: HttpRequest, match_id: int) -> HttpResponse:
    """The public record as a file; anyone can verify it."""
    body = public_record(get_match(match_id)).as_json()
    answer = JsonResponse(body)
    answer["Content-Disposition"] = f'attachment; filename="match-{match_id}.json"'
    return answer


@require_safe
@throttled(PerMinute, Costly)
def verify(request: HttpRequest, match_id: int) -> HttpResponse:
    """Play the record again on the server and say whether it holds."""
    match = get_match(match_id)
    verdict = verification_of(match)
    template = "web/_verdict.html" if wants_fragment(request) else "web/verdict.html"
    return render(request, template, {"nav": "matches", "match": match, "verdict": verdict})
