from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.matches import leases
from ladder.matches.models import Lane, Match, MatchSet
from ladder.matches.queries import is_revealed, queue_depths, waiting_matches
from ladder.matches.services import (
    NotQueued,
    RequestRefused,
    cancel_sets,
    create_set,
    hold_sets,
    release_sets,
    request_matches,
    rerun_match,
    rotations,
    void_match,
)
from ladder.refusals import QuotaReached
from tests.ladder.cast import enrol, finish, make_user, make_version, queue

pytestmark = pytest.mark.django_db


def test_rotations_seat_everybody_everywhere_once() -> None:
    tables = rotations("abcd")
    assert [sorted(table[seat] for table in tables) for seat in range(4)] == [list("abcd")] * 4


def test_the_matches_of_a_set_share_one_seed_of_128_bits(ladder: Ladder) -> None:
    seeds = {queue(ladder, *enrol(ladder, 2)).set.seed for _ in range(20)}
    assert len(seeds) == 20
    assert max(int(seed) for seed in seeds) > 1 << 120


def test_a_new_set_wakes_the_players(ladder: Ladder, sent: list[str], django_capture_on_commit_callbacks) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        queue(ladder, *enrol(ladder, 2))
    assert "ladder.matches.tasks.play_matches" in sent


def test_a_seating_of_the_wrong_size_is_refused(ladder: Ladder) -> None:
    with pytest.raises(RequestRefused, match="2 seats"):
        create_set(ladder=ladder, seatings=[[1, 2, 3]], lane=Lane.LADDER, is_rated=True)


def test_a_rated_match_of_a_version_with_itself_is_refused(ladder: Ladder) -> None:
    (version,) = enrol(ladder, 1)
    with pytest.raises(RequestRefused, match="different versions"):
        queue(ladder, version, version)


def test_cancelling_spares_the_running_match(ladder: Ladder) -> None:
    versions = enrol(ladder, 2)
    seatings = rotations([version.pk for version in versions])
    match_set = create_set(ladder=ladder, seatings=seatings, lane=Lane.TOURNAMENT, is_rated=False)
    leases.claim_match(worker="host/1")
    assert cancel_sets([match_set.pk], reason="called off") == 1
    assert sorted(match_set.matches.values_list("status", flat=True)) == ["cancelled", "running"]


def test_held_sets_wait_until_released(ladder: Ladder) -> None:
    match = queue(ladder, *enrol(ladder, 2))
    assert hold_sets([match.set_id]) == 1
    assert waiting_matches(at_most=5) == 0
    assert release_sets([match.set_id]) == 1
    assert waiting_matches(at_most=5) == 1
    assert [(depth.lane, depth.waiting) for depth in queue_depths()] == [("ladder", 1)]


def test_the_seed_is_revealed_when_the_whole_set_is_settled(ladder: Ladder) -> None:
    versions = enrol(ladder, 2)
    seatings = rotations([version.pk for version in versions])
    match_set = create_set(ladder=ladder, seatings=seatings, lane=Lane.LADDER, is_rated=True)
    first, second = match_set.matches.order_by("pk")
    leases.claim_match(worker="host/1")
    finish(first, 1, 2)
    assert not is_revealed(first)
    leases.claim_match(worker="host/1")
    finish(second, 1, 2)
    assert is_revealed(first)


def test_a_requested_match_is_unrated_and_counts_for_the_quota(ladder: Ladder, settings) -> None:
    settings.REQUESTS_A_DAY = 3
    user, versions = make_user(), enrol(ladder, 2)
    made = request_matches(user=user, ladder=ladder, versions=versions, all_rotations=True)
    assert [match.is_rated for match in made.matches.all()] == [False, False]
    with pytest.raises(QuotaReached, match="limit of 3"):
        request_matches(user=user, ladder=ladder, versions=versions, all_rotations=True)
    request_matches(user=user, ladder=ladder, versions=versions)
    request_matches(user=make_user(), ladder=ladder, versions=versions)
    request_matches(user=make_user(role=User.Role.ADMINISTRATOR), ladder=ladder, versions=versions)


def test_the_quota_of_requests_says_when_there_is_room_for_as_many(ladder: Ladder, settings) -> None:
    settings.REQUESTS_A_DAY = 3
    user, versions = make_user(), enrol(ladder, 2)
    for hours in (20, 10, 5):
        made = request_matches(user=user, ladder=ladder, versions=versions)
        MatchSet.objects.filter(pk=made.pk).update(created_at=now() - timedelta(hours=hours))
    for all_rotations, hours in ((False, 4), (True, 14)):
        with pytest.raises(QuotaReached, match="Try again after") as refused:
            request_matches(user=user, ladder=ladder, versions=versions, all_rotations=all_rotations)
        assert (hours - 1) * 3600 < refused.value.retry_after_s <= hours * 3600


def test_only_qualified_versions_of_the_game_can_be_asked_to_play(ladder: Ladder) -> None:
    good, rejected, stranger = make_version(), make_version(status="rejected"), make_version(game="gatsby")
    for bad in (rejected, stranger):
        with pytest.raises(RequestRefused):
            request_matches(user=make_user(), ladder=ladder, versions=[good, bad])
    assert not Match.objects.exists()


def test_only_a_match_with_an_end_or_still_queued_can_be_struck(ladder: Ladder) -> None:
    match = queue(ladder, *enrol(ladder, 2))
    leases.claim_match(worker="host/1")
    match.refresh_from_db()
    with pytest.raises(NotQueued, match="running"):
        void_match(match, reason="too early")


def test_a_match_is_played_again_with_the_same_seats_and_a_seed_that_nobody_knows(ladder: Ladder) -> None:
    match = queue(ladder, *enrol(ladder, 2))
    again = rerun_match(match).matches.get()
    assert again.set.seed != match.set.seed
    assert [seat.version for seat in again.seats.all()] == [seat.version for seat in match.seats.all()]
