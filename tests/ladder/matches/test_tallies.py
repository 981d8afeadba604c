"""The counts of /metrics are those of the rows, whatever was counted before."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from ladder.ladders.models import Ladder
from ladder.matches import tallies
from ladder.matches.models import Match, MatchSet, Seat, Tally
from ladder.matches.services import NotQueued, void_match
from tests.ladder.cast import make_ladder, make_user, make_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder() -> Ladder:
    return make_ladder("gatsby", 2)


@pytest.fixture
def version():
    return make_version(owner=make_user("owner"), game="gatsby")


def settled(ladder: Ladder, *, minutes_ago: int, version=None, **columns) -> Match:
    """A match that ended so long ago, with a fault of this version where one is named."""
    match_set = MatchSet.objects.create(ladder=ladder, lane="ladder", seed="7")
    ended = {"status": "finished", "digest": "d", "finished_at": now() - timedelta(minutes=minutes_ago)} | columns
    match = Match.objects.create(set=match_set, rotation=0, ladder=ladder, lane="ladder", is_rated=True, **ended)
    if version:
        Seat.objects.create(match=match, seat=0, version=version, fault="timeout")
    return match


def test_what_ended_long_ago_is_counted_once_and_kept(ladder, version, django_assert_num_queries):
    settled(ladder, minutes_ago=90, version=version)
    settled(ladder, minutes_ago=60, status="void")
    assert tallies.keep_tally() == 2
    tally = Tally.objects.get()
    assert (tally.matches, tally.faults) == ({"finished": 1, "void": 1}, {"timeout": 1})
    with django_assert_num_queries(1):  # nothing is due so soon
        assert tallies.keep_tally() == 0


def test_what_ended_a_moment_ago_is_left_for_later_and_told_all_the_same(ladder, version):
    settled(ladder, minutes_ago=60)
    settled(ladder, minutes_ago=1, version=version)
    settled(ladder, minutes_ago=0, status="queued", finished_at=None)
    assert tallies.keep_tally() == 1
    assert tallies.matches_by_status() == {"queued": 1, "running": 0, "finished": 2, "void": 0, "cancelled": 0}
    assert tallies.faults_by_kind()["timeout"] == 1


def test_counting_goes_on_where_it_stopped(ladder):
    settled(ladder, minutes_ago=60)
    tallies.keep_tally()
    Tally.objects.update(through=now() - timedelta(minutes=50))
    settled(ladder, minutes_ago=40)
    assert tallies.keep_tally() == 1
    assert Tally.objects.get().matches == {"finished": 2}


@pytest.mark.parametrize("minutes_ago", [60, 1])
def test_a_match_that_is_voided_is_counted_as_void_and_no_other_is_counted_anew(ladder, version, minutes_ago):
    settled(ladder, minutes_ago=70, version=version)
    match = settled(ladder, minutes_ago=minutes_ago, version=version)
    tallies.keep_tally()
    void_match(match, reason="a test")
    assert Tally.objects.get().matches == {"finished": 1}, "what was counted stays counted"
    expected = {"queued": 0, "running": 0, "finished": 1, "void": 1, "cancelled": 0}
    assert (tallies.matches_by_status(), tallies.faults_by_kind()["timeout"]) == (expected, 2)
    Match.objects.filter(status="void").update(finished_at=now() - timedelta(minutes=30))  # and half an hour passes
    Tally.objects.update(through=now() - timedelta(minutes=50))
    assert tallies.keep_tally() == 1, "the one that was voided"
    assert (tallies.matches_by_status(), tallies.faults_by_kind()["timeout"]) == (expected, 2)


def test_a_match_that_can_not_be_voided_stays_counted(ladder):
    match = settled(ladder, minutes_ago=60, status="void")
    tallies.keep_tally()
    with pytest.raises(NotQueued):
        void_match(match, reason="a test")
    assert tallies.matches_by_status()["void"] == 1


def test_nothing_counted_yet_is_counted_whole(ladder, version):
    settled(ladder, minutes_ago=90, version=version)
    assert tallies.matches_by_status()["finished"] == 1
    assert tallies.faults_by_kind()["timeout"] == 1


def test_what_ended_today_is_counted_as_it_is_and_not_again(ladder, django_assert_num_queries):
    midnight = now() - timedelta(hours=5)
    for minutes_ago in (301, 299, 90, 60, 5):
        settled(ladder, minutes_ago=minutes_ago)
    settled(ladder, minutes_ago=80, status="void")
    with django_assert_num_queries(2):
        assert tallies.finished_since(midnight) == 4
    settled(ladder, minutes_ago=1)
    with django_assert_num_queries(1):
        assert tallies.finished_since(midnight) == 5


def test_a_match_of_today_that_is_voided_counts_no_more(ladder):
    midnight = now().replace(hour=0, minute=0, second=0, microsecond=0)
    match = settled(ladder, minutes_ago=0, finished_at=max(midnight, now() - timedelta(minutes=30)))
    assert tallies.finished_since(midnight) == 1
    void_match(match, reason="the host lied")
    assert tallies.finished_since(midnight) == 0
