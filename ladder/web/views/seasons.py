"""Closed seasons of a ladder: the list, the table of each, and for administrators closing and reopening."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from engines import GAMES
from ladder.accounts.models import User
from ladder.accounts.permissions import HOUSE
from ladder.ladders.queries import get_ladder
from ladder.ratings.leaderboard import BoardPage
from ladder.ratings.permissions import may_close_seasons
from ladder.ratings.season_tables import closed_by, get_season, seasons_of
from ladder.ratings.season_tables import season_page as page_of
from ladder.ratings.seasons import close_season, reopen_season
from ladder.refusals import Forbidden
from ladder.web.confirming import about_closing_season, about_reopening_season, ask
from ladder.web.views.ladders import Pager, board_of


@require_safe
def seasons_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Which seasons a ladder has had, the latest first."""
    ladder = get_ladder(slug)
    context = {
        "nav": ladder.game,
        "ladder": ladder,
        "game": GAMES[ladder.game],
        "seasons": [(season, closed_by(season)) for season in seasons_of(ladder)],
        "began_at": ladder.season_since or ladder.created_at,
        "matches": ladder.rated_through - ladder.closed_through,
        "may_close": may_close_seasons(request.user),
    }
    return render(request, "web/seasons.html", context)


@require_safe
def season_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The table of a season as it ended."""
    ladder = get_ladder(slug)
    season = get_season(ladder, number)
    page = page_of(season, after=_position(request.GET.get("after", "")))
    context = {
        "nav": ladder.game,
        "ladder": ladder,
        "game": GAMES[ladder.game],
        "season": season,
        "closed_by": closed_by(season),
        "board": board_of(page, with_storeys=True),
        "pager": _pager(page),
        "house": HOUSE,
        "may_reopen": may_close_seasons(request.user) and season.number == ladder.season - 1,
    }
    return render(request, "web/season.html", context)


def _position(text: str) -> int:
    """Where a page begins; what is no position is the start."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


def _pager(page: BoardPage) -> Pager | None:
    links = tuple("" if at is None else f"?after={at}" for at in (page.previous, page.next))
    return Pager(*links) if any(links) else None


def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask, then close the season that is being played."""
    operator, ladder = _operator(request), get_ladder(slug)
    if request.method != "POST":
        return ask(request, about_closing_season(ladder))
    season = close_season(ladder, by=operator)
    messages.success(request, f"Season {season.number} is closed; season {season.number + 1} has begun.")
    return redirect("web:season", slug, season.number)


def reopen(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Ask, then take the closing of the last season back."""
    operator, season = _operator(request), get_season(get_ladder(slug), number)
    if request.method != "POST":
        return ask(request, about_reopening_season(season))
    reopen_season(season, by=operator)
    messages.success(request, f"Season {number} goes on.")
    return redirect("web:ladder", slug)


def _operator(request: HttpRequest) -> User:
    """Whoever keeps the service; raises Forbidden."""
    if not isinstance(request.user, User) or not may_close_seasons(request.user):
        raise Forbidden("Only administrators can close and reopen seasons.")
    return request.user
