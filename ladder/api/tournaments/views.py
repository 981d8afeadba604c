"""Finding, making and deleting tournaments."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import generics, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines import GAMES
from ladder.accounts.permissions import signed_in
from ladder.api.throttles import Costly, PerMinute
from ladder.api.tournaments.entries import get_bot
from ladder.api.tournaments.serializers import TournamentDetail, TournamentLine, TournamentWish
from ladder.ladders.queries import get_ladder
from ladder.tournaments import queries, services
from ladder.tournaments.models import Tournament


class TournamentFilter(django_filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    """Which tournaments are wanted."""

    game = django_filters.ChoiceFilter("ladder__game", choices=lambda: [(name, name) for name in GAMES])
    ladder = django_filters.CharFilter("ladder__slug", max_length=80)
    status = django_filters.ChoiceFilter(choices=Tournament.Status.choices)
    organiser = django_filters.CharFilter("organiser__username", lookup_expr="iexact", max_length=40)

    class Meta:
        model = Tournament
        fields = ("game", "ladder", "status", "organiser")


class TournamentsView(generics.ListAPIView[Tournament]):
    """All tournaments, newest first."""

    queryset = Tournament.objects.none()
    serializer_class = TournamentLine
    filterset_class = TournamentFilter

    def get_queryset(self) -> QuerySet[Tournament]:
        return queries.visible_to(self.request.user)

    def get_throttles(self) -> list[Any]:
        return [PerMinute(), Costly()] if self.request.method == "POST" else super().get_throttles()

    @extend_schema(request=TournamentWish, responses={201: TournamentDetail})
    def post(self, request: Request) -> Response:
        """Make a draft."""
        wish = TournamentWish(data=request.data)
        wish.is_valid(raise_exception=True)
        given = dict(wish.validated_data)
        champion = given.pop("champion")
        seed = given.pop("seed")
        wishes = services.Wishes(
            **{**given, "ladder": get_ladder(given["ladder"])},
            champion=None if champion is None else get_bot(champion),
            seed=None if seed is None else int(seed, 16),
        )
        tournament = services.create_tournament(by=signed_in(request.user), wishes=wishes)
        return detail(tournament, request, status=status.HTTP_201_CREATED)


class TournamentView(APIView):
    """One tournament."""

    @extend_schema(responses=TournamentDetail)
    def get(self, request: Request, tournament_id: int) -> Response:
        return detail(queries.get_tournament(tournament_id, request.user), request)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, tournament_id: int) -> Response:
        """Throw a draft away."""
        services.delete_draft(
            queries.get_tournament(tournament_id, signed_in(request.user)), by=signed_in(request.user)
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


def detail(tournament: Tournament, request: Request, status: int = 200) -> Response:
    """A tournament with its progress, as an answer."""
    tournament.matches_progress = queries.progress(tournament)  # type: ignore[attr-defined]
    data = TournamentDetail(tournament, context={"request": request}).data
    return Response(data, status=status, headers={"Location": data["url"]} if status == 201 else None)
