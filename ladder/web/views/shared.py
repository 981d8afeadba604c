"""What other sites show of ours: pictures of links, pages that may stand in a frame, and oEmbed."""

from __future__ import annotations

from dataclasses import replace
from typing import cast
from urllib.parse import urlsplit

from csp.decorators import csp_replace
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from engines import GAMES
from ladder.api.throttles import Costly, PerMinute, ViewFunction, throttled
from ladder.ladders.queries import get_ladder
from ladder.matches.models import Match
from ladder.matches.permissions import eyes_of
from ladder.matches.queries import is_revealed
from ladder.matches.records import NoRecord, UnplayableRecord, frames_of
from ladder.ratings.leaderboard import leaderboard
from ladder.submissions.queries import bots_in_full
from ladder.tournaments.models import SheetRow, Tournament
from ladder.tournaments.queries import get_tournament, matches_of, progress, winners_of
from ladder.web.cards import LinkCard, card_of_bot, card_of_ladder, card_of_match, card_of_tournament
from ladder.web.endings import ending_sentence
from ladder.web.pictures import picture_of
from ladder.web.posters import SIZE, Poster, has_pictures, packed, poster_png
from ladder.web.views.authors import best_game, card_of, get_author
from ladder.web.views.bots import rated_standing
from ladder.web.views.ladders import board_of, listed_count
from ladder.web.views.matches import get_match, record_of, viewer_context

EMBED_SIZE = {"match": (960, 640), "ladder": (640, 560)}
LEAST_EMBED = 280
ROWS = 10
BOARDS = ("light", "dark")
KEPT_S, KEPT_WHILE_OPEN_S = 86_400, 300


def _png(poster: Poster, *, seconds: int) -> HttpResponse:
    if not has_pictures():
        raise Http404
    return HttpResponse(poster_png(poster), "image/png", headers={"Cache-Control": f"public, max-age={seconds}"})


@require_safe
@throttled(PerMinute, Costly)
def match_picture(request: HttpRequest, match_id: int) -> HttpResponse:
    """Who played, how it ended, and its last position once that may be seen."""
    match = get_match(match_id)
    card = card_of_match(match, ending_sentence(match, record_of(match)))
    names = tuple(seat.version.bot.name for seat in match.seats.all())
    frame = _last_frame(match)
    text = card.description.partition(": ")[2]
    poster = Poster(match.ladder.game, "", names, text, packed(frame or picture_of(match.ladder.game)))
    return _png(poster, seconds=KEPT_S if frame else KEPT_WHILE_OPEN_S)


def _last_frame(match: Match) -> dict[str, object] | None:
    """The last position that is drawn; None while the seed is in use, and where there is none."""
    if not match.plies or not is_revealed(match):
        return None
    try:
        last = frames_of(match, start=match.plies, end=match.plies + 1)[0].as_json()
    except (NoRecord, UnplayableRecord, IndexError):
        return None
    return {"state": last["state"], "entry": None} if last.get("state") else None


@require_safe
@throttled(PerMinute, Costly)
def bot_picture(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Whose bot it is and how it is rated."""
    bot = get_object_or_404(bots_in_full(), pk=bot_id)
    return _png(_card_poster(bot.game, card_of_bot(bot, rated_standing(bot))), seconds=KEPT_WHILE_OPEN_S)


@require_safe
@throttled(PerMinute, Costly)
def author_picture(request: HttpRequest, username: str) -> HttpResponse:
    """Whose bots they are, and the game of the best of them."""
    author = get_author(username)
    game, card = best_game(author), card_of(author)
    poster = Poster(game, card.title, (), card.description, packed(picture_of(game)), above="Author")
    return _png(poster, seconds=KEPT_WHILE_OPEN_S)


@require_safe
@throttled(PerMinute, Costly)
def ladder_picture(request: HttpRequest, slug: str) -> HttpResponse:
    """How many play on it."""
    ladder = get_ladder(slug)
    return _png(_card_poster(ladder.game, card_of_ladder(ladder, listed_count(ladder))), seconds=KEPT_WHILE_OPEN_S)


@require_safe
@throttled(PerMinute, Costly)
def tournament_picture(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """What is played, how far it is, and who has won; `?board=` gives the winner's board alone, in either theme."""
    tournament = get_tournament(tournament_id, AnonymousUser())
    card = card_of_tournament(tournament, progress(tournament))
    if winners := winners_of(tournament):
        asked = request.GET.get("board", "")
        poster = _winners_poster(tournament, card, winners)
        return _png(replace(poster, is_board=asked in BOARDS, is_night=asked == "dark"), seconds=KEPT_S)
    return _png(_card_poster(tournament.ladder.game, card), seconds=KEPT_WHILE_OPEN_S)


def _winners_poster(tournament: Tournament, card: LinkCard, winners: list[SheetRow]) -> Poster:
    """Who won, and how the board stood at the end of the winner's last match."""
    names = " and ".join(row.entrant.bot.name for row in winners[:3])
    last = matches_of(tournament, entrants=[winners[0].entrant.number or 0]).order_by("-pk").first()
    frame = (_last_frame(last) if last else None) or picture_of(tournament.ladder.game)
    return Poster(tournament.ladder.game, f"{names} won", (), f"{tournament.name}. {card.description}", packed(frame))


def _card_poster(game: str, card: LinkCard) -> Poster:
    return Poster(game, card.title, (), card.description, packed(picture_of(game)))


def framable(view: ViewFunction) -> ViewFunction:
    """Let any other site show this page in a frame."""
    return cast("ViewFunction", xframe_options_exempt(csp_replace({"frame-ancestors": ["*"]})(view)))


@require_safe
@framable
def embedded_match(request: HttpRequest, match_id: int) -> HttpResponse:
    """The replay alone, as anybody may see it."""
    match = get_match(match_id)
    context = {"match": match, "game": GAMES[match.ladder.game]}
    context |= viewer_context(match, record_of(match), eyes_of(AnonymousUser(), match))
    return render(request, "web/embedded_match.html", context)


@require_safe
@framable
def embedded_ladder(request: HttpRequest, slug: str) -> HttpResponse:
    """The first rows of a leaderboard."""
    ladder = get_ladder(slug)
    board = board_of(leaderboard(ladder, limit=ROWS), with_storeys=True)
    return render(request, "web/embedded_ladder.html", {"ladder": ladder, "game": GAMES[ladder.game], "board": board})


@require_safe
@throttled(PerMinute)
def oembed(request: HttpRequest) -> HttpResponse:
    """The oEmbed answer for a match or a leaderboard of this very site; 404 for any other address."""
    if request.GET.get("format", "json") != "json":
        return JsonResponse(
            {"error": {"code": "not_implemented", "message": "Only format=json is served."}}, status=501
        )
    found = _own_page(request, request.GET.get("url", ""))
    if found is None or found.url_name not in EMBED_SIZE:
        return _refused(404, "not_found", "Only matches and leaderboards of this site can be embedded.")
    return JsonResponse(_rich(request, found))


def _refused(status: int, code: str, message: str) -> HttpResponse:
    return JsonResponse({"error": {"code": code, "message": message}}, status=status)


def _own_page(request: HttpRequest, url: str) -> ResolverMatch | None:
    """The page of this site that an address means; None for addresses of others and for no page at all."""
    try:
        parts = urlsplit(url[:2_000])
    except ValueError:
        return None
    prefix = reverse("web:home")
    if parts.netloc != request.get_host() or parts.scheme not in ("http", "https") or not parts.path.startswith(prefix):
        return None
    try:
        return resolve(f"/{parts.path.removeprefix(prefix)}")
    except Resolver404:
        return None


def _rich(request: HttpRequest, found: ResolverMatch) -> dict[str, object]:
    """The answer: a frame, as large as was asked for, and the picture of the page."""
    card = _card_at(found)
    widest, highest = EMBED_SIZE[found.url_name or ""]
    size = {"width": _at_most(request, "maxwidth", widest), "height": _at_most(request, "maxheight", highest)}
    key = next(iter(found.kwargs.values()))
    address = request.build_absolute_uri(reverse(f"web:embedded_{found.url_name}", args=[key]))
    told: dict[str, object] = {
        **size,
        "version": "1.0",
        "type": "rich",
        "title": card.title,
        "provider_name": "Rumrunner",
        "provider_url": request.build_absolute_uri(reverse("web:home")),
        "html": render_to_string("web/_frame.html", {"address": address, "title": card.title, **size}).strip(),
    }
    if not has_pictures():
        return told
    picture = request.build_absolute_uri(reverse(f"web:{found.url_name}_picture", args=[key]))
    return told | {"thumbnail_url": picture, "thumbnail_width": SIZE[0], "thumbnail_height": SIZE[1]}


def _card_at(found: ResolverMatch) -> LinkCard:
    """What the page says of itself; raises Http404 or Missing where there is none."""
    if found.url_name == "match":
        match = get_match(found.kwargs["match_id"])
        return card_of_match(match, "")
    ladder = get_ladder(found.kwargs["slug"])
    return card_of_ladder(ladder, listed_count(ladder))


def _at_most(request: HttpRequest, key: str, size: int) -> int:
    asked = request.GET.get(key, "")
    return max(LEAST_EMBED, min(size, int(asked))) if asked.isdecimal() and len(asked) < 6 else size
