"""What is counted and listed: queues, workers, settled sets, and what may be claimed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from ladder.ladders.models import Ladder
from ladder.matches import leases, queries
from ladder.matches.models import Lane, Match, Pulse, Worker
from ladder.matches.queries import (
    SETTLED,
    UNSETTLED,
    WORKER_SEEN_S,
    able_workers,
    claimable_matches,
    has_game_at_hand,
    is_revealed,
    last_beat,
    live_workers,
    matches_in_full,
    playing_slots,
    queue_depths,
    runtimes_at_hand,
    set_aside_matches,
    to_rate,
    unable_workers,
    waiting_matches,
)
from ladder.matches.services import create_set, hold_sets
from ladder.matches.tallies import matches_by_status
from tests.ladder.cast import enrol, finish, play, queue

pytestmark = pytest.mark.django_db


def worker(name: str, **facts: Any) -> Worker:
    known = {"host": "h", "pid": 1, "plays": True, "version": "1", "engines_digest": "", "sandbox_ok": True}
    return Worker.objects.create(name=name, **{**known, **facts})


def names(rows) -> list[str]:
    return [row.name for row in rows]


def test_every_state_of_a_match_is_settled_or_not() -> None:
    assert set(SETTLED) | set(UNSETTLED) == set(Match.Status)
    assert not set(SETTLED) & set(UNSETTLED)


@pytest.mark.parametrize("status", list(Match.Status))
def test_a_seed_is_revealed_once_every_match_of_its_set_is_settled(ladder: Ladder, status: Match.Status) -> None:
    seating = [version.pk for version in enrol(ladder, 2)]
    made = create_set(ladder=ladder, seatings=[seating, seating[::-1]], lane=Lane.LADDER, is_rated=True)
    first, second = made.matches.order_by("rotation")
    Match.objects.filter(pk=first.pk).update(status=Match.Status.VOID)
    lease = {"lease": "0" * 32, "lease_until": now()} if status == Match.Status.RUNNING else {}
    Match.objects.filter(pk=second.pk).update(status=status, digest="d", **lease)
    assert is_revealed(first) is is_revealed(second) is (status in SETTLED)


def test_the_set_of_another_match_hides_nothing(ladder: Ladder) -> None:
    versions = enrol(ladder, 2)
    done = play(ladder, *versions, ranks=(1, 2))
    queue(ladder, *versions)
    assert is_revealed(done)


def test_a_list_of_matches_asks_a_fixed_number_of_questions(ladder: Ladder, django_assert_num_queries) -> None:
    for _ in range(4):
        queue(ladder, *enrol(ladder, 2))
    with django_assert_num_queries(2):
        listed = [[seat.version.bot.name for seat in match.seats.all()] for match in matches_in_full()]
    assert len(listed) == 4
    assert [match.pk for match in matches_in_full()] == sorted(Match.objects.values_list("pk", flat=True), reverse=True)


def test_what_is_held_set_aside_or_beside_a_running_match_can_t_be_claimed(ladder: Ladder) -> None:
    versions = enrol(ladder, 2)
    free, held, aside = (queue(ladder, *versions) for _ in range(3))
    hold_sets([held.set_id])
    Match.objects.filter(pk=aside.pk).update(aside_until=now() + timedelta(hours=1), times_aside=1)
    assert list(claimable_matches()) == [free]
    Match.objects.filter(pk=aside.pk).update(aside_until=now() - timedelta(seconds=1))
    assert set(claimable_matches()) == {free, aside}


@pytest.mark.parametrize(("game", "rules"), [("chess", 1), ("gatsby", 99)])
def test_a_ladder_of_another_game_or_of_other_rules_is_left_alone(ladder: Ladder, game: str, rules: int) -> None:
    queue(ladder, *enrol(ladder, 2))
    Ladder.objects.update(game=game, rules_version=rules)
    assert not claimable_matches().exists()


@pytest.mark.parametrize(("at_most", "count"), [(0, 0), (1, 1), (2, 2), (9, 3)])
def test_waiting_sets_are_counted_no_further_than_asked(ladder: Ladder, at_most: int, count: int) -> None:
    for _ in range(3):
        seating = [version.pk for version in enrol(ladder, 2)]
        create_set(ladder=ladder, seatings=[seating, seating[::-1]], lane=Lane.LADDER, is_rated=True)
    assert waiting_matches(at_most=at_most) == count


def test_what_was_set_aside_is_listed_from_the_longest_waiting(ladder: Ladder) -> None:
    versions = enrol(ladder, 2)
    first, second, past = (queue(ladder, *versions) for _ in range(3))
    later = now() + timedelta(hours=1)
    Match.objects.filter(pk__in=[first.pk, second.pk]).update(aside_until=later, times_aside=1)
    Match.objects.filter(pk=past.pk).update(aside_until=now() - timedelta(hours=1), times_aside=1)
    assert list(set_aside_matches()) == [first, second]


def test_rated_matches_wait_for_the_rater_in_the_order_of_their_results(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    unrated = queue(ladder, one, other, is_rated=False, lane=Lane.REQUEST)
    assert leases.claim_match(worker="host/1").match_id == unrated.pk
    finish(unrated, 1, 2)
    first, second = play(ladder, one, other, ranks=(1, 2)), play(ladder, other, one, ranks=(1, 2))
    Match.objects.filter(pk=first.pk).update(finished_at=now() + timedelta(minutes=1))
    assert list(to_rate()) == [second, first]
    Match.objects.filter(pk=second.pk).update(rating_number=1)
    assert list(to_rate()) == [first]


def test_a_worker_that_was_not_seen_for_a_minute_is_gone() -> None:
    worker("here"), worker("gone")
    Worker.objects.filter(name="gone").update(seen_at=now() - timedelta(seconds=WORKER_SEEN_S + 5))
    assert names(live_workers()) == ["here"]


@pytest.mark.parametrize(
    ("facts", "is_able", "is_unable"),
    [
        ({}, True, False),
        ({"sandbox_ok": False, "message": "no bwrap"}, False, True),
        ({"message": "other engines"}, False, True),
        ({"plays": False}, False, False),
        ({"plays": False, "sandbox_ok": False}, False, False),
        ({"drained_at": now()}, False, False),
    ],
)
def test_who_should_play_and_can_t_is_told_apart_from_who_should_not(
    facts: dict[str, Any], is_able: bool, is_unable: bool
) -> None:
    worker("one", **facts)
    assert (able_workers().exists(), unable_workers().exists()) == (is_able, is_unable)


def test_places_are_those_of_all_able_workers_or_of_this_machine(settings) -> None:
    settings.WORKERS = 3
    assert playing_slots() == 3
    worker("one", processes=4), worker("two", processes=2), worker("mute", processes=8, message="no")
    assert playing_slots() == 6


def test_runtimes_are_those_that_some_able_worker_has() -> None:
    assert runtimes_at_hand() == set()
    worker("one", abilities={"runtimes": {"python": "3.11"}})
    worker("two", abilities={"runtimes": {"node": "18"}})
    worker("mute", abilities={"runtimes": {"native": "1"}}, message="no sandbox")
    worker("old", abilities={})
    assert runtimes_at_hand() == {"python", "node"}


@pytest.mark.parametrize(
    ("digests", "at_hand"),
    [
        ([], True),
        ([None], True),
        (["ours"], True),
        (["theirs"], False),
        (["theirs", "ours"], True),
        ([None, "theirs"], False),
    ],
)
def test_a_game_is_at_hand_if_one_worker_has_it_or_none_has_said(
    monkeypatch: pytest.MonkeyPatch, digests: list[str | None], at_hand: bool
) -> None:
    monkeypatch.setattr(queries, "game_digests", lambda: {"gatsby": "ours"})
    for number, digest in enumerate(digests):
        worker(str(number), abilities={"digests": {"game gatsby": digest}} if digest else {})
    assert has_game_at_hand("gatsby") is at_hand


def test_lanes_tell_how_many_wait_and_since_when(ladder: Ladder) -> None:
    versions = enrol(ladder, 2)
    old = queue(ladder, *versions)
    for _ in range(2):
        queue(ladder, *versions)
    queue(ladder, *versions, lane=Lane.REQUEST, is_rated=False)
    hold_sets([queue(ladder, *versions, lane=Lane.TOURNAMENT).set_id])
    depths = queue_depths()
    assert [(depth.lane, depth.waiting) for depth in depths] == [("ladder", 3), ("request", 1)]
    old.refresh_from_db()
    assert depths[0].oldest == old.created_at


def test_an_idle_service_has_no_depths_and_a_count_for_every_state() -> None:
    assert queue_depths() == []
    assert matches_by_status() == dict.fromkeys(Match.Status.values, 0)


def test_matches_are_counted_by_state(ladder: Ladder) -> None:
    versions = enrol(ladder, 2)
    play(ladder, *versions, ranks=(1, 2))
    queue(ladder, *versions)
    counted = matches_by_status()
    assert (counted["finished"], counted["queued"], sum(counted.values())) == (1, 1, 2)


def test_the_last_beat_is_that_of_the_whole_pipeline() -> None:
    assert last_beat() is None
    Pulse.objects.create(stage="rate", at=now())
    assert last_beat() is None
    beat = Pulse.objects.create(stage="tick", at=now())
    assert last_beat() == beat.at
