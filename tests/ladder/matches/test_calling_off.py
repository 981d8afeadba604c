"""Matches that are held, called off, struck or played again: what changes, what stays, and that twice is once."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.matches import leases
from ladder.matches.models import Lane, Match
from ladder.matches.results import record_result
from ladder.matches.services import (
    NotQueued,
    RequestRefused,
    call_off_ladder,
    call_off_versions,
    cancel_sets,
    create_set,
    hold_sets,
    pause_ladder,
    release_sets,
    request_matches,
    rerun_match,
    resume_ladder,
    rotations,
    void_match,
)
from ladder.refusals import QuotaReached
from ladder.submissions.models import Bot, BotVersion
from tests.ladder.cast import enrol, finish, make_record, make_user, make_version, play, queue

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(ladder: Ladder) -> list[BotVersion]:
    return enrol(ladder, 2)


def status(match: Match) -> str:
    match.refresh_from_db()
    return match.status


def running(ladder: Ladder, *versions: BotVersion) -> Match:
    match = queue(ladder, *versions)
    claim = leases.claim_match(worker="host/1")
    assert claim is not None
    assert claim.match_id == match.pk
    return match


@pytest.mark.parametrize("size", [1, 2, 3, 6])
def test_turned_tables_keep_their_neighbours(size: int) -> None:
    turned = rotations(range(size))
    assert len(turned) == size
    assert [seating[0] for seating in turned] == list(range(size))
    assert all((one + 1) % size == other for seating in turned for one, other in pairwise(seating))


def test_calling_off_sets_twice_counts_once(ladder: Ladder, pair: list[BotVersion]) -> None:
    match = queue(ladder, *pair)
    assert [cancel_sets([match.set_id], reason="enough") for _ in range(2)] == [1, 0]
    assert (status(match), match.reason) == ("cancelled", "enough")
    assert match.finished_at is not None


def test_holding_and_releasing_leave_settled_matches_alone(ladder: Ladder, pair: list[BotVersion]) -> None:
    done, waiting = play(ladder, *pair, ranks=(1, 2)), queue(ladder, *pair)
    sets = [done.set_id, waiting.set_id]
    assert hold_sets(sets) == 1
    assert release_sets(sets) == 1
    done.refresh_from_db()
    assert (done.is_held, done.status) == (False, "finished")


def test_a_paused_ladder_holds_its_own_matches_and_no_others(ladder: Ladder, pair: list[BotVersion]) -> None:
    paired, asked = queue(ladder, *pair), queue(ladder, *pair, lane=Lane.REQUEST, is_rated=False)
    for _ in range(2):
        pause_ladder(ladder)
    paired.refresh_from_db(), asked.refresh_from_db(), ladder.refresh_from_db()
    assert (ladder.is_paused, paired.is_held, asked.is_held) == (True, True, False)
    resume_ladder(ladder)
    paired.refresh_from_db(), ladder.refresh_from_db()
    assert (ladder.is_paused, paired.is_held) == (False, False)


def test_what_a_pause_finds_running_is_played_to_its_end(ladder: Ladder, pair: list[BotVersion]) -> None:
    match = running(ladder, *pair)
    pause_ladder(ladder)
    finish(match, 1, 2)
    assert status(match) == "finished"


def test_a_ladder_that_is_called_off_takes_even_running_matches_from_their_workers(
    ladder: Ladder, pair: list[BotVersion]
) -> None:
    match, asked = running(ladder, *pair), queue(ladder, *pair, lane=Lane.REQUEST, is_rated=False)
    match.refresh_from_db()
    record, lease = make_record(leases.order_of(match), ranks=(1, 2)), match.lease
    assert call_off_ladder(ladder, reason="new rules") == 1
    assert (status(match), status(asked)) == ("cancelled", "queued")
    assert not record_result(match_id=match.pk, lease=lease, record=record)
    assert call_off_ladder(ladder, reason="new rules") == 0


def test_a_version_that_leaves_takes_only_what_nobody_has_tried(ladder: Ladder, pair: list[BotVersion]) -> None:
    fresh, tried, asked = (
        queue(ladder, *pair),
        queue(ladder, *pair),
        queue(ladder, *pair, lane=Lane.REQUEST, is_rated=False),
    )
    other = queue(ladder, *enrol(ladder, 2))
    Match.objects.filter(pk=tried.pk).update(attempts=1)
    call_off_versions(pair[0])
    assert [status(match) for match in (fresh, tried, asked, other)] == ["cancelled", "queued", "queued", "queued"]
    assert fresh.reason == "a version left the ladder"


def test_a_struck_match_asks_for_new_ratings_if_it_was_rated(ladder: Ladder, pair: list[BotVersion]) -> None:
    waiting, done = queue(ladder, *pair), None
    void_match(waiting, reason="by mistake")
    ladder.refresh_from_db()
    assert (status(waiting), ladder.needs_rebuild) == ("void", False)
    done = play(ladder, *pair, ranks=(1, 2))
    void_match(done, reason="collusion")
    ladder.refresh_from_db()
    assert (status(done), done.reason, ladder.needs_rebuild) == ("void", "collusion", True)


def test_an_unrated_match_is_struck_without_new_ratings(ladder: Ladder, pair: list[BotVersion]) -> None:
    match = queue(ladder, *pair, lane=Lane.REQUEST, is_rated=False)
    leases.claim_match(worker="host/1")
    finish(match, 1, 2)
    void_match(match, reason="asked to")
    ladder.refresh_from_db()
    assert (status(match), ladder.needs_rebuild) == ("void", False)


def test_nothing_is_struck_twice_or_while_it_is_played(ladder: Ladder, pair: list[BotVersion]) -> None:
    match = running(ladder, *pair)
    match.refresh_from_db()
    with pytest.raises(NotQueued, match="is running; only a queued or finished match can be voided"):
        void_match(match, reason="x")
    finish(match, 1, 2)
    void_match(match, reason="first")
    match.refresh_from_db()
    with pytest.raises(NotQueued, match="is void"):
        void_match(match, reason="second")
    assert match.reason == "first"


def test_a_match_played_again_keeps_seats_lane_and_rating_but_not_the_seed(
    ladder: Ladder, pair: list[BotVersion]
) -> None:
    match = play(ladder, *pair, ranks=(1, 2))
    again = rerun_match(match, requested_by=make_user()).matches.get()
    assert (again.lane, again.is_rated, again.status) == (match.lane, match.is_rated, "queued")
    assert again.set.seed != match.set.seed
    for one in (match, again):
        assert list(one.seats.order_by("seat").values_list("version_id", flat=True)) == [version.pk for version in pair]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_request_names_as_many_bots_as_there_are_seats(ladder: Ladder, count: int) -> None:
    with pytest.raises(RequestRefused, match=f"speak_easy-2 has 2 seats, but {count} bots were named"):
        request_matches(user=make_user(), ladder=ladder, versions=enrol(ladder, count))
    assert not Match.objects.exists()


@pytest.mark.parametrize("state", [one for one in BotVersion.Status if one != BotVersion.Status.QUALIFIED])
def test_only_a_qualified_version_is_asked_to_play(ladder: Ladder, pair: list[BotVersion], state: str) -> None:
    BotVersion.objects.filter(pk=pair[1].pk).update(status=state)
    pair[1].refresh_from_db()
    with pytest.raises(RequestRefused, match=f"is {state}; only qualified versions can play"):
        request_matches(user=make_user(), ladder=ladder, versions=pair)


def test_a_bot_of_another_game_is_not_asked_to_play(ladder: Ladder, pair: list[BotVersion]) -> None:
    stranger = make_version(game="gatsby")
    with pytest.raises(RequestRefused, match="can't play on speak_easy-2: it is a bot for gatsby"):
        request_matches(user=make_user(), ladder=ladder, versions=[pair[0], stranger])


def test_a_bot_may_be_asked_to_play_itself_in_every_seat(ladder: Ladder, pair: list[BotVersion]) -> None:
    made = request_matches(user=make_user(), ladder=ladder, versions=[pair[0], pair[0]], all_rotations=True)
    assert made.matches.count() == 2
    assert not made.matches.filter(is_rated=True).exists()


def test_the_quota_counts_matches_and_not_requests(ladder: Ladder, pair: list[BotVersion], settings) -> None:
    settings.REQUESTS_A_DAY = 3
    user = make_user()
    request_matches(user=user, ladder=ladder, versions=pair, all_rotations=True)
    with pytest.raises(QuotaReached, match="You asked for 2 matches in the last 24 hours; 2 more"):
        request_matches(user=user, ladder=ladder, versions=pair, all_rotations=True)
    request_matches(user=user, ladder=ladder, versions=pair)
    assert Match.objects.count() == 3


@pytest.mark.parametrize(("role", "is_limited"), [("author", True), ("organiser", True), ("administrator", False)])
def test_only_who_keeps_the_service_has_no_quota(
    ladder: Ladder, pair: list[BotVersion], settings, role: str, is_limited: bool
) -> None:
    settings.REQUESTS_A_DAY = 0
    user = make_user(role=User.Role(role))
    if is_limited:
        with pytest.raises(QuotaReached):
            request_matches(user=user, ladder=ladder, versions=pair)
    else:
        assert request_matches(user=user, ladder=ladder, versions=pair).matches.count() == 1


def test_a_request_that_is_refused_costs_no_quota(ladder: Ladder, pair: list[BotVersion], settings) -> None:
    settings.REQUESTS_A_DAY = 1
    user = make_user()
    Bot.objects.filter(pk=pair[0].bot_id).update(is_hidden=True)
    pair[0].bot.refresh_from_db()
    with pytest.raises(RequestRefused, match="hidden by its owner"):
        request_matches(user=user, ladder=ladder, versions=pair)
    Bot.objects.update(is_hidden=False)
    pair[0].bot.refresh_from_db()
    request_matches(user=user, ladder=ladder, versions=pair)


def test_a_set_is_made_whole_or_not_at_all(ladder: Ladder, pair: list[BotVersion]) -> None:
    seating = [version.pk for version in pair]
    with pytest.raises(RequestRefused):
        create_set(ladder=ladder, seatings=[seating, seating[:1]], lane=Lane.LADDER, is_rated=True)
    with pytest.raises(RequestRefused, match="needs different versions in all seats"):
        create_set(ladder=ladder, seatings=[seating, [pair[0].pk] * 2], lane=Lane.LADDER, is_rated=True)
    assert not Match.objects.exists()


@pytest.mark.parametrize(("wakes", "messages"), [(True, 1), (False, 0)])
def test_who_queues_many_sets_wakes_the_players_once(
    ladder: Ladder, pair: list[BotVersion], django_capture_on_commit_callbacks, wakes: bool, messages: int
) -> None:
    seating = [version.pk for version in pair]
    with django_capture_on_commit_callbacks() as told:
        create_set(ladder=ladder, seatings=[seating], lane=Lane.LADDER, is_rated=True, wakes=wakes)
    assert len(told) == messages
