"""Home, documentation, rules, theme."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from arena.plain import drawing_of
from engines import GAMES, Game
from ladder.ladders.models import Ladder
from ladder.ratings.leaderboard import Row, leaderboard
from ladder.web.context import THEMES, games_in_order
from ladder.web.markdown import render_page
from ladder.web.pictures import picture_of
from ladder.web.positions import recent_position
from ladder.web.slow import counters, surprises
from ladder.web.views.ladders import Board, board_of
from ladder.web.views.tournaments import running_tournaments

YEAR_S = 365 * 24 * 3600


TOP = 5


@dataclass(frozen=True, slots=True)
class LadderTop:
    """The first rows of a ladder, drawn like its page."""

    ladder: Ladder
    board: Board
    tells_seats: bool  # a game of two has one ladder unless it says otherwise


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game on the home page: what it is, who leads its first ladder, and how many matches of it are on."""

    game: Game
    drawing: str
    picture: dict[str, Any] | None
    ladder: Ladder | None
    leader: Row | None
    running: int

    @property
    def scene_id(self) -> str:
        return f"scene-{self.game.name}"


def home(request: HttpRequest) -> HttpResponse:
    """A match that plays, what the games are, what happens now, and the three doors."""
    tops, counted = _tops(), counters()
    context = {
        "counters": counted,
        "cards": [_card(game, tops, counted.running_by_game.get(game.name, 0)) for game in games_in_order()],
        "tops": tops,
        "surprises": surprises(),
        "tournaments": running_tournaments(),
        "position": recent_position(),
    }
    return render(request, "web/home.html", context)


def _card(game: Game, tops: list[LadderTop], running: int) -> GameCard:
    top = next((top for top in tops if top.ladder.game == game.name), None)
    leader = next((row for row in top.board.page.rows if not row.is_provisional), None) if top else None
    ladder = top.ladder if top else None
    return GameCard(game, drawing_of(game.name), picture_of(game.name), ladder, leader, running)


def _tops() -> list[LadderTop]:
    places = {game.name: place for place, game in enumerate(games_in_order())}
    ladders = sorted(Ladder.objects.filter(is_open=True), key=lambda one: (places.get(one.game, 99), one.slug))
    counted = Counter(ladder.game for ladder in ladders)
    return [
        LadderTop(
            ladder,
            board_of(leaderboard(ladder, limit=TOP), with_storeys=True),
            tells_seats=ladder.seats != 2 or counted[ladder.game] > 1,
        )
        for ladder in ladders
    ]


CLOSED_TO_ROBOTS = (
    "accounts/", "admin/", "api/", "matches/*/frames/", "matches/*/record/", "matches/*/verify/",
    "tournaments/*/export/", "tournaments/*/proof/", "tournaments/*/results/",
)  # fmt: skip


def robots(request: HttpRequest) -> HttpResponse:
    """What crawlers should leave alone: what costs work, and what has nothing to find."""
    lines = ["User-agent: *", *(f"Disallow: {reverse('web:home')}{path}" for path in CLOSED_TO_ROBOTS)]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def home_counters(request: HttpRequest) -> HttpResponse:
    """The counters alone, fetched again and again."""
    return render(request, "web/_counters.html", {"counters": counters(), "is_fragment": True})


def docs_folder() -> Path:
    return Path(settings.BASE_DIR) / "docs"


def docs(request: HttpRequest, page: str | None = None) -> HttpResponse:
    """One page of docs/, with the list of all beside it."""
    files = {path.stem: path for path in sorted(docs_folder().glob("*-*.md"), key=_place)}
    pages = [(stem, render_page(path)[0]) for stem, path in files.items()]
    if page is None:
        return render(request, "web/docs.html", {"nav": "docs", "pages": pages})
    if page not in files:
        raise Http404
    title, body = render_page(files[page])
    return render(
        request, "web/docs.html", {"nav": "docs", "pages": pages, "page": page, "doc_title": title, "body": body}
    )


def _place(path: Path) -> tuple[int, str]:
    """Numbered pages by their number, the others after them."""
    number = path.stem.split("-")[0]
    return (int(number) if number.isdecimal() else 1_000, path.stem)


def rules(request: HttpRequest, name: str) -> HttpResponse:
    """The rules of a game, from its RULES.md."""
    return _page_of_a_game(request, name, "RULES.md", "web/rules.html")


def for_bots(request: HttpRequest, name: str) -> HttpResponse:
    """The actions and observations of a game, from its BOTS.md."""
    return _page_of_a_game(request, name, "BOTS.md", "web/for_bots.html")


def _page_of_a_game(request: HttpRequest, name: str, page: str, template: str) -> HttpResponse:
    if name not in GAMES or not (GAMES[name].folder / page).exists():
        raise Http404
    title, body = render_page(GAMES[name].folder / page)
    return render(request, template, {"nav": name, "game": GAMES[name], "doc_title": title, "body": body})


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Keep the reader's theme in a cookie and go back to where they were."""
    target = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()}):
        target = reverse("web:home")
    response = HttpResponseRedirect(target)
    theme = request.POST.get("theme")
    if theme in THEMES:
        response.set_cookie("theme", theme, max_age=YEAR_S, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
    return response
