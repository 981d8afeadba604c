"""The counts of /metrics are those of the rows, whatever was counted before."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

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
    tally = Tally.objects.get(pk=1)
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
    assert Tally.objects.get(pk=1).matches == {"finished": 2}


@pytest.mark.parametrize("minutes_ago", [60, 1])
def test_a_match_that_is_voided_is_counted_as_void_and_no_other_is_counted_anew(ladder, version, minutes_ago):
    settled(ladder, minutes_ago=70, version=version)
    match = settled(ladder, minutes_ago=minutes_ago, version=version)
    tallies.keep_tally()
    void_match(match, reason="a test")
    assert Tally.objects.get(pk=1).matches == {"finished": 1}, "what was counted stays counted"
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


class Clock:
    """The service's clock, which stands still until it is set."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        return self.moment


@pytest.fixture
def clock(monkeypatch) -> Clock:
    """It is noon."""
    clock = Clock(datetime(2026, 3, 4, 12, tzinfo=UTC))
    monkeypatch.setattr(tallies, "now", clock)
    return clock


def ended(ladder: Ladder, *moments: datetime, **columns) -> Match:
    """Matches that ended then; returns the last."""
    return [settled(ladder, minutes_ago=0, finished_at=moment, **columns) for moment in moments][-1]


def at(clock_time: str, *, day: int = 4) -> datetime:
    return datetime.combine(date(2026, 3, day), time.fromisoformat(clock_time), UTC)


def test_what_ended_today_is_counted_once_and_kept(ladder, clock, django_assert_num_queries):
    ended(ladder, at("23:59:59", day=3), at("00:00"), at("07:00"), at("11:45"), at("11:55"))
    ended(ladder, at("08:00"), status="void")
    assert tallies.finished_today() == 4, "before anything was counted"
    assert tallies.keep_tally() == 5, "one of them yesterday, one void"
    with django_assert_num_queries(2) as asked:
        assert tallies.finished_today() == 4
    assert "2026-03-04 11:50:00" in asked[1]["sql"], "no more than the last minutes are counted"
    ended(ladder, at("11:58"))
    assert tallies.finished_today() == 5


def test_a_day_s_count_goes_on_where_it_stopped(ladder, clock):
    ended(ladder, at("07:00"), at("11:55"))
    tallies.keep_tally()
    clock.moment = at("13:00")
    ended(ladder, at("12:30"))
    assert tallies.finished_today() == 3, "though the tally is behind"
    assert tallies.keep_tally() == 2
    assert tallies.finished_today() == 3


def test_a_new_day_starts_at_nothing_and_leaves_no_row_of_the_last(ladder, clock):
    ended(ladder, at("07:00"), at("23:55"))
    clock.moment = at("23:58")
    tallies.keep_tally()
    assert tallies.finished_today() == 2
    clock.moment = at("00:06", day=5)
    ended(ladder, at("00:00", day=5))
    assert tallies.keep_tally() == 0, "nothing is due"
    assert tallies.finished_today() == 1
    clock.moment = at("00:40", day=5)
    assert tallies.keep_tally() == 2
    assert tallies.finished_today() == 1
    assert [tally.matches for tally in Tally.objects.order_by("pk")] == [{"finished": 3}, {"finished": 1}]


def test_a_moment_of_yesterday_is_not_counted_for_today(ladder, clock):
    clock.moment = at("00:05", day=5)
    ended(ladder, at("23:50"), at("00:03", day=5))
    assert tallies.keep_tally() == 1
    assert Tally.objects.count() == 1, "what surely ended, ended yesterday"
    assert tallies.finished_today() == 1


def test_a_tally_that_is_days_behind_tells_today_s_matches_all_the_same(ladder, clock):
    ended(ladder, at("11:00", day=2), at("11:00", day=3), at("11:00"))
    clock.moment = at("12:00", day=2)
    tallies.keep_tally()
    clock.moment = at("12:00")
    assert tallies.finished_today() == 1
    assert tallies.keep_tally() == 2
    assert (tallies.finished_today(), tallies.matches_by_status()["finished"]) == (1, 3)


def test_a_tally_of_before_days_were_counted_is_counted_on(ladder, clock):
    ended(ladder, at("11:00", day=3), at("09:00"), at("11:40"))
    Tally.objects.create(pk=1, through=at("11:30"), matches={"finished": 2})
    assert tallies.finished_today() == 2
    assert tallies.keep_tally() == 1
    assert (tallies.finished_today(), tallies.matches_by_status()["finished"]) == (2, 3)


def test_two_beats_at_once_count_each_match_once(ladder, clock, monkeypatch):
    ended(ladder, at("09:00"), at("11:00"))
    tally_of = tallies._tally
    others = [tallies.keep_tally]

    def meanwhile(since: int) -> Tally:
        seen = tally_of(since)
        if others:
            others.pop()()  # another beat, after this one saw that counting is due
        return seen

    monkeypatch.setattr(tallies, "_tally", meanwhile)
    assert tallies.keep_tally() == 0
    assert (tallies.finished_today(), tallies.matches_by_status()["finished"]) == (2, 2)


def test_midnight_is_that_of_the_service_s_time_zone(ladder, clock, settings):
    settings.TIME_ZONE = "America/Chicago"  # midnight is 06:00 UTC
    ended(ladder, at("05:59"), at("06:00"), at("11:45"))
    assert tallies.finished_today() == 2
    tallies.keep_tally()
    assert tallies.finished_today() == 2
    settings.TIME_ZONE = "UTC"
    assert tallies.finished_today() == 3, "what was counted from another midnight is of another day"


@pytest.mark.parametrize("when", [at("09:00"), at("11:58"), at("09:00", day=3)])
def test_a_match_that_is_voided_counts_no_more_today(ladder, version, clock, when):
    ended(ladder, at("08:00"), version=version)
    match = ended(ladder, when, version=version)
    tallies.keep_tally()
    before = tallies.finished_today()
    void_match(match, reason="the host lied")
    assert (before, tallies.finished_today()) == (1 if when < at("00:00") else 2, 1)
    clock.moment = at("13:00")
    tallies.keep_tally()
    assert (tallies.finished_today(), tallies.matches_by_status()["finished"]) == (1, 1)
    assert tallies.matches_by_status()["void"] == 1
