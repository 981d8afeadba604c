"""Home, documentation, theme."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from engines import Game
from ladder.ladders.models import Ladder
from ladder.ladders.queries import open_ladders
from ladder.ratings.leaderboard import LeaderboardRow, leaderboard
from ladder.web import library
from ladder.web.context import THEMES, games_in_order
from ladder.web.markdown import render_page
from ladder.web.pictures import Scene, scene_of
from ladder.web.positions import recent_position
from ladder.web.slow import Counters, counters, surprises
from ladder.web.views.ladders import Board, board_of
from ladder.web.views.projector import OnShow, on_show, shown_in
from ladder.web.views.tournaments import running_tournaments

YEAR_S = 365 * 24 * 3600
TOP = 5
WATCHED_S, LOOK_AGAIN_S = 30, 10  # until the table of the home page asks again: during a match, and while none runs


@dataclass(frozen=True, slots=True)
class LadderTop:
    """The first rows of a ladder, drawn like its page."""

    ladder: Ladder
    board: Board
    tells_seats: bool  # a game of two has one ladder unless it says otherwise


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game on the home page: what it is, who leads its first ranked ladder, and how many matches of it are on."""

    game: Game
    scene: Scene | None
    ladder: Ladder | None
    leader: LeaderboardRow | None
    running: int
    tells_seats: bool  # the game has several ladders, and the leader is that of one
    is_ahead: bool  # nobody shares the leader's rank

    @property
    def players(self) -> str:
        """How many can play, in words."""
        least, most = self.game.seats[0], self.game.seats[-1]
        return f"{least} players" if least == most else f"{least} to {most} players"


def home(request: HttpRequest) -> HttpResponse:
    """A match that plays, what the games are, what happens now, and the three doors; made anew with each count."""
    counted = counters()
    place = _on_show(counted)
    tops = cache(_tops)
    context = {
        "counters": counted,
        **_also(counted, place.next_after(0)),
        "cards": SimpleLazyObject(lambda: _cards(tops(), counted)),
        "tops": tops,
        "surprises": SimpleLazyObject(surprises),
        "tournaments": SimpleLazyObject(running_tournaments),
    }
    return on_show(request, place, context, "web/home.html")


def home_table(request: HttpRequest) -> HttpResponse:
    """The table of the home page alone, asked for again when its match is over and now and then."""
    return on_show(request, _on_show(counters()))


def _on_show(counted: Counters) -> OnShow:
    """What runs by the same count that the page prints, so that no number contradicts the picture.

    A version's checks are shown only where nothing else was ever played: they are short, and often against itself.
    """
    running = counted.on_air or (counted.on_trial if counted.on_trial and not recent_position() else 0)
    after_s = WATCHED_S if running else LOOK_AGAIN_S
    return OnShow(running=[running] if running else [], again=reverse("web:home_table"), after_s=after_s)


def _cards(tops: list[LadderTop], counted: Counters) -> list[GameCard]:
    return [_card(game, tops, counted.running_by_game.get(game.name, 0)) for game in games_in_order()]


def _card(game: Game, tops: list[LadderTop], running: int) -> GameCard:
    own = [top for top in tops if top.ladder.game == game.name]
    ranked = ((top, row) for top in own for row in top.board.page.rows if not row.is_provisional)
    top, leader = next(ranked, (next(iter(own), None), None))
    is_ahead = top is not None and leader is not None and len(top.board.storeys[0].rows) == 1
    return GameCard(game, scene_of(game), top.ladder if top else None, leader, running, len(own) > 1, is_ahead)


def _tops() -> list[LadderTop]:
    places = {game.name: place for place, game in enumerate(games_in_order())}
    ladders = sorted(open_ladders(), key=lambda one: (places.get(one.game, 99), one.slug))
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
    """The counters alone, and what is played on other tables, fetched again and again."""
    counted = counters()
    also = _also(counted, shown_in(request))
    if "over" in request.GET:  # the page knows before the counter does
        also["is_shown_on"] = False
    context = {"counters": counted, "is_fragment": True, **also}
    return render(request, "web/_counters.html", context)


def _also(counted: Counters, shown: int) -> dict[str, object]:
    """What is played on other tables than the one that is shown, which may be one that is over."""
    return {"also": counted.besides(shown), "is_shown_on": counted.is_on(shown)}


def docs(request: HttpRequest, page: str | None = None) -> HttpResponse:
    """One page of docs/, with the shelves of all beside it; or the shelves alone."""
    context: dict[str, object] = {"nav": "docs", "shelves": library.shelves()}
    if page is None:
        return render(request, "web/docs.html", context)
    files = library.files()
    if page not in files:
        raise Http404
    shown = {"page": page, "doc_title": library.title_of(files[page]), "body": render_page(files[page]).body}
    return render(request, "web/docs.html", context | shown)


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
