from __future__ import annotations

import random
import re
from collections import Counter
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ladder.ladders.models import Ladder
from ladder.matches import functions, leases, results
from ladder.matches.models import FailedAttempt, Lane, Match
from ladder.matches.queries import set_aside_matches, waiting_matches
from ladder.matches.services import create_set
from tests.ladder.cast import enrol, finish, make_record, queue

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(ladder: Ladder) -> Match:
    return queue(ladder, *enrol(ladder, 2))


def claim(worker: str = "host/1") -> leases.Claim:
    claimed = leases.claim_match(worker=worker)
    assert claimed is not None
    return claimed


def silence(match: Match) -> None:
    """Let the lease run out by the database's clock."""
    Match.objects.filter(pk=match.pk).update(lease_until=Now() - timedelta(seconds=1))


def test_a_claimed_match_is_running_under_a_lease(match: Match) -> None:
    taken = claim()
    match.refresh_from_db()
    assert (match.status, match.lease, match.attempts) == ("running", taken.lease, 1)
    assert match.lease_until > timezone.now()


def test_the_second_of_two_workers_gets_nothing(match: Match) -> None:
    claim("host/1")
    assert leases.claim_match(worker="host/2") is None


def queue_set(ladder: Ladder, count: int) -> list[Match]:
    """A set of matches that share a seed."""
    pair = [version.pk for version in enrol(ladder, 2)]
    made = create_set(ladder=ladder, seatings=[pair] * count, lane=Lane.LADDER, is_rated=True)
    return list(made.matches.order_by("rotation"))


def test_matches_of_one_set_are_played_one_after_the_other(ladder: Ladder) -> None:
    first, second, third = queue_set(ladder, 3)
    taken = claim()
    assert taken.match_id == first.pk
    assert leases.claim_match(worker="host/2") is None
    assert leases.hand_back(taken.match_id, taken.lease, detail="the worker was told to stop")
    assert claim("host/2").match_id == first.pk
    finish(first, 1, 2)
    assert claim().match_id == second.pk
    finish(second, 1, 2)
    assert claim().match_id == third.pk


def test_other_sets_go_on_beside_a_running_one(ladder: Ladder) -> None:
    firsts = [queue_set(ladder, 2)[0].pk for _ in range(3)]
    assert [claim(f"host/{number}").match_id for number in range(3)] == firsts
    assert leases.claim_match(worker="host/9") is None


def test_a_set_goes_on_when_the_lease_of_its_match_ran_out(ladder: Ladder) -> None:
    first, second = queue_set(ladder, 2)
    claim()
    Match.objects.filter(pk=first.pk).update(attempts=3)
    silence(first)
    leases.reap()
    assert claim("host/2").match_id == second.pk


def test_who_comes_second_to_a_set_gets_nothing(ladder: Ladder) -> None:
    """Both looked while nothing ran; the look is over, the claims come one after the other."""
    first, second = queue_set(ladder, 2)
    assert leases.claim_one(first, "host/1") is not None
    assert leases.claim_one(second, "host/2") is None


def test_waiting_matches_are_those_that_could_be_claimed_at_once(ladder: Ladder) -> None:
    for _ in range(3):
        queue_set(ladder, 2)
    assert waiting_matches(at_most=9) == 3
    assert waiting_matches(at_most=2) == 2
    claim()
    assert waiting_matches(at_most=9) == 2


def test_an_order_carries_seed_seats_and_limits(match: Match) -> None:
    order = claim().order
    assert str(order.seed) == match.set.seed
    assert order.seats == tuple(seat.version.digest for seat in match.seats.order_by("seat"))
    assert order.limits.turn_ms == 100


def test_a_held_match_is_not_claimed(match: Match) -> None:
    Match.objects.update(is_held=True)
    assert leases.claim_match(worker="host/1") is None


def test_neither_a_claim_nor_a_result_writes_to_the_ladder(match: Match) -> None:
    """Rating holds the ladder's row: whoever waited for it would wait for the rater."""
    with CaptureQueriesContext(connection) as seen:
        claim()
        finish(match, 1, 2)
    written = [query["sql"] for query in seen] if not functions.are_here() else list(functions.FUNCTIONS)
    assert [sql for sql in written if re.search(r"UPDATE \W?matches_match", sql)]
    assert not [sql for sql in written if re.search(r"UPDATE \W?ladders_ladder", sql)]
    match.refresh_from_db()
    assert match.rating_number is None


def test_an_unrated_match_has_no_number(ladder: Ladder) -> None:
    match = queue(ladder, *enrol(ladder, 2), is_rated=False)
    claim()
    match.refresh_from_db()
    assert match.rating_number is None


def test_a_host_fault_is_tried_elsewhere_first(match: Match) -> None:
    taken = claim("here/1")
    leases.report_host_fault(taken.match_id, taken.lease, detail="no memory")
    assert leases.claim_match(worker="here/2") is None
    assert leases.claim_match(worker="there/1") is not None


def fail_three_times(match: Match) -> None:
    for host in ("a/1", "b/1", "c/1"):
        taken = claim(host)
        assert leases.report_host_fault(taken.match_id, taken.lease, detail="no memory")
    match.refresh_from_db()


def test_three_host_faults_set_a_match_aside_and_void_nothing(match: Match) -> None:
    fail_three_times(match)
    assert (match.status, match.attempts, match.times_aside) == ("queued", 0, 1)
    assert match.failed_attempts.filter(cause=FailedAttempt.Cause.HOST_FAULT).count() == 3
    assert list(set_aside_matches()) == [match]
    assert leases.claim_match(worker="d/1") is None
    assert waiting_matches(at_most=9) == 0


def test_a_match_that_was_set_aside_is_tried_again_when_its_time_has_come(match: Match) -> None:
    fail_three_times(match)
    Match.objects.update(aside_until=Now() - timedelta(seconds=1))
    assert waiting_matches(at_most=9) == 1
    assert claim("d/1").match_id == match.pk
    finish(match, 1, 2)
    match.refresh_from_db()
    assert (match.status, match.aside_until) == ("finished", None)


def test_each_time_a_match_is_set_aside_its_pause_is_longer(match: Match) -> None:
    pauses = []
    for _ in range(3):
        Match.objects.update(aside_until=None, elsewhere_until=None)
        fail_three_times(match)
        pauses.append(round((match.aside_until - timezone.now()).total_seconds() / 60))
    assert pauses == [5, 10, 20]
    assert leases.pause_after(40, Lane.LADDER) == timedelta(hours=6)


def test_a_trial_is_tried_again_sooner_than_other_matches() -> None:
    assert leases.pause_after(1, Lane.TRIAL) == timedelta(minutes=1)
    assert leases.pause_after(2, Lane.TRIAL) == timedelta(minutes=2)
    assert leases.pause_after(40, Lane.TRIAL) == timedelta(hours=1)


def test_who_is_told_to_try_again_need_not_wait(match: Match) -> None:
    fail_three_times(match)
    assert leases.try_again(match.pk)
    assert claim("d/1").match_id == match.pk
    assert not leases.try_again(match.pk)


def test_a_match_handed_back_costs_no_attempt(match: Match) -> None:
    taken = claim()
    assert leases.hand_back(taken.match_id, taken.lease, detail="stopping")
    match.refresh_from_db()
    assert (match.status, match.attempts, match.lease) == ("queued", 0, None)


def test_the_reaper_takes_a_match_from_a_silent_worker(match: Match) -> None:
    claim()
    assert leases.reap() == 0
    silence(match)
    assert leases.reap() == 1
    match.refresh_from_db()
    assert (match.status, match.attempts) == ("queued", 1)


def test_a_heartbeat_keeps_the_reaper_away(match: Match) -> None:
    taken = claim()
    Match.objects.update(lease_until=Now() + timedelta(seconds=20))
    assert leases.renew_lease(taken.match_id, taken.lease)
    match.refresh_from_db()
    assert match.lease_until > timezone.now() + timedelta(seconds=30)
    assert leases.reap() == 0


def test_a_lease_that_ran_out_is_lost_though_nobody_reaped(match: Match) -> None:
    """By the database's clock, whatever the worker's own clock says."""
    late = claim()
    silence(match)
    record = make_record(late.order, ranks=(1, 2))
    assert not results.record_result(match_id=match.pk, lease=late.lease, record=record)
    assert not leases.renew_lease(match.pk, late.lease)
    assert not leases.hand_back(match.pk, late.lease, detail="")
    assert not leases.report_host_fault(match.pk, late.lease, detail="")
    assert leases.reap() == 1
    match.refresh_from_db()
    assert (match.status, match.attempts) == ("queued", 1)


def test_the_reaper_sets_a_match_aside_whose_third_worker_fell_silent(match: Match) -> None:
    for _ in range(3):
        claim()
        silence(match)
        assert leases.reap() == 1
    assert list(set_aside_matches()) == [match]
    assert leases.claim_match(worker="host/9") is None


def test_a_late_result_of_an_expired_lease_changes_nothing(match: Match) -> None:
    late = claim("slow/1")
    silence(match)
    leases.reap()
    current = claim("quick/1")
    record = make_record(late.order, ranks=(1, 2))
    assert not results.record_result(match_id=match.pk, lease=late.lease, record=record)
    assert not leases.renew_lease(match.pk, late.lease)
    assert not leases.hand_back(match.pk, late.lease, detail="")
    assert not leases.report_host_fault(match.pk, late.lease, detail="")
    match.refresh_from_db()
    assert (match.status, match.lease) == ("running", current.lease)


def test_a_result_is_taken_once(match: Match) -> None:
    taken = claim()
    finish(match, 1, 2)
    record = make_record(taken.order, ranks=(2, 1))
    assert not results.record_result(match_id=match.pk, lease=taken.lease, record=record)
    assert [seat.rank for seat in match.seats.order_by("seat")] == [1, 2]


@pytest.mark.parametrize("skew_s", [-60, 60])
def test_a_worker_whose_clock_is_a_minute_off_does_no_harm(match: Match, skew_s: int, monkeypatch) -> None:
    real = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: real() + timedelta(seconds=skew_s))
    taken = claim()
    assert leases.renew_lease(taken.match_id, taken.lease)
    match.refresh_from_db()
    assert abs((match.lease_until - real()).total_seconds() - 60) < 5
    assert leases.reap() == 0
    silence(match)
    assert leases.reap() == 1


def test_the_database_refuses_a_running_match_without_a_lease(match: Match) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Match.objects.filter(pk=match.pk).update(status="running")


def test_the_database_refuses_one_rating_number_twice(ladder: Ladder) -> None:
    one, other = (queue(ladder, *enrol(ladder, 2)) for _ in range(2))
    Match.objects.filter(pk=one.pk).update(rating_number=7)
    with pytest.raises(IntegrityError), transaction.atomic():
        Match.objects.filter(pk=other.pk).update(rating_number=7)


def test_every_lane_is_served_in_its_share_while_all_are_full(ladder: Ladder) -> None:
    rng = random.Random(5)
    first = Counter(leases.lanes_in_turn(rng)[0] for _ in range(4400))
    for lane, share in leases.LANE_SHARES.items():
        assert abs(first[lane] - 400 * share) < 200


def test_within_a_lane_priority_goes_first_then_age(ladder: Ladder) -> None:
    versions = enrol(ladder, 2)
    old, urgent, new = (queue(ladder, *versions, lane=Lane.TOURNAMENT, priority=priority) for priority in (0, -1, 0))
    assert [claim().match_id for _ in range(3)] == [urgent.pk, old.pk, new.pk]


def test_a_match_under_other_rules_than_ours_is_left_in_the_queue(ladder: Ladder) -> None:
    queue(ladder, *enrol(ladder, 2))
    ours = ladder.rules_version
    Ladder.objects.filter(pk=ladder.pk).update(rules_version=ours + 1)
    assert leases.claim_match(worker="h/1") is None
    Ladder.objects.filter(pk=ladder.pk).update(rules_version=ours)
    assert leases.claim_match(worker="h/1") is not None
