"""Matches: the list, one match with its replay, its frames, its record and its verification."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import Any

import orjson
from csp.constants import SELF
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arena import PUBLIC, Camera, InvalidRecord, MatchRecord, View
from arena import frames as frames_in
from arena.intervals import Z95
from arena.plain import drawing_of
from engines import GAMES
from ladder.api.throttles import Costly, PerMinute, throttled
from ladder.ladders.models import Ladder
from ladder.live.polling import news_after
from ladder.live.reports import origin_of, stream_address
from ladder.matches.models import Match, Seat
from ladder.matches.permissions import Eyes, eyes_of
from ladder.matches.queries import UNSETTLED, match_in_full, set_aside_matches
from ladder.matches.records import NoRecord, frames_of, log_of, public_record, stored_record, verification_of
from ladder.matches.waiting import what_it_waits_for
from ladder.prepared import prepared
from ladder.ratings.models import Rating
from ladder.ratings.queries import rating_changes
from ladder.web.cards import card_of_match
from ladder.web.endings import ending_sentence
from ladder.web.match_rows import match_rows_of
from ladder.web.plots import Scale, turn_paths
from ladder.web.reader import wants_fragment
from ladder.web.viewer_script import has_script, viewer_script

PAGE = 30
FRAMES = 100
AT_HAND = 3  # positions from the first one on
DAY_S = 86_400
YEAR_S = 365 * DAY_S
ANY = "any"
UNWATCHABLE = (Match.Status.QUEUED, Match.Status.CANCELLED)
MOST_COLUMNS = 1_200


@require_safe
def match_list(request: HttpRequest) -> HttpResponse:
    """Matches, newest first, by ladder and state; the next page starts below the last id.

    Unless somebody asks for them, those that wait or were called off are left out: there is nothing to watch.
    """
    asked = request.GET
    matches = Match.objects.order_by("-id")
    if slug := asked.get("ladder", ""):
        matches = matches.filter(ladder__slug=slug)
    if (status := asked.get("status", "")) in Match.Status.values:
        matches = matches.filter(status=status)
    elif status != ANY:
        status = ""
        matches = matches.exclude(status__in=UNWATCHABLE)
    if (before := asked.get("before", "")).isdecimal() and len(before) < 19:
        matches = matches.filter(pk__lt=int(before))
    found = list(matches.values_list("pk", flat=True)[: PAGE + 1])
    context = {
        "nav": "matches",
        "matches": match_rows_of(found[:PAGE]),
        "has_more": len(found) > PAGE,
        "ladders": list(Ladder.objects.all()),
        "statuses": Match.Status.values,
        "asked": {"ladder": slug, "status": status},
    }
    return render(request, "web/matches.html", context)


def get_match(match_id: int) -> Match:
    match = match_in_full(match_id)
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
    record = record_of(match)
    is_live = match.status in UNSETTLED or not (record is None or eyes.is_revealed or eyes.own)
    stream = stream_address(request) if is_live else None
    context = viewer_context(match, record, eyes) | {
        "nav": "matches",
        "match": match,
        "game": GAMES[match.ladder.game],
        "sentence": ending_sentence(match, record),
        "eyes": eyes,
        "panels": _panels(match, record, eyes),
        "times": _times(record) if record and eyes.is_revealed else None,
        "waits_for": what_it_waits_for(match),
        "held_by": next(iter(_others_aside(match.set_id, match.pk)), None),
        "is_live": is_live,
        "bare": _bare_table(match.ladder) if match.status == Match.Status.QUEUED else None,
        "stream": stream,
        "old_rules": record.order.rules_version if record and record.order.is_outdated else None,
    }
    context["card"] = card_of_match(match, context["sentence"])
    return may_stream(render(request, "web/match.html", context | _time_chart(record, eyes)), stream)


def _bare_table(ladder: Ladder) -> dict[str, Any]:
    """A table of this game before the deal: the viewer leaves out what any seed lays on it."""
    state = GAMES[ladder.game].new(seats=ladder.seats, seed=0, **ladder.options)
    return Camera(PUBLIC).take(state, None).as_json()


@prepared
def _others_aside(set_id: int, match_id: int) -> QuerySet[Match]:
    return set_aside_matches().filter(set=set_id).exclude(pk=match_id)[:1]


def may_stream(page: HttpResponse, stream: str | None) -> HttpResponse:
    """Let a page listen to the stream, where that is at another address than the site's own."""
    if stream and (origin := origin_of(stream)):
        setattr(page, "_csp_update", {"connect-src": [SELF, origin]})  # noqa: B010  as csp's own decorator does
    return page


def viewer_context(match: Match, record: MatchRecord | None, eyes: Eyes) -> dict[str, Any]:
    """What a page needs to show the replay through these eyes; no views where there is none."""
    game = GAMES[match.ladder.game]
    names = [seat.version.bot.name for seat in match.seats.all()]
    views = eyes.views(match.ladder.seats) if record else []
    view = _first_view(views, eyes)
    script = viewer_script(drawing_of(game.name))
    return {
        "drawing": script.drawing,
        "script": script,
        "frames_at_hand": partial(_frames_at_hand, record, view, script.first_ply),
        "plies": len(record.actions) if record else 0,
        "views": views,
        "view": view,
        "seat_names": names,
        "views_json": json.dumps(views),
        "seats_json": json.dumps(names),
        "places_json": json.dumps([game.words.seat_name(seat, len(names)) for seat in range(len(names))]),
    }


def _frames_at_hand(record: MatchRecord | None, view: str, first: int) -> list[dict[str, Any]]:
    """The first position and those around it, which stand in the page; none of a record that can't be replayed."""
    if record is None:
        return []
    first = min(first, len(record.actions))
    eyes: View = int(view) if view.isdecimal() else PUBLIC if view == PUBLIC else None
    try:
        return [frame.as_json() for frame in frames_in(record, eyes, first - 1, first + AT_HAND)]
    except InvalidRecord:
        return []


@require_safe
def script(request: HttpRequest, digest: str, drawing: str) -> HttpResponse:
    """The viewer with one drawing; a page that an older version has sent gets today's, and does not keep it."""
    if not has_script(drawing):
        raise Http404
    found = viewer_script(drawing)
    kept = f"public, max-age={YEAR_S}, immutable" if digest == found.digest else "no-store"
    return HttpResponse(found.text, "text/javascript; charset=utf-8", headers={"Cache-Control": kept})


def record_of(match: Match) -> MatchRecord | None:
    """What was stored of a match that was played."""
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
        "turn_paths": turn_paths(turns, limit_ms=limit),
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
    seat: View = PUBLIC if request.GET.get("seat") == PUBLIC else _number(request, "seat", match.ladder.seats)
    eyes = eyes_of(request.user, match)
    if not eyes.may(seat):
        raise PermissionDenied("This view opens once every match with the same seed has been played.")
    start = _number(request, "start") or 0
    stop = _number(request, "stop")
    found = frames_of(match, view=seat, start=start, end=start + FRAMES if stop is None else stop)
    body = orjson.dumps({"frames": [frame.as_json() for frame in found]})
    age = f"max-age={DAY_S}" if eyes.is_revealed else "no-store"
    return HttpResponse(body, "application/json", headers={"Cache-Control": f"private, {age}"})


@require_safe
@throttled(PerMinute)
def live_news(request: HttpRequest, match_id: int) -> HttpResponse:
    """What is new in a running match, for browsers that can't reach the stream: only what anybody may see."""
    body = news_after(match_id, request.GET.get("after", "")[:40])
    return HttpResponse(body, "application/json", headers={"Cache-Control": "no-store"})


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
