"""Who takes part: entering bots and taking them out."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ladder.accounts.models import User
from ladder.accounts.permissions import signed_in
from ladder.api.pagination import whole
from ladder.api.throttles import count_guess
from ladder.api.tournaments.serializers import EntrantLine, EntrantPage, EntryWish
from ladder.submissions.models import Bot, BotVersion
from ladder.tournaments import queries, services
from ladder.tournaments.models import Entrant, Tournament


class EntriesView(APIView):
    """Who takes part."""

    @extend_schema(responses=EntrantPage)
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = queries.get_tournament(tournament_id, request.user)
        return Response(whole(list(EntrantLine(queries.entrants_of(tournament), many=True).data)))

    @extend_schema(request=EntryWish, responses={201: EntrantPage})
    def post(self, request: Request, tournament_id: int) -> Response:
        """Enter a bot, change its version, or enter the first so many of the ladder."""
        tournament = queries.get_tournament(tournament_id, request.user)
        wish = EntryWish(data=request.data)
        wish.is_valid(raise_exception=True)
        count_guess(wish.validated_data["code"], request)
        entered = _enter(tournament, wish.validated_data, signed_in(request.user))
        rows = queries.entrants_of(tournament).filter(pk__in=[entrant.pk for entrant in entered])
        return Response(whole(list(EntrantLine(rows, many=True).data)), status=status.HTTP_201_CREATED)


class EntryView(APIView):
    """One bot's entry."""

    @extend_schema(responses={204: None})
    def delete(self, request: Request, tournament_id: int, bot_id: int) -> Response:
        """Take a bot out before the start."""
        services.leave(
            queries.get_tournament(tournament_id, signed_in(request.user)), get_bot(bot_id), by=signed_in(request.user)
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


def _enter(tournament: Tournament, wish: dict[str, Any], user: User) -> list[Entrant]:
    if ("bot" in wish) == ("top" in wish):
        raise ValidationError({"bot": ["Name either a bot, or how many of the ladder's top bots to enter (`top`)."]})
    if "top" in wish:
        return services.enter_top(tournament, wish["top"], by=user)
    bot = get_bot(wish["bot"])
    version = None
    if wish.get("version") is not None:
        version = BotVersion.objects.filter(bot=bot, number=wish["version"]).first()
        if version is None:
            raise ValidationError({"version": [f"{bot} has no version {wish['version']}."]})
    return [services.enter(tournament, bot, by=user, code=wish["code"], version=version)]


def get_bot(bot_id: int) -> Bot:
    """A bot with its active version; raises NotFound."""
    bot = Bot.objects.select_related("active_version__bot").filter(pk=bot_id).first()
    if bot is None:
        raise NotFound(f"There is no bot {bot_id}.")
    return bot
