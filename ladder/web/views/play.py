"""Games that people play against bots: the lobby, the table, what is chosen there, and its replay."""

from __future__ import annotations

import json
import secrets
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from arena.plain import drawing_of
from engines import GAMES, Game
from ladder.accounts.models import User
from ladder.api.throttles import Costly, PerMinute, throttled
from ladder.parlour.models import Sitting
from ladder.parlour.permissions import HumanPlayer, may_watch, seat_of
from ladder.parlour.queries import (
    ending_of,
    faults_of,
    get_sitting,
    is_queued,
    opponents,
    replay_of,
    sittings_of,
    unfinished_of,
    view_of,
    wait_p95_ms,
)
from ladder.parlour.services import Sitter, SittingRefused, begin, check_invite, choose, join, resign
from ladder.refusals import Conflict, Refused
from ladder.submissions.models import BotVersion
from ladder.web.pictures import scene_of
from ladder.web.reader import wants_json

COOKIE, COOKIE_S = "parlour", 30 * 86_400
LATEST = 10
FRAMES = 100


def player_of(request: HttpRequest) -> HumanPlayer:
    """Who asks: a signed-in person, the guest that this browser is known as, or both."""
    secret = request.get_signed_cookie(COOKIE, "", salt=COOKIE, max_age=COOKIE_S) or ""
    return HumanPlayer(request.user if isinstance(request.user, User) else None, secret)


def _remembered(request: HttpRequest, player: HumanPlayer, answer: HttpResponse) -> HttpResponse:
    """Let a guest's browser keep the secret that its chairs are known by."""
    if player.user is None:
        kept = {"httponly": True, "samesite": "Lax", "secure": request.is_secure(), "max_age": COOKIE_S}
        answer.set_signed_cookie(COOKIE, player.secret, salt=COOKIE, **kept)
    return answer


def _newcomer(request: HttpRequest) -> HumanPlayer:
    player = player_of(request)
    return player if player.user or player.secret else HumanPlayer(secret=secrets.token_urlsafe(24))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@throttled(PerMinute)
def lobby(request: HttpRequest) -> HttpResponse:
    """Choose a game, a seat and who else plays."""
    asked = request.POST if request.method == "POST" else request.GET
    game = GAMES.get(asked.get("game", "")) or next(iter(GAMES.values()))
    seats = _number(asked.get("seats", ""))
    seats = seats if seats in game.seats else game.seats.start
    if "begin" in request.POST:
        return _begin(request, game, seats)
    return _lobby_page(request, game, seats, asked)


def _begin(request: HttpRequest, game: Game, seats: int) -> HttpResponse:
    """To the table of a new game, or the form again with what speaks against it."""
    player = _newcomer(request)
    try:
        chairs, options = _chairs(request, seats), _chosen(game, request.POST)
        sitting = begin(player, game=game.name, chairs=chairs, options=options)
    except Refused as refused:
        return _lobby_page(request, game, seats, request.POST, problem=refused.message)
    return _remembered(request, player, redirect("web:sitting", sitting.key))


def _lobby_page(request: HttpRequest, game: Game, seats: int, asked: QueryDict, *, problem: str = "") -> HttpResponse:
    player = player_of(request)
    bots, chosen = opponents(player, game.name), _chosen(game, asked)
    context = {
        "nav": "play",
        "games": list(GAMES.values()),
        "game": game,
        "scene": scene_of(game),
        "seats": seats,
        "problem": problem,
        "places": [
            (seat, game.words.seat_name(seat, seats), asked.get(f"seat{seat}") or _usual(seat, bots, asked))
            for seat in range(seats)
        ],
        "options": [(name, chosen[name], values) for name, values in game.options.items()],
        "wait_s": None if (wait_ms := wait_p95_ms()) is None else wait_ms / 1000,
        "bots": bots,
        "left": _to_give_up(player),
        "latest": _latest(player),
    }
    return render(request, "web/play.html", context, status=400 if problem else 200)


def _to_give_up(player: HumanPlayer) -> Sitting | None:
    """The game that a guest leaves for another one."""
    return unfinished_of(player).first() if player.user is None else None


def _latest(player: HumanPlayer) -> list[tuple[Sitting, str, str]]:
    """Somebody's latest games, with the game's title and how far it is for them; empty where they can go on."""
    games = [(one, GAMES[one.game].title) for one in sittings_of(player)[:LATEST] if one.game in GAMES]
    return [(one, title, one.status if one.is_over else _fault_of(player, one)) for one, title in games]


def _fault_of(player: HumanPlayer, sitting: Sitting) -> str:
    return next((fault.kind for fault in faults_of(sitting) if fault.seat == seat_of(player, sitting)), "")


def _usual(seat: int, bots: list[BotVersion], asked: QueryDict) -> str:
    """Who sits there unless somebody says otherwise: the player first, then the bot they came for or the first one."""
    if seat == 0:
        return Sitter.ME
    known = [str(version.pk) for version in bots]
    wanted = asked.get("against", "")
    return wanted if wanted in known else next(iter(known), Sitter.FRIEND)


def _chosen(game: Game, asked: QueryDict) -> dict[str, Any]:
    """The game's options as the form has them; one that it does not name, or names otherwise, has its default."""
    named = {name: asked.get(f"option-{name}", "") for name in game.options}
    return {
        name: next((value for value in values if str(value) == named[name]), values[0])
        for name, values in game.options.items()
    }


def _chairs(request: HttpRequest, seats: int) -> list[Sitter | BotVersion]:
    """What the form says of each seat; raises SittingRefused."""
    return [_chair(request.POST.get(f"seat{seat}", "")) for seat in range(seats)]


def _chair(word: str) -> Sitter | BotVersion:
    if word in list(Sitter):
        return Sitter(word)
    found = None
    if word.isdecimal() and len(word) < 19:
        found = BotVersion.objects.select_related("bot__owner").filter(pk=int(word)).first()
    if found is None:
        raise SittingRefused(f"{word!r:.40} is not a bot; choose one from the list.")
    return found


@never_cache
@require_safe
def sitting_page(request: HttpRequest, key: str) -> HttpResponse:
    """The table: the board, what may be chosen on it and as a list, and what was done."""
    sitting, player = get_sitting(key), player_of(request)
    if not may_watch(player, sitting):
        raise PermissionDenied(
            "Other people are playing this game. Once it is over, anyone with the address can watch it."
        )
    told = view_of(sitting, player, since=sitting.ply)
    context = {"nav": "play", "sitting": sitting, "game": GAMES[sitting.game], "told": told}
    if any(not chair["is_taken"] for chair in told["chairs"]):
        return render(request, "web/sitting_open.html", context | _opening(request, sitting))
    return render(request, "web/sitting.html", context | _table(sitting, told))


def _opening(request: HttpRequest, sitting: Sitting) -> dict[str, Any]:
    """What a page says of a game in which a seat is free, or stayed so until it was called off."""
    return {
        "invite": request.build_absolute_uri(reverse("web:join", args=[sitting.key, sitting.invite])),
        "free": sum(not chair.is_taken for chair in sitting.chairs.all()),
        "scene": scene_of(GAMES[sitting.game]),
    }


def _table(sitting: Sitting, told: dict[str, Any]) -> dict[str, Any]:
    """What a page needs to show a game, and its replay once it is over."""
    names = [chair["name"] for chair in told["chairs"]]
    return {
        "drawing": drawing_of(sitting.game),
        "names": names,
        "legal": [(choice["text"], _named(choice["offer"], names)) for choice in told["legal"]],
        "may_resign": not sitting.is_over and any(chair["is_you"] and not chair["fault"] for chair in told["chairs"]),
        "views_json": json.dumps(["all", *map(str, range(sitting.seats))]),
        "seats_json": json.dumps(names),
        "places_json": json.dumps([chair["place"] for chair in told["chairs"]]),
    }


def _named(words: str, names: list[str]) -> str:
    for seat, name in enumerate(names):
        words = words.replace(f"{{{seat}}}", name)
    return words


@never_cache
@require_GET
@throttled(PerMinute)
def sitting_state(request: HttpRequest, key: str) -> JsonResponse:
    """What has happened since a ply, through the player's own eyes."""
    sitting, player = get_sitting(key), player_of(request)
    if not may_watch(player, sitting):
        raise PermissionDenied("Other people are playing this game.")
    asked, since = request.GET, _number(request.GET.get("since", ""))
    known = (since, asked.get("status"), asked.get("note"), _number(asked.get("out", "0")))
    if known == (sitting.ply, sitting.status, sitting.note, len(faults_of(sitting))):
        return JsonResponse({"same": True, "is_queued": is_queued(sitting)})
    return JsonResponse(view_of(sitting, player, since=since))


@never_cache
@require_safe
@throttled(PerMinute)
def sitting_frames(request: HttpRequest, key: str) -> JsonResponse:
    """The replay of a game that is over, at most 100 frames at once."""
    sitting, asked = get_sitting(key), request.GET
    seat, start, stop = (_number(asked.get(name, "")) for name in ("seat", "start", "stop"))
    last = max(0, start) + FRAMES
    found = replay_of(
        sitting,
        seat=seat if 0 <= seat < sitting.seats else None,
        start=max(0, start),
        stop=min(stop, last) if stop > 0 else last,
    )
    return JsonResponse({"frames": [frame.as_json() for frame in found]})


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 7 else -1


@require_POST
@throttled(PerMinute)
def sitting_choose(request: HttpRequest, key: str) -> HttpResponse:
    """Take an action; a script gets the next state, a form the page."""
    sitting, player = get_sitting(key), player_of(request)
    ply = _number(request.POST.get("ply", ""))
    sitting = choose(player, sitting, ply=ply, text=request.POST.get("action", ""))
    return _answer(request, sitting, player, ply)


@require_POST
@throttled(PerMinute, Costly)
def sitting_resign(request: HttpRequest, key: str) -> HttpResponse:
    """Leave the game for good."""
    player = player_of(request)
    resign(player, get_sitting(key))
    return redirect("web:sitting", key)


def _answer(request: HttpRequest, sitting: Sitting, player: HumanPlayer, since: int) -> HttpResponse:
    if wants_json(request):
        told: dict[str, Any] = view_of(sitting, player, since=since)
        return JsonResponse(told)
    return redirect("web:sitting", sitting.key)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@throttled(PerMinute)
def sitting_join(request: HttpRequest, key: str, invite: str) -> HttpResponse:
    """The link for an open chair: it is taken by a button, so that no preview of the link takes it."""
    sitting = get_sitting(key)
    if request.method == "POST":
        player = _newcomer(request)
        try:
            join(player, sitting, invite)
        except Conflict:
            return redirect(request.path)  # it says that every seat is taken, and what else there is to do
        return _remembered(request, player, redirect("web:sitting", key))
    check_invite(sitting, invite)
    player = player_of(request)
    if seat_of(player, sitting) is not None:
        return redirect("web:sitting", key)
    host = sitting.started_by.username if sitting.started_by else "Somebody"
    context = {
        "nav": "play",
        "sitting": sitting,
        "game": GAMES[sitting.game],
        "host": host,
        "ending": ending_of(sitting),
        "left": _to_give_up(player),
    }
    return render(request, "web/sitting_join.html", context)
