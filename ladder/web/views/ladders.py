"""The leaderboard of a ladder, what runs on it now, and how sure a comparison of two bots is."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from engines import GAMES
from ladder.matches.models import Match
from ladder.matches.queries import matches_in_full
from ladder.ratings.models import Ladder, Standing
from ladder.ratings.queries import Page, Row, compare, get_ladder, leaderboard, seat_advantage
from ladder.submissions.services import HOUSE
from ladder.web.plots import Scale, Storey, Tick, scale_for, storeys
from ladder.web.slow import remembered
from ladder.web.sorting import SORTS, sorted_rows

PROVISIONAL_FACTOR = 2  # known half as well as the ladder aims for: shown, not ranked
WHOLE_SCALE = Scale(0, 50)


@dataclass(frozen=True, slots=True)
class Filters:
    """What a reader asked a leaderboard for."""

    search: str
    mine: bool
    sort: str
    cursor: str | None

    @classmethod
    def of(cls, request: HttpRequest) -> Filters:
        asked = request.GET
        sort = asked.get("sort", "")
        return cls(
            search=asked.get("q", "").strip()[:60],
            mine=bool(asked.get("mine")) and request.user.is_authenticated,
            sort=sort if sort in SORTS else "",
            cursor=asked.get("cursor"),
        )

    @property
    def is_plain(self) -> bool:
        """Storeys are drawn only when nothing is left out and the order is the rating's."""
        return not (self.search or self.mine or self.sort)


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard ready to be drawn."""

    storeys: list[Storey[Row]]
    ticks: list[Tick]
    page: Page


def board_of(ladder: Ladder, page: Page, *, with_storeys: bool) -> Board:
    """Rows with their bars on one scale."""
    rows = page.rows
    provisional = [row.sigma > PROVISIONAL_FACTOR * ladder.sigma_goal for row in rows]
    known = [row for row, is_loose in zip(rows, provisional, strict=True) if not is_loose] or list(rows)
    scale = scale_for(known)
    drawn = storeys(
        rows, scale=scale, provisional=provisional, ranks=[row.rank for row in rows], are_drawn=with_storeys
    )
    return Board(drawn, scale.ticks(), page)


def game(request: HttpRequest, name: str) -> HttpResponse:
    """A game's first open ladder, or its rules while it has none."""
    if name not in GAMES:
        raise Http404
    first = Ladder.objects.filter(game=name, is_open=True).order_by("seats", "slug").first()
    return redirect("web:ladder", first.slug) if first else redirect("web:rules", name)


def ladder_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The leaderboard with its facts, filters and live strip."""
    ladder = get_ladder(slug)
    filters = Filters.of(request)
    board = board_of(ladder, _page(ladder, filters, request), with_storeys=filters.is_plain)
    context = {
        "nav": ladder.game,
        "ladder": ladder,
        "game": GAMES[ladder.game],
        "siblings": list(Ladder.objects.filter(game=ladder.game, is_open=True)),
        "filters": filters,
        "board": board,
        "bots": remembered(f"listed:{ladder.pk}", 30, _listed(ladder).count),
        "seats": seat_advantage(ladder),
        "running": running_on(ladder),
        "house": HOUSE,
        "is_wall": "wall" in request.GET,
    }
    return render(request, "web/ladder.html", context)


def _page(ladder: Ladder, filters: Filters, request: HttpRequest) -> Page:
    owner = request.user.get_username() if filters.mine else ""
    if not filters.is_plain:
        return sorted_rows(ladder, sort=filters.sort, search=filters.search, owner=owner)
    return leaderboard(ladder, cursor=filters.cursor, search=filters.search, owner=owner)


def _listed(ladder: Ladder):
    return Standing.objects.filter(ladder=ladder, is_listed=True)


def running_on(ladder: Ladder | None = None) -> list[Match]:
    """A few matches that are being played now."""
    running = matches_in_full().filter(status=Match.Status.RUNNING)
    return list((running.filter(ladder=ladder) if ladder else running)[:4])


def live(request: HttpRequest, slug: str) -> HttpResponse:
    """The strip of what runs now, fetched again and again."""
    ladder = get_ladder(slug)
    return render(request, "web/_live.html", {"ladder": ladder, "running": running_on(ladder)})


def compare_page(request: HttpRequest, slug: str) -> HttpResponse:
    """How sure it is that one bot of a ladder is better than another."""
    ladder = get_ladder(slug)
    one, other = (_standing(ladder, request.GET.get(key, "")) for key in ("a", "b"))
    context = {"nav": ladder.game, "ladder": ladder, "game": GAMES[ladder.game], "one": one, "other": other}
    context["names"] = {key: request.GET.get(key, "").strip()[:60] for key in ("a", "b")}
    if one and other and one.pk != other.pk:
        context["comparison"] = compare(one, other)
    return render(request, "web/compare.html", context)


def _standing(ladder: Ladder, name: str) -> Standing | None:
    named = _listed(ladder).filter(bot__name__iexact=name.strip()[:60]).select_related("bot", "version")
    return named.first() if name.strip() else None
