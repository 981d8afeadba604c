"""What happened in a match: its record, its frames, whether it is true, and what a bot wrote to its log."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines import GAMES
from ladder.api.etags import tagged, unchanged
from ladder.api.matches import get_match
from ladder.api.schema import asked
from ladder.api.throttles import Costly, PerMinute
from ladder.matches.models import Match, StoredRecord
from ladder.matches.permissions import may_read_log, may_see
from ladder.matches.queries import is_revealed
from ladder.matches.records import (
    MOST_FRAMES,
    frames_of,
    log_of,
    public_record,
    stored_record,
    verification_of,
)

LARGEST_PLY = 1_000_000


class FramesQuestion(serializers.Serializer[Any]):
    """Whose eyes, and which plies."""

    seat = serializers.IntegerField(min_value=0, max_value=15, required=False, default=None, allow_null=True)
    start = serializers.IntegerField(min_value=0, max_value=LARGEST_PLY, required=False, default=0)
    to = serializers.IntegerField(min_value=0, max_value=LARGEST_PLY, required=False, default=None, allow_null=True)


class FrameLine(serializers.Serializer[Any]):
    """A position: the first of a page whole in `state`, the others as `changes` against the one before.

    A match under older rules is `told` from where today's don't accept it: the entry, and no position.
    """

    ply = serializers.IntegerField()
    entry = serializers.CharField(allow_null=True)
    state = serializers.DictField(required=False)
    changes = serializers.ListField(required=False, child=serializers.ListField())
    told = serializers.BooleanField(required=False)
    said = serializers.CharField(required=False, help_text="What the action did; `{0}` is whoever sits in seat 0.")
    next = serializers.CharField(required=False, help_text="What is to be chosen now.")
    mark = serializers.CharField(required=False, help_text="One word where something notable happened.")
    table = serializers.CharField(required=False, help_text="The table as text, of a game that is not drawn.")


class FramesPage(serializers.Serializer[Any]):
    """Some frames of a match."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    seat = serializers.IntegerField(allow_null=True)
    total = serializers.IntegerField(help_text="Frames of the match: one more than it has actions.")
    results = FrameLine(many=True)


class VerdictLine(serializers.Serializer[Any]):
    """Whether a record is true; of a match under older rules its digest and shape are checked."""

    ok = serializers.BooleanField()
    problems = serializers.ListField(child=serializers.CharField())
    digest = serializers.CharField()
    note = serializers.CharField(required=False, help_text="“played under rules 1” where today's rules are newer.")


class NoteLine(serializers.Serializer[Any]):
    """A remark a bot sent with an action."""

    ply = serializers.IntegerField()
    text = serializers.CharField()


class LogLines(serializers.Serializer[Any]):
    """What a bot told its author."""

    log = serializers.CharField(help_text="The end of what it wrote to stderr; empty if it wrote nothing.")
    notes = NoteLine(many=True)


class RecordView(APIView):
    """Everything needed to replay and verify a match; open once no match of its seed is still to be played."""

    @extend_schema(responses={200: dict[str, Any], 304: OpenApiResponse(description="Not modified.")})
    def get(self, request: Request, match_id: int) -> Response:
        match = get_match(match_id)
        if match.digest and is_revealed(match) and (known := unchanged(request, match.digest)):
            return known
        return tagged(Response(public_record(match).as_json()), match.digest)


class FramesView(APIView):
    """The positions of a match, through one seat's eyes or all."""

    @extend_schema(
        parameters=[
            asked("seat", OpenApiTypes.INT, "Whose view; without it, the full view."),
            asked("from", OpenApiTypes.INT, "The first ply; 0 is the position before the first action."),
            asked("to", OpenApiTypes.INT, f"The ply to stop before; a page has at most {MOST_FRAMES}."),
        ],
        responses={200: FramesPage, 304: OpenApiResponse(description="Not modified.")},
    )
    def get(self, request: Request, match_id: int) -> Response:
        match = get_match(match_id)
        seat, start, end = _question(request, match)
        open_to_all = _check_eyes(request, match, seat)
        if not open_to_all and not StoredRecord.objects.filter(match=match).exists():
            return Response({"next": None, "previous": None, "seat": seat, "total": 0, "results": []})
        rules = GAMES[match.ladder.game].rules_version  # newer rules may draw less of it
        tag = f"{match.digest[:32]}-{rules}-{'all' if seat is None else seat}-{start}-{end}"
        if open_to_all and match.digest and (known := unchanged(request, tag)):
            return known
        answer = Response(_frames_page(request, match, seat, start, end))
        return tagged(answer, tag) if open_to_all else answer


class VerifyView(APIView):
    """Plays a finished match again and says whether its record is true."""

    throttle_classes = (PerMinute, Costly)

    @extend_schema(responses=VerdictLine)
    def get(self, request: Request, match_id: int) -> Response:
        match = get_match(match_id)
        verdict = verification_of(match)
        told = {"ok": verdict.ok, "problems": verdict.problems, "digest": match.digest}
        return Response({**told, "note": verdict.note} if verdict.note else told)


class LogView(APIView):
    """What the bot in a seat wrote to stderr, and its notes; for its owner."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(responses=LogLines)
    def get(self, request: Request, match_id: int, seat: int) -> Response:
        match = get_match(match_id)
        if seat >= match.ladder.seats:
            raise NotFound(f"Match {match_id} has no seat {seat}.")
        if not may_read_log(request.user, match, seat):
            raise PermissionDenied("The log is for the owner of the bot in this seat.")
        has_record = StoredRecord.objects.filter(match=match).exists()
        notes = stored_record(match).seats[seat].notes if has_record else ()
        return Response({"log": log_of(match, seat), "notes": notes})


def _question(request: Request, match: Match) -> tuple[int | None, int, int]:
    asked_for: dict[str, Any] = {key: value for key, value in request.query_params.items() if value != ""}
    asked_for["start"] = asked_for.pop("from", 0)
    question = FramesQuestion(data=asked_for)
    question.is_valid(raise_exception=True)
    given = question.validated_data
    if given["seat"] is not None and given["seat"] >= match.ladder.seats:
        raise NotFound(f"Match {match.pk} has seats 0 to {match.ladder.seats - 1}, and no seat {given['seat']}.")
    last = given["start"] + MOST_FRAMES
    return given["seat"], given["start"], last if given["to"] is None else min(given["to"], last)


def _check_eyes(request: Request, match: Match, seat: int | None) -> bool:
    """True when everybody may look; raises PermissionDenied unless the visitor's own bot sits in this seat."""
    if is_revealed(match):
        return True
    if not may_see(request.user, match, seat):
        raise PermissionDenied(
            f"Match {match.pk}, or another of the same seed, is not over: "
            "until then you can only see the view of your own bot (seat=…)."
        )
    return False


def _frames_page(request: Request, match: Match, seat: int | None, start: int, end: int) -> dict[str, Any]:
    shown = frames_of(match, view=seat, start=start, end=end)
    total = (match.plies or 0) + 1
    return {
        "next": _link(request, seat, end, end + MOST_FRAMES) if end < total and start < end else None,
        "previous": _link(request, seat, max(0, start - MOST_FRAMES), start) if 0 < start <= total else None,
        "seat": seat,
        "total": total,
        "results": [frame.as_json() for frame in shown],
    }


def _link(request: Request, seat: int | None, start: int, end: int) -> str:
    eyes = {} if seat is None else {"seat": seat}
    return request.build_absolute_uri(f"{request.path}?{urlencode(eyes | {'from': start, 'to': end})}")
