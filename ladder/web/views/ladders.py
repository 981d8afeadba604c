"""The leaderboard of a ladder, what runs on it now, and how sure a comparison of two bots is."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from engines import GAMES
from ladder.accounts.permissions import HOUSE
from ladder.ladders.models import Ladder
from ladder.ladders.queries import get_ladder
from ladder.matches.models import Match
from ladder.matches.queries import matches_in_full
from ladder.ratings.comparing import compare
from ladder.ratings.leaderboard import BEST_FIRST, ORDERS, Page, Row, leaderboard
from ladder.ratings.models import Standing
from ladder.ratings.queries import latest_problem, shares_of, shown_fit
from ladder.web.cards import card_of_ladder
from ladder.web.plots import Scale, Storey, Tick, scale_for, storeys
from ladder.web.slow import remembered

WHOLE_SCALE = Scale(0, 50)
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

    storeys: list[Storey[Row]]
    ticks: list[Tick]
    page: Page


@dataclass(frozen=True, slots=True)
class Pager:
    """Links to the pages beside this one."""

    previous: str
    next: str


def board_of(page: Page, *, with_storeys: bool) -> Board:
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
    shares = shares_of(ladder)
    context = {
        "nav": ladder.game,
        "ladder": ladder,
        "game": GAMES[ladder.game],
        "siblings": list(Ladder.objects.filter(game=ladder.game, is_open=True)),
        "filters": filters,
        "board": board,
        "pager": _pager(filters, board.page),
        "bots": remembered(f"listed:{ladder.pk}", 30, _listed(ladder).count),
        "fit": shown_fit(ladder),
        "fit_problem": latest_problem(ladder),
        "shares": shares,
        "turns_and_seats": list(zip(shares.by_turn, shares.by_seat, strict=True)),
        "shows_trueskill": filters.trueskill,
        "running": running_on(ladder),
        "house": HOUSE,
        "is_wall": "wall" in request.GET,
    }
    context["card"] = card_of_ladder(ladder, context["bots"])
    return render(request, "web/ladder.html", context)


def _page(ladder: Ladder, filters: Filters, request: HttpRequest) -> Page:
    owner = request.user.get_username() if filters.mine else ""
    return leaderboard(ladder, order=filters.order, cursor=filters.cursor, search=filters.search, owner=owner)


def _pager(filters: Filters, page: Page) -> Pager | None:
    if not (page.previous or page.next):
        return None
    return Pager(*(filters.link(cursor=cursor) if cursor else "" for cursor in (page.previous, page.next)))


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
        comparison = compare(one, other)
        context |= {"comparison": comparison, "places": (one, other)}
        context["to_separate"] = comparison.gap.matches_to_separate
    return render(request, "web/compare.html", context)


def _standing(ladder: Ladder, asked: str) -> Standing | None:
    """The place of a bot's active version, or of another one by its number: `lamplighter v3`."""
    name = asked.strip()[:60]
    places = ladder.standings.select_related("bot", "version", "ladder")
    if found := places.filter(is_listed=True, bot__name__iexact=name).first():
        return found
    bot, _, number = name.rpartition(" v")
    if not (number.isdecimal() and len(number) < 9):
        return None
    return places.filter(bot__name__iexact=bot, version__number=int(number)).first()
