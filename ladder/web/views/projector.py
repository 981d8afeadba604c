"""Tables on show: a running match where there is one, else a moment of the latest; on the home page and on a wall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from engines import GAMES
from ladder.ladders.queries import get_ladder
from ladder.live.reports import stream_address
from ladder.matches.models import Match
from ladder.tournaments.queries import get_tournament, matches_of
from ladder.web.positions import recent_position, running_table
from ladder.web.reader import wants_fragment
from ladder.web.views.matches import may_stream

TURN_S = 20
MOST = 24  # tables that take turns on a wall
UNCHANGED = 204  # htmx then leaves the page as it is
FRAGMENT = "web/_table.html"


@dataclass(frozen=True, slots=True)
class OnShow:
    """What a place for a table may show: matches that run, else the latest of these; and where it asks again."""

    running: list[int]
    again: str
    after_s: int
    among: QuerySet[Match] | None = None
    called: str = "all"

    def next_after(self, shown: int) -> int:
        """The running match whose turn it is after one; 0 where none runs."""
        later = [match for match in self.running if match > shown]
        return min(later or self.running, default=0)


def on_show(
    request: HttpRequest, place: OnShow, context: dict[str, Any] | None = None, page: str = FRAGMENT
) -> HttpResponse:
    """A page or fragment with the table whose turn it is; a fragment that would show nothing else is not sent."""
    shown = shown_in(request)
    match_id = place.next_after(shown)
    live = running_table(match_id) if match_id else None
    position = None if live else recent_position(place.among, called=place.called)
    table = live or position
    if page == FRAGMENT and (table is None or table.match == shown):
        return HttpResponse(status=UNCHANGED)
    stream = stream_address(request) if live else None
    told = {"table": table, "live": live, "position": position, "stream": stream, "place": place}
    return may_stream(render(request, page, (context or {}) | told), stream)


def shown_in(request: HttpRequest) -> int:
    """The match that the asking page shows already."""
    text = request.GET.get("shown", "")
    return int(text) if text.isdecimal() and len(text) < 19 else 0


@require_safe
def ladder_projector(request: HttpRequest, slug: str) -> HttpResponse:
    """The running matches of a ladder, one after the other, for a projector."""
    ladder = get_ladder(slug)
    matches = Match.objects.filter(ladder=ladder)
    title = f"{GAMES[ladder.game].title}, {ladder.seats} seats"
    context = {"title": title, "back": reverse("web:ladder", args=[slug])}
    return _projector(request, matches, f"ladder-{ladder.pk}", context)


@require_safe
def tournament_projector(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The running matches of a tournament, one after the other, for a projector."""
    tournament = get_tournament(tournament_id, request.user)
    context = {"title": tournament.name, "back": reverse("web:tournament", args=[tournament_id])}
    return _projector(request, matches_of(tournament), f"tournament-{tournament_id}", context)


def _projector(request: HttpRequest, matches: QuerySet[Match], called: str, context: dict[str, Any]) -> HttpResponse:
    running = matches.filter(status=Match.Status.RUNNING).order_by("pk").values_list("pk", flat=True)[:MOST]
    place = OnShow(list(running), again=request.path, after_s=TURN_S, among=matches, called=called)
    page = FRAGMENT if wants_fragment(request) else "web/projector.html"
    return on_show(request, place, context, page)
