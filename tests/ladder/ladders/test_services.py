"""Ladders: their slugs, what makes one, which open by themselves, and what opening means."""

from __future__ import annotations

import pytest

from engines import GAMES
from ladder.events import Event
from ladder.ladders import services
from ladder.ladders.models import Ladder
from ladder.ladders.queries import get_ladder
from ladder.ladders.services import (
    UnknownLadder,
    find_ladder,
    open_first_ladders,
    request_rebuild,
    set_open,
    slug_of,
)
from ladder.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("game", "seats", "options", "slug"),
    [
        ("gatsby", 2, None, "gatsby-2"),
        ("capone", 4, {}, "capone-4"),
        ("capone", 4, {"income": "mixed"}, "capone-4-income-mixed"),
        ("any", 3, {"b": 1, "a": 2}, "any-3-a-2-b-1"),
    ],
)
def test_a_slug_has_game_seats_and_options_in_order(game: str, seats: int, options: dict | None, slug: str) -> None:
    assert slug_of(game, seats, options) == slug


def test_a_ladder_is_made_closed_with_what_its_game_says() -> None:
    ladder = find_ladder(game="gatsby", seats=2)
    assert (ladder.is_open, ladder.draw_probability) == (False, GAMES["gatsby"].draw_probability)
    assert ladder.rules_version == GAMES["gatsby"].rules_version


def test_an_option_at_its_default_is_no_other_ladder() -> None:
    default = GAMES["capone"].options["income"][0]
    plain = find_ladder(game="capone", seats=3)
    assert find_ladder(game="capone", seats=3, options={"income": default}) == plain
    assert plain.options == {}


def test_another_option_is_another_ladder() -> None:
    mixed = find_ladder(game="capone", seats=3, options={"income": "mixed"})
    assert mixed.options == {"income": "mixed"}
    assert mixed != find_ladder(game="capone", seats=3)


@pytest.mark.parametrize(
    ("game", "seats", "options", "status", "words"),
    [
        ("poker", 2, None, 404, "'poker'; the games are speak_easy"),
        ("gatsby", 3, None, 400, "3"),
        ("gatsby", 0, None, 400, "0"),
        ("capone", 3, {"income": "tips"}, 400, "tips"),
        ("capone", 3, {"weather": "rain"}, 400, "weather"),
    ],
)
def test_what_can_not_be_played_is_refused_with_the_value(
    game: str, seats: int, options: dict | None, status: int, words: str
) -> None:
    with pytest.raises(UnknownLadder) as refused:
        find_ladder(game=game, seats=seats, options=options)
    assert refused.value.status == status
    assert words in refused.value.message
    assert not Ladder.objects.exists()


def test_every_game_begins_with_an_open_ladder() -> None:
    opened = open_first_ladders()
    assert {ladder.game for ladder in opened} == set(GAMES)
    assert all(ladder.is_open for ladder in opened)
    assert open_first_ladders() == []


def test_a_ladder_that_an_operator_closed_stays_closed() -> None:
    closed = open_first_ladders()[0]
    set_open(closed, False)
    open_first_ladders()
    closed.refresh_from_db()
    assert not closed.is_open


def test_a_ladder_that_opens_looks_at_all_bots_anew() -> None:
    ladder = find_ladder(game="gatsby", seats=2)
    set_open(ladder, True)
    assert ladder.admitted_through == 0
    set_open(ladder, False)
    assert ladder.admitted_through is None


def test_a_rebuild_overtakes_the_one_that_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[Event, int]] = []
    monkeypatch.setattr(services, "announce", lambda event, ladder_id: heard.append((event, ladder_id)))
    ladder = find_ladder(game="gatsby", seats=2)
    before = ladder.last_edition
    request_rebuild(ladder.pk)
    ladder.refresh_from_db()
    assert (ladder.needs_rebuild, ladder.last_edition) == (True, before + 1)
    assert heard == [(Event.LADDER_OUTDATED, ladder.pk)]


def test_a_slug_that_no_ladder_has_is_not_found() -> None:
    with pytest.raises(Refused, match=r"There is no ladder 'bridge-4'\.") as refused:
        get_ladder("bridge-4")
    assert (refused.value.status, refused.value.code) == (404, "not_found")
