"""Rows of answers that are written quickly are those that their serializers would write."""

from __future__ import annotations

from random import Random
from typing import Any

import orjson
import pytest
from django.test import Client, RequestFactory
from rest_framework.request import Request

from ladder.api.bots import BOT, BotDetail, BotLine, BotStanding, standings_told
from ladder.api.ladders import LadderLine, LeaderboardRowSerializer
from ladder.api.lines import Columns, home_of, writer_of
from ladder.api.matches import CHANGE, MATCH, SEAT, ChangeLine, MatchLine, SeatLine
from ladder.api.wire import OPTIONS
from ladder.ladders.models import Ladder
from ladder.matches.models import Match, Seat
from ladder.matches.queries import match_in_full, matches_in_full, these_matches_in_full
from ladder.ratings.leaderboard import ORDERS, leaderboard
from ladder.ratings.models import Rating, Standing
from ladder.ratings.queries import standings_of_bot
from ladder.submissions.models import Bot
from tests.web.world import small_world

pytestmark = pytest.mark.django_db


def as_json(told: Any) -> Any:
    return orjson.loads(orjson.dumps(told, option=OPTIONS))


@pytest.mark.parametrize(
    ("kind", "model"),
    [
        (MatchLine, Match),
        (BotLine, Bot),
        (BotDetail, Bot),
        (LadderLine, Ladder),
        (ChangeLine, Rating),
    ],
)
def test_a_line_is_what_its_serializer_has(kind: Any, model: Any) -> None:
    small_world(Random(5), matches=3)
    Bot.objects.filter(name="gatsby bot 1").update(owner=None)
    request = Request(RequestFactory().get("/api/v1/", headers={"host": "localhost"}))
    write, home = writer_of(kind), home_of(request)
    found = list(model.objects.all())
    assert found
    for one in found:
        assert as_json(write(one, home)) == as_json(kind(one, context={"request": request}).data)


@pytest.mark.parametrize(
    ("columns", "kind", "model"),
    [(MATCH, MatchLine, Match), (SEAT, SeatLine, Seat), (CHANGE, ChangeLine, Rating), (BOT, BotDetail, Bot)],
)
def test_a_line_of_columns_is_what_its_serializer_has(columns: Columns, kind: Any, model: Any) -> None:
    small_world(Random(5), matches=3)
    Bot.objects.filter(name="gatsby bot 1").update(owner=None, active_version=None)
    request = Request(RequestFactory().get("/api/v1/", headers={"host": "localhost"}))
    rows = model.objects.order_by("pk").values_list(*columns.read)
    told = [as_json(columns.line(row, home_of(request))) for row in rows]
    full = [as_json(kind(one, context={"request": request}).data) for one in model.objects.order_by("pk")]
    assert told == [{name: line[name] for name in columns.names} for line in full]
    assert told


def test_what_is_no_column_is_not_taken_for_one() -> None:
    with pytest.raises(TypeError, match="MatchLine: seats can't be read as columns"):
        Columns(MatchLine)


def test_a_bots_standings_are_what_their_serializer_has() -> None:
    small_world(Random(5), matches=3)
    for bot in Bot.objects.all():
        told = [BotStanding(standing).data for standing in standings_of_bot(bot.pk)]
        assert as_json(standings_told(bot.pk)) == as_json(told)
        assert told


def test_matches_by_number_are_those_of_the_list(django_assert_num_queries: Any) -> None:
    small_world(Random(5), matches=5)
    told = list(matches_in_full())[1:4]
    with django_assert_num_queries(2):
        found = these_matches_in_full([match.pk for match in reversed(told)])
        assert found == told
        for one, other in zip(found, told, strict=True):
            assert [(s.pk, s.version.bot.owner) for s in one.seats.all()] == [
                (s.pk, s.version.bot.owner) for s in other.seats.all()
            ]
            assert one.ladder == other.ladder
    assert these_matches_in_full([]) == []
    assert match_in_full(10**9) is None


@pytest.mark.parametrize("asked", [{}, *({"order": order} for order in ORDERS), {"search": "bot"}])
def test_lines_of_a_leaderboard_are_what_their_serializer_has(asked: dict[str, str], client: Client) -> None:
    small_world(Random(5), matches=3)
    Bot.objects.filter(name="gatsby bot 1").update(owner=None)
    Standing.objects.filter(bot__name="gatsby bot 2").update(recent_mu=[], matches=0, is_provisional=False)
    for ladder in Ladder.objects.all():
        told = client.get(f"/api/v1/ladders/{ladder.slug}/leaderboard/", asked).json()["results"]
        rows = leaderboard(ladder, **asked).rows  # type: ignore[arg-type]
        assert [list(line) for line in told] == [list(LeaderboardRowSerializer().fields)] * len(rows)
        assert told == [as_json(LeaderboardRowSerializer(row).data) for row in rows]
    assert Standing.objects.filter(is_listed=True).exists()
