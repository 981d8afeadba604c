"""Pages that replay a game cost what their twins in the API cost, and are as often to be had."""

from __future__ import annotations

from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from ladder.api.throttles import PerMinute
from ladder.tournaments.services import Wishes, create_tournament
from tests.ladder.cast import make_ladder, make_user
from tests.web.world import small_world

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PerMinute, "timer", staticmethod(lambda: 1e9))


@pytest.mark.parametrize(("page", "allowed"), [("frames", 10), ("verify", 2)])
def test_a_page_that_replays_a_game_says_when_to_come_back(
    client: Client, settings, rng: Random, page: str, allowed: int
) -> None:
    match = small_world(rng, matches=1)[1][0]
    settings.API_A_MINUTE = 10
    path = reverse(f"web:{page}", args=[match.pk])
    assert [client.get(path).status_code for _ in range(allowed + 1)] == [200] * allowed + [429]
    refused = client.get(path)
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert "too many of these requests" in refused.content.decode()
    assert Client(REMOTE_ADDR="203.0.113.9").get(path).status_code == 200


def test_a_schedule_that_is_worked_out_for_a_preview_says_when_to_come_back(client: Client, settings) -> None:
    settings.API_A_MINUTE = 10
    asked = {"ladder": make_ladder().pk, "format": "round_robin", "entry": "anyone", "cycles": 1, "entrants": 8}
    answers = [client.get(reverse("web:preview"), asked).status_code for _ in range(3)]
    assert answers == [200, 200, 429]


def test_the_pages_and_the_api_draw_on_one_allowance(client: Client, settings, rng: Random) -> None:
    match = small_world(rng, matches=1)[1][0]
    settings.API_A_MINUTE = 5
    assert client.get(reverse("web:verify", args=[match.pk])).status_code == 200
    assert client.get(f"/api/v1/matches/{match.pk}/verify/").status_code == 429


def test_the_code_of_a_tournament_is_not_guessed_faster_on_its_page_than_in_the_api(client: Client, settings) -> None:
    settings.API_A_MINUTE = 25  # a fifth of them may bring a code
    organiser = make_user()
    wishes = Wishes(name="cup", ladder=make_ladder(), entry="invite", invite_code="rum and gin")
    cup = create_tournament(by=organiser, wishes=wishes)
    client.force_login(organiser)
    entry = reverse("web:entry", args=[cup.pk])
    answers = [client.post(entry, {"bot": "nobody", "code": str(guess)}).status_code for guess in range(6)]
    assert answers == [302] * 5 + [429]
