"""A game for people who don't know it yet: in pictures, in its rules, and in the encodings that bots need."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from arena.lessons import lesson_of
from arena.plain import drawing_of
from engines import GAMES, Game
from ladder.web.context import games_in_order
from ladder.web.markdown import render_page
from ladder.web.pictures import scene_of


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The games side by side."""
    games = [(game, scene_of(game)) for game in games_in_order()]
    return render(request, "web/games.html", {"nav": "learn", "games": games})


@require_safe
def learn(request: HttpRequest, name: str) -> HttpResponse:
    """What the game is, how one wins, and a few drawn steps of a game that was played; its rules if it has none."""
    game = _game(name)
    lesson = lesson_of(name)
    if lesson is None:
        return redirect("web:rules", name)
    context = {"nav": "learn", "tab": "learn", "game": game, "lesson": lesson, "drawing": drawing_of(name)}
    context["pictures"] = [(f"step-{number}", step.shown) for number, step in enumerate(lesson.steps, 1)]
    return render(request, "web/learn.html", context)


@require_safe
def rules(request: HttpRequest, name: str) -> HttpResponse:
    """The rules of a game, from its RULES.md."""
    return _chapters(request, _game(name), "RULES.md", "web/rules.html", tab="rules")


@require_safe
def for_bots(request: HttpRequest, name: str) -> HttpResponse:
    """The actions and observations of a game, from its BOTS.md."""
    return _chapters(request, _game(name), "BOTS.md", "web/for_bots.html", tab="bots")


def _game(name: str) -> Game:
    if name not in GAMES:
        raise Http404
    return GAMES[name]


def _chapters(request: HttpRequest, game: Game, file: str, template: str, *, tab: str) -> HttpResponse:
    if not (game.folder / file).exists():
        raise Http404
    return render(
        request, template, {"nav": "learn", "tab": tab, "game": game, "page": render_page(game.folder / file)}
    )
