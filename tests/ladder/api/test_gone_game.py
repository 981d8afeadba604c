"""A game from outside that is uninstalled while ladders, bots, matches and tournaments of it are there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import caches

from engines import GAMES
from ladder.ladders.services import set_open
from ladder.web.tournament_forms import TournamentForm
from tests.ladder.api.world import World
from tests.ladder.cast import make_ladder

STILL_THERE = (
    "/", "/counters/", "/on-show/", "/play/", "/matches/", "/submit/", "/account/", "/tournaments/",
    "/tournaments/new/", "/authors/owner/", "/following/", "/api/v1/bots/", "/api/v1/bots/{bot}/",
    "/api/v1/ladders/{slug}/leaderboard/", "/api/v1/matches/{finished}/", "/api/v1/matches/{finished}/record/",
    "/tournaments/{open_cup}/export/csv/",
)  # fmt: skip
GONE = (
    "/ladders/{slug}/", "/ladders/{slug}/truth/", "/ladders/{slug}/embed/", "/ladders/{slug}/picture.png",
    "/bots/{bot}/", "/matches/{finished}/", "/matches/{finished}/picture.png", "/tournaments/{running_cup}/",
    "/play/{sitting}/", "/play/{sitting}/state/", "/api/v1/sittings/{sitting}/",
)  # fmt: skip


@pytest.fixture
def gone(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """The world after its game has been uninstalled."""
    monkeypatch.setattr(GAMES, "_here", {name: game for name, game in GAMES._here.items() if name != world.ladder.game})
    for cache in caches.all():
        cache.clear()
    yield world
    for cache in caches.all():
        cache.clear()


@pytest.mark.parametrize("path", STILL_THERE)
def test_what_is_not_of_the_game_alone_goes_on(gone: World, path: str) -> None:
    assert gone.client("owner").get(path.format(**gone.places())).status_code in (200, 204)


@pytest.mark.parametrize("path", GONE)
def test_what_needs_the_game_says_that_it_is_not_installed(gone: World, path: str) -> None:
    answer = gone.client("owner").get(path.format(**gone.places()))
    assert answer.status_code == 404
    assert "is not installed on this service any more" in answer.content.decode().replace("\n", " ")
    if path.startswith("/api/"):
        assert answer.json()["error"]["code"] == "unknown_game"


def test_no_tournament_of_the_game_is_offered(gone: World) -> None:
    other = make_ladder("capone", 3)
    set_open(other, True)
    choices = TournamentForm(organiser=gone.people["owner"])["ladder"].field.queryset
    assert {ladder.game for ladder in choices} == {"capone", "speak_easy"}
