"""The life of a tournament: opened, started, paused, resumed, cancelled."""

from __future__ import annotations

from collections.abc import Callable

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ladder.api.tournaments.serializers import TournamentDetail
from ladder.api.tournaments.views import detail
from ladder.tournaments import queries, services


class StepView(APIView):
    """A step in a tournament's life, for its organiser."""

    permission_classes = (IsAuthenticated,)
    step: Callable[..., None]

    @extend_schema(request=None, responses=TournamentDetail)
    def post(self, request: Request, tournament_id: int) -> Response:
        tournament = queries.get_tournament(tournament_id, request.user)
        type(self).step(tournament, by=request.user)
        return detail(queries.get_tournament(tournament_id, request.user), request)


class OpenView(StepView):
    """Show a draft and take entries."""

    step = staticmethod(services.open_entries)


class StartView(StepView):
    """Pin the entrants and let the matches begin."""

    step = staticmethod(services.start)


class PauseView(StepView):
    """Let no further match begin."""

    step = staticmethod(services.pause)


class ResumeView(StepView):
    """Go on after a pause."""

    step = staticmethod(services.resume)


class CancelView(StepView):
    """Call the tournament off."""

    step = staticmethod(services.cancel)
