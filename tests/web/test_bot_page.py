"""The page of a bot with a long career."""

from __future__ import annotations

import pytest
from django.test import Client

from ladder.ratings import queries
from ladder.ratings.services import rate_all
from ladder.web.views import bots
from tests.ladder.cast import enrol, make_ladder, play

pytestmark = pytest.mark.django_db


def test_the_history_is_drawn_over_matches_and_not_over_the_points_that_were_kept(client, monkeypatch) -> None:
    monkeypatch.setitem(queries.history.__kwdefaults__, "most", 3)
    ladder = make_ladder("gatsby")
    one, other = enrol(ladder, 2)
    for _ in range(9):
        play(ladder, one, other, ranks=(1, 2))
    rate_all()
    assert client.get(f"/bots/{one.bot_id}/").context["history"]["number"] == [1, 5, 9]


@pytest.mark.parametrize(("matches", "is_cut"), [(3, False), (4, True)])
def test_the_page_says_when_it_looks_back_over_a_part(
    client: Client, monkeypatch: pytest.MonkeyPatch, matches: int, is_cut: bool
) -> None:
    for module in (queries, bots):
        monkeypatch.setattr(module, "LOOK_BACK", 3)
    ladder = make_ladder("gatsby")
    one, other = enrol(ladder, 2)
    for _ in range(matches):
        play(ladder, one, other, ranks=(1, 2))
    rate_all()
    page = client.get(f"/bots/{one.bot_id}/").content.decode()
    assert ("counted over the last 3 rated matches" in page) == is_cut
