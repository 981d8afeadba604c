"""The games and their rules."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines import GAMES, Game
from ladder.api.etags import tagged, unchanged
from ladder.api.pagination import whole


class GameLine(serializers.Serializer[Any]):
    """A game and how it can be played."""

    name = serializers.CharField()
    title = serializers.CharField()
    rules_version = serializers.IntegerField()
    seats = serializers.ListField(child=serializers.IntegerField())
    options = serializers.DictField(
        child=serializers.ListField(), help_text="The values of each option, the default first."
    )
    max_choices = serializers.IntegerField()


class GamePage(serializers.Serializer[Any]):
    """All games."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = GameLine(many=True)


class GameDetail(GameLine):
    """A game with its pages."""

    rules = serializers.CharField(help_text="The numbered rules, in Markdown.")
    bots = serializers.CharField(help_text="The actions and the observation, in Markdown.")


def line(game: Game) -> dict[str, Any]:
    """A game as JSON."""
    return {
        "name": game.name,
        "title": game.title,
        "rules_version": game.rules_version,
        "seats": list(game.seats),
        "options": {option: list(values) for option, values in game.options.items()},
        "max_choices": game.max_choices,
    }


@cache
def pages(name: str) -> dict[str, str]:
    """The pages of a game; part of the code, so read once."""
    paths = {field: GAMES[name].folder / page for field, page in (("rules", "RULES.md"), ("bots", "BOTS.md"))}
    return {field: path.read_text(encoding="utf-8") if path.exists() else "" for field, path in paths.items()}


class GamesView(APIView):
    """The games that bots can be written for."""

    @extend_schema(responses=GamePage)
    def get(self, request: Request) -> Response:
        return Response(whole([line(game) for game in GAMES.values()]))


class GameView(APIView):
    """One game with its pages."""

    @extend_schema(
        parameters=[OpenApiParameter("name", OpenApiTypes.STR, OpenApiParameter.PATH, description="e.g. `gatsby`")],
        responses=GameDetail,
    )
    def get(self, request: Request, name: str) -> Response:
        if name not in GAMES:
            raise NotFound(f"There is no game {name[:60]!r}; the games are {', '.join(GAMES)}.")
        tag = sha256(f"{name} {GAMES[name].rules_version} {pages(name)}".encode()).hexdigest()[:32]
        answer = unchanged(request, tag) or tagged(Response(line(GAMES[name]) | pages(name)), tag)
        answer["Cache-Control"] = "public, max-age=3600"  # rules change with a new release
        return answer
