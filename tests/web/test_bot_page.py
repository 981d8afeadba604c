"""The page of a bot with a long career."""

from __future__ import annotations

import pytest
from django.test import Client

from ladder.ratings import queries
from ladder.ratings.services import rate_all
from ladder.web.views import bots
from tests.ladder.cast import enrol, make_ladder, play

pytestmark = pytest.mark.django_db


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
