"""Who is looked at when a ladder is paired, what counts as pending, and when it is enough."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import pytest

from ladder.accounts.permissions import HOUSE
from ladder.ladders.models import Ladder
from ladder.matches import leases
from ladder.matches.models import Lane, Match
from ladder.matches.services import pause_ladder
from ladder.matchmaking import services
from ladder.matchmaking.pairing import Aims, Contender, choose_tables, expected_sigma, is_known
from ladder.matchmaking.services import contenders, pair, pair_all, pending_matches
from ladder.ratings.models import BETA, Standing
from ladder.submissions.models import Bot
from tests.ladder.cast import enrol, finish, make_ladder, make_user, queue, shown_at

NEW = Contender(version=1, mu=25.0, sigma=8.0, matches=0)
AIMS = Aims(sigma_goal=1.0, most_matches=400, most_pending=6)


@pytest.mark.parametrize(("pending", "share"), [(0, 1.0), (1, None), (100, None)])
def test_what_is_pending_is_expected_to_teach(pending: int, share: float | None) -> None:
    sigma = expected_sigma(replace(NEW, pending=pending))
    assert sigma == pytest.approx(8.0) if share else 0 < sigma < 8.0
    assert sigma == pytest.approx(1 / math.sqrt(1 / 64 + pending / (math.pi * BETA**2)))


@pytest.mark.parametrize(
    ("facts", "known"),
    [
        ({}, False),
        ({"sigma": 1.0}, True),
        ({"sigma": 1.01}, False),
        ({"matches": 400}, True),
        ({"matches": 399}, False),
        ({"matches": 390, "pending": 10}, True),
    ],
)
def test_a_version_asks_for_no_more_once_it_is_known_or_has_played_enough(facts: dict, known: bool) -> None:
    assert is_known(replace(NEW, **facts), AIMS) is known


@pytest.mark.parametrize(("pending", "tables"), [(5, 1), (6, 0)])
def test_a_version_waits_while_enough_of_its_matches_do(pending: int, tables: int) -> None:
    field = [replace(NEW, version=n, pending=pending) for n in (1, 2)]
    assert len(choose_tables(field, seats=2, count=1, aims=AIMS, rng=Random(1))) == tables


@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_no_more_tables_are_made_than_asked_for(count: int) -> None:
    field = [replace(NEW, version=n) for n in range(6)]
    tables = choose_tables(field, seats=2, count=count, aims=AIMS, rng=Random(1))
    assert len(tables) <= count
    assert count < 3 or tables


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_nobody_sits_twice_at_a_table(seats: int) -> None:
    field = [replace(NEW, version=n) for n in range(7)]
    for table in choose_tables(field, seats=seats, count=5, aims=replace(AIMS, most_pending=60), rng=Random(seats)):
        assert len(table) == len(set(table)) == seats


@pytest.fixture
def ladder(db) -> Ladder:
    return make_ladder()


def test_pending_matches_are_those_of_this_ladder_that_are_queued_or_running(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    done = queue(ladder, one, other)
    leases.claim_match(worker="host/1")
    finish(done, 1, 2)
    queue(ladder, one, other)
    queue(ladder, one, other, lane=Lane.REQUEST, is_rated=False)
    assert pending_matches([one.pk, other.pk, 999], ladder) == {one.pk: 1, other.pk: 1}
    assert pending_matches([], ladder) == {}


@pytest.mark.parametrize(("owner", "told"), [("ann", "ann"), (HOUSE, ""), (None, "")])
def test_only_people_s_bots_keep_apart(ladder: Ladder, owner: str | None, told: str) -> None:
    (version,) = enrol(ladder, 1)
    Bot.objects.filter(pk=version.bot_id).update(owner=make_user(owner) if owner else None)
    assert [contender.owner for contender in contenders(ladder)] == [told]


def test_a_ladder_on_which_all_are_known_has_no_contenders(ladder: Ladder) -> None:
    enrol(ladder, 3)
    Standing.objects.update(**shown_at(25, sd=0.9))
    assert contenders(ladder) == []
    assert pair(ladder, count=3, rng=Random(1)) == 0


def test_a_known_neighbour_is_an_opponent_though_it_asks_for_nothing(ladder: Ladder) -> None:
    new, known = enrol(ladder, 2)
    Standing.objects.filter(version=known).update(**shown_at(25, sd=0.5))
    assert {contender.version for contender in contenders(ladder)} == {new.pk, known.pk}
    assert pair(ladder, count=1, rng=Random(1)) == 1


def test_neighbours_are_looked_for_on_both_sides_and_no_further(
    ladder: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "NEIGHBOURS", 2)
    versions = enrol(ladder, 9)
    for place, version in enumerate(versions):
        Standing.objects.filter(version=version).update(**shown_at(20.0 + place, sd=0.5), mu=20.0 + place)
    Standing.objects.filter(version=versions[4]).update(sd=5.0)
    near = {contender.version for contender in contenders(ladder)}
    assert near == {versions[place].pk for place in (2, 3, 4, 5)}


def test_a_set_is_played_in_every_rotation_and_rated(ladder: Ladder) -> None:
    enrol(ladder, 2)
    assert pair(ladder, count=1, rng=Random(1)) == 1
    assert list(Match.objects.order_by("pk").values_list("rotation", "is_rated", "lane")) == [
        (0, True, "ladder"),
        (1, True, "ladder"),
    ]


def test_the_room_is_shared_among_ladders(db, settings) -> None:
    settings.WORKERS = 1
    ladders = [make_ladder("speak_easy"), make_ladder("gatsby")]
    for ladder in ladders:
        enrol(ladder, 6)
    pair_all(Random(1))
    waiting = [Match.objects.filter(ladder=ladder).count() for ladder in ladders]
    assert waiting == [2, 2]


def test_a_beat_later_a_full_queue_is_left_alone(ladder: Ladder, settings) -> None:
    settings.WORKERS = 1
    enrol(ladder, 6)
    assert pair_all(Random(1)) > 0
    assert pair_all(Random(2)) == 0


def test_a_paused_ladder_is_not_paired(ladder: Ladder) -> None:
    enrol(ladder, 2)
    pause_ladder(ladder)
    assert pair_all(Random(1)) == 0
