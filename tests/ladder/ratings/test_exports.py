from __future__ import annotations

import csv
import json

import pytest
from django.test import Client

from ladder.ladders.models import Ladder
from ladder.ratings import exports
from ladder.ratings.leaderboard import leaderboard
from ladder.ratings.models import Standing
from tests.ladder.cast import enrol, make_ladder

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder() -> Ladder:
    ladder = make_ladder()
    for place, version in enumerate(enrol(ladder, 5), start=1):
        Standing.objects.filter(version=version).update(
            rating=30 - place, sd=1.0, board_key=30 - place, is_provisional=False, missing=0, storey=1,
            place_low=1, place_high=place, p_first=0.2, mu=20.0,
        )  # fmt: skip
    return ladder


def test_a_spreadsheet_has_every_line_of_a_leaderboard_across_its_pages(
    ladder: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "MOST_ROWS", 2)
    lines = list(csv.DictReader("".join(exports.export_csv(ladder)).splitlines()))
    shown = leaderboard(ladder).rows
    assert [(line["rank"], line["bot"]) for line in lines] == [(str(row.rank), row.bot) for row in shown]
    assert (lines[2]["rating"], lines[2]["place_low"], lines[2]["place_high"]) == ("27.0", "1", "3")


def test_a_name_that_looks_like_a_formula_is_quoted(ladder: Ladder) -> None:
    standing = Standing.objects.order_by("pk").first()
    assert standing
    type(standing.bot).objects.filter(pk=standing.bot_id).update(name="=1+1")
    assert "'=1+1" in "".join(exports.export_csv(ladder))


def test_the_file_is_named_after_the_ladder_and_holds_both_ratings(ladder: Ladder, client: Client) -> None:
    answer = client.get(f"/api/v1/ladders/{ladder.slug}/export/")
    assert answer["Content-Disposition"] == f'attachment; filename="{ladder.slug}.json"'
    told = json.loads(answer.getvalue())
    assert told["ladder"] == ladder.slug
    assert (told["results"][0]["rating"], told["results"][0]["trueskill"]["mu"]) == (29.0, 20.0)
