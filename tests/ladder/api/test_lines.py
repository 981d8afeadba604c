"""Rows of answers that are written quickly are those that their serializers would write."""

from __future__ import annotations

from random import Random
from typing import Any

import orjson
import pytest
from django.test import RequestFactory
from rest_framework.request import Request

from ladder.api.bots import BotDetail, BotLine, BotStanding
from ladder.api.ladders import LadderLine
from ladder.api.lines import home_of, writer_of
from ladder.api.matches import ChangeLine, MatchLine
from ladder.api.wire import OPTIONS
from ladder.ladders.models import Ladder
from ladder.matches.models import Match
from ladder.matches.queries import match_in_full, matches_in_full, these_matches_in_full
from ladder.ratings.models import Rating, Standing
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
        (BotStanding, Standing),
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
