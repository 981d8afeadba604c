"""The leaderboard of a ladder, what runs on it now, and how sure a comparison of two bots is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import urlencode

from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from engines import GAMES
from ladder.accounts.permissions import HOUSE
from ladder.ladders.models import Ladder
from ladder.ladders.queries import get_ladder, open_ladders_of
from ladder.matches.models import Match
from ladder.matches.queries import these_matches_in_full
from ladder.prepared import prepared
from ladder.ratings.comparing import LONGEST_NAME, both_places, compare
from ladder.ratings.leaderboard import BEST_FIRST, ORDERS, BoardPage, LeaderboardRow, leaderboard
from ladder.ratings.models import Standing
from ladder.ratings.queries import latest_problem, shares_by, shown_fit
from ladder.refusals import Refused
from ladder.web.cards import card_of_ladder
from ladder.web.plots import Storey, Tick, scale_for, storeys
from ladder.web.slow import remembered

CHOICES = 100  # names that the form of a comparison offers
NEIGHBOURS = 5  # pairs of the best that it proposes
ORDER_NAMES = {
    "-rating": "rating", "sd": "most certain", "-mu": "TrueSkill", "-matches": "most matches",
    "-faults": "most faults", "-version": "newest version", "name": "name",
}  # fmt: skip
HEADS = {
    "bot": "name",
    "rating": "-rating",
    "sd": "sd",
    "mu": "-mu",
    "matches": "-matches",
}  # columns, and their order at first


@dataclass(frozen=True, slots=True)
class Head:
    """A column head that orders the table: where it leads, and how the table stands by it now."""

    href: str
    aria: str = ""
    arrow: str = ""


@dataclass(frozen=True, slots=True)
class Filters:
    """What a reader asked a leaderboard for."""

    search: str
    mine: bool
    order: str
    cursor: str | None
    trueskill: bool = True  # whether its column is shown

    @classmethod
    def of(cls, request: HttpRequest) -> Filters:
        asked = request.GET
        order = asked.get("order", "")
        return cls(
            search=asked.get("q", "").strip()[:60],
            mine=bool(asked.get("mine")) and request.user.is_authenticated,
            order=order if order in ORDERS else BEST_FIRST,
            cursor=asked.get("cursor"),
            trueskill=asked.get("trueskill") != "off",
        )

    @property
    def is_plain(self) -> bool:
        """Storeys are drawn only when nothing is left out and the order is the rating's."""
        return not (self.search or self.mine or self.order != BEST_FIRST)

    def link(self, *, order: str = "", cursor: str = "") -> str:
        """The same question in another order, or another page of its answer."""
        order = order or self.order
        asked = {"q": self.search, "mine": "1" if self.mine else "", "cursor": cursor}
        asked["trueskill"] = "" if self.trueskill else "off"
        asked["order"] = "" if order == BEST_FIRST else order
        return "?" + urlencode({name: value for name, value in asked.items() if value})

    def heads(self) -> dict[str, Head]:
        """The column heads; the one the table stands by turns it round."""
        return {column: self._head(first) for column, first in HEADS.items()}

    def _head(self, first: str) -> Head:
        turned = first.removeprefix("-") if first.startswith("-") else f"-{first}"
        if self.order not in (first, turned):
            return Head(self.link(order=first))
        aria, arrow = ("descending", "▾") if self.order.startswith("-") else ("ascending", "▴")
        return Head(self.link(order=turned if self.order == first else first), aria, arrow)

    def orders(self) -> dict[str, str]:
        """What the form offers; an order that only a column head leads to is among them while the table has it."""
        turned = self.order.removeprefix("-") if self.order.startswith("-") else f"-{self.order}"
        now = {} if self.order in ORDER_NAMES else {self.order: _turned_name(self.order, turned)}
        return {**ORDER_NAMES, **now}


def _turned_name(order: str, turned: str) -> str:
    return f"{ORDER_NAMES[turned]}, reversed" if turned in ORDER_NAMES else order.removeprefix("-")


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard ready to be drawn."""

    storeys: list[Storey[LeaderboardRow]]
    ticks: list[Tick]
    page: BoardPage


@dataclass(frozen=True, slots=True)
class Pager:
    """Links to the pages beside this one."""

    previous: str
    next: str


def board_of(page: BoardPage, *, with_storeys: bool) -> Board:
    """Rows with their bars on one scale."""
    rows = page.rows
    known = [row for row in rows if not row.is_provisional] or [row for row in rows if row.matches]
    scale = scale_for(known, points=[row.rating for row in rows])
    drawn = storeys(rows, scale=scale, are_drawn=with_storeys)
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
    board = board_of(_page(ladder, filters, request), with_storeys=filters.is_plain)
    fit, bots = shown_fit(ladder), listed_count(ladder)
    shares = shares_by(fit)
    context = {
        "nav": ladder.game,
        "ladder": ladder,
        "game": GAMES[ladder.game],
        "siblings": open_ladders_of(ladder.game),
        "filters": filters,
        "board": board,
        "pager": _pager(filters, board.page),
        "bots": bots,
        "card": card_of_ladder(ladder, bots),
        "fit": fit,
        "fit_problem": latest_problem(ladder),
        "shares": shares,
        "turns_and_seats": list(zip(shares.by_turn, shares.by_seat, strict=True)),
        "shows_trueskill": filters.trueskill,
        "running": running_on(ladder),
        "house": HOUSE,
        "is_wall": "wall" in request.GET,
    }
    return render(request, "web/ladder.html", context)


def _page(ladder: Ladder, filters: Filters, request: HttpRequest) -> BoardPage:
    owner = request.user.get_username() if filters.mine else ""
    return leaderboard(ladder, order=filters.order, cursor=filters.cursor, search=filters.search, owner=owner)


def _pager(filters: Filters, page: BoardPage) -> Pager | None:
    if not (page.previous or page.next):
        return None
    return Pager(*(filters.link(cursor=cursor) if cursor else "" for cursor in (page.previous, page.next)))


def listed_count(ladder: Ladder) -> int:
    """How many bots are on the board."""
    return remembered(f"listed:{ladder.pk}", 30, lambda: sum(_listed_on(ladder.pk)))


@prepared
def _listed_on(ladder_id: int) -> QuerySet[Standing, int]:
    """The number of listed lines; no row at all where there are none."""
    listed = Standing.objects.filter(ladder=ladder_id, is_listed=True).order_by()
    return listed.values("ladder").annotate(count=Count("pk")).values_list("count", flat=True)


def running_on(ladder: Ladder | None = None) -> list[Match]:
    """A few matches that are being played now."""
    return these_matches_in_full(_running_on(ladder.pk) if ladder else _running())


def _running_ids(matches: QuerySet[Match]) -> QuerySet[Match, int]:
    running = matches.filter(status=Match.Status.RUNNING).order_by("-id")
    return running.values_list("pk", flat=True)[:4]


@prepared
def _running() -> QuerySet[Match, int]:
    return _running_ids(Match.objects.all())


@prepared
def _running_on(ladder_id: int) -> QuerySet[Match, int]:
    return _running_ids(Match.objects.filter(ladder=ladder_id))


def live(request: HttpRequest, slug: str) -> HttpResponse:
    """The strip of what runs now, fetched again and again."""
    ladder = get_ladder(slug)
    return render(request, "web/_live.html", {"ladder": ladder, "running": running_on(ladder)})


def compare_page(request: HttpRequest, slug: str) -> HttpResponse:
    """How sure it is that one bot, or one version, of a ladder is better than another."""
    ladder = get_ladder(slug)
    names = {key: request.GET.get(key, "").strip()[:LONGEST_NAME] for key in ("a", "b")}
    context = {"nav": ladder.game, "ladder": ladder, "game": GAMES[ladder.game], "names": names}
    context["others"] = others = [name for name in _bots_to_choose(ladder) if name not in names.values()]
    if not any(names.values()):
        context["neighbours"] = list(pairwise(others[: NEIGHBOURS + 1]))
    if all(names.values()):
        try:
            one, other = both_places(ladder, **names)
        except Refused as refused:
            context["refused"] = refused
        else:
            comparison = compare(one, other)
            context |= {"one": one, "other": other, "comparison": comparison, "places": (one, other)}
            context["to_separate"] = comparison.gap.matches_to_separate
            context["download"] = f"{reverse('api:compare', args=[ladder.slug])}?{urlencode(names)}"
    return render(request, "web/compare.html", context)


def _bots_to_choose(ladder: Ladder) -> list[str]:
    """The names that the form offers: the best of the ladder."""
    listed = ladder.standings.filter(is_listed=True).order_by("-board_key", "id")
    return list(listed.values_list("bot__name", flat=True)[:CHOICES])
