"""Checks at their edges: what is planned, what a second process finds, what people are told, and who is suspected."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from ladder.accounts.models import Notification, User
from ladder.ladders.models import Ladder
from ladder.ladders.services import set_open
from ladder.matches import leases
from ladder.matches.models import Lane, Match
from ladder.qualifying.activation import WITHDRAWABLE, WrongState, activate, present, set_active, withdraw, withdrawn_by
from ladder.qualifying.models import Trial
from ladder.qualifying.quarantine import FAILURES, LOOK_BACK, failed_matches, suspect, suspect_all
from ladder.qualifying.queries import report_of
from ladder.qualifying.trials import (
    ADMITTED_A_BEAT,
    CheckedLately,
    admit_to_new_ladders,
    advance,
    advance_all,
    begin_check,
    check_again,
    plan_missing_trials,
    quarantine,
    release,
    unclaimed_match,
)
from ladder.ratings.models import Standing
from ladder.refusals import Conflict
from ladder.submissions.house import house_owner
from ladder.submissions.models import Bot, BotVersion
from tests.ladder.cast import crash, enrol, finish, make_ladder, make_version, play, queue

pytestmark = pytest.mark.django_db


def received(owner: User) -> BotVersion:
    return make_version(owner=owner, status="received")


def status(version: BotVersion) -> str:
    version.refresh_from_db()
    return version.status


def told(owner: User) -> list[str]:
    return list(Notification.objects.filter(user=owner).order_by("id").values_list("text", flat=True))


def fail_against(ladder: Ladder, version: BotVersion, *others: BotVersion) -> None:
    for other in others:
        play(ladder, version, other, ranks=(2, 1), faults=(crash(0),))


def test_a_check_begins_once_however_many_processes_see_the_upload(ladder: Ladder, owner: User) -> None:
    version = received(owner)
    assert [begin_check(version), begin_check(version)] == [True, False]
    assert list(version.trials.values_list("kind", "order")) == [("self", 1), ("house", 2)]


def test_where_no_ladder_is_open_the_look_into_the_archive_has_to_do(owner: User) -> None:
    version = received(owner)
    begin_check(version)
    assert status(version) == "qualified"
    assert not Standing.objects.exists()
    assert told(owner) == [f"{version} qualified and is now active."]


def test_a_closed_ladder_tries_nobody(ladder: Ladder, owner: User) -> None:
    set_open(ladder, False)
    version = received(owner)
    advance_all()
    assert not version.trials.exists()


def test_an_older_version_that_qualifies_late_does_not_replace_a_newer_one(owner: User) -> None:
    old = received(owner)
    new = make_version(owner=owner, bot=old.bot)
    begin_check(old)
    old.bot.refresh_from_db()
    assert old.bot.active_version == new
    assert told(owner)[-1] == f"{old} qualified; {new} keeps playing."


def test_a_bot_that_plays_only_what_is_better_keeps_its_version(owner: User) -> None:
    old = make_version(owner=owner)
    Bot.objects.update(plays_better_only=True)
    new = make_version(owner=owner, bot=Bot.objects.get(), status="received")
    begin_check(new)
    assert status(new) == "qualified"
    assert Bot.objects.get().active_version == old


def test_advancing_what_is_not_under_way_changes_nothing(ladder: Ladder, owner: User) -> None:
    version = make_version(owner=owner)
    assert not advance(version.pk)
    assert not Match.objects.exists()


def test_a_running_trial_is_waited_for(ladder: Ladder, owner: User) -> None:
    version = received(owner)
    advance_all()
    assert unclaimed_match(version) is not None
    leases.claim_match(worker="host/1")
    assert unclaimed_match(version) is None
    assert not advance(version.pk)
    assert Match.objects.count() == 1


def test_the_report_shows_how_far_a_check_is(ladder: Ladder, owner: User) -> None:
    version = received(owner)
    assert report_of(version) == []
    advance_all()
    assert [(step.ladder, step.kind, step.status, step.again) for step in report_of(version)] == [
        ("speak_easy-2", "self", "playing", ""),
        ("speak_easy-2", "house", "waiting", ""),
    ]


@pytest.mark.parametrize("state", ["qualified", "withdrawn", "quarantined", "received"])
def test_only_what_was_rejected_or_waits_is_checked_again(ladder: Ladder, owner: User, state: str) -> None:
    version = make_version(owner=owner, status=state)
    with pytest.raises(Conflict, match=f"is {state}; only a rejected or a waiting version"):
        check_again(version)


def test_a_check_that_goes_on_is_not_begun_again(ladder: Ladder, owner: User) -> None:
    version = received(owner)
    advance_all()
    version.refresh_from_db()
    with pytest.raises(Conflict, match="is being checked already"):
        check_again(version, by_operator=True)


@pytest.mark.parametrize(("minutes", "by_operator", "again"), [(40, False, False), (61, False, True), (1, True, True)])
def test_a_rejected_version_waits_an_hour_unless_an_operator_says_otherwise(
    ladder: Ladder, owner: User, minutes: int, by_operator: bool, again: bool
) -> None:
    version = make_version(owner=owner, status="rejected")
    BotVersion.objects.update(checked_at=now() - timedelta(minutes=minutes), reason="crash")
    version.refresh_from_db()
    if again:
        check_again(version, by_operator=by_operator)
        assert (status(version), version.reason, version.checked_at) == ("received", "", None)
    else:
        with pytest.raises(CheckedLately) as refused:
            check_again(version)
        assert 0 < refused.value.retry_after_s <= 20 * 60


def test_a_ladder_that_opens_admits_some_bots_a_beat_and_each_once(owner: User) -> None:
    for _ in range(ADMITTED_A_BEAT + 3):
        make_version(owner=owner)
    ladder = make_ladder()
    assert [admit_to_new_ladders() for _ in range(4)] == [ADMITTED_A_BEAT, 3, 0, 0]
    ladder.refresh_from_db()
    assert ladder.admitted_through is None
    assert Trial.objects.count() == 2 * (ADMITTED_A_BEAT + 3)


def test_what_a_version_has_tried_or_stands_on_is_not_tried_again(ladder: Ladder) -> None:
    (version,) = enrol(ladder, 1)
    assert plan_missing_trials(version) == 0
    other = make_version()
    assert [plan_missing_trials(other), plan_missing_trials(other)] == [1, 0]


@pytest.mark.parametrize("state", [one for one in BotVersion.Status if one not in WITHDRAWABLE])
def test_what_is_over_can_not_be_withdrawn(owner: User, state: str) -> None:
    version = make_version(owner=owner, status=state)
    with pytest.raises(WrongState, match=f"is {state}; it can't be withdrawn"):
        withdraw(version, by=owner)


@pytest.mark.parametrize("state", WITHDRAWABLE)
def test_what_plays_or_waits_is_withdrawn_once(owner: User, state: str) -> None:
    version = make_version(owner=owner, status=state)
    withdraw(version, by=owner)
    assert (status(version), version.reason) == ("withdrawn", withdrawn_by("owner"))
    with pytest.raises(WrongState):
        withdraw(version, by=owner)


def test_activating_the_active_version_changes_nothing(ladder: Ladder, owner: User) -> None:
    version = make_version(owner=owner)
    for _ in range(2):
        activate(version, by=owner)
    assert Bot.objects.get().active_version == version


def test_a_bot_may_have_no_version_in_play(ladder: Ladder, owner: User) -> None:
    version = make_version(owner=owner)
    set_active(version.bot, None)
    assert Bot.objects.get().active_version is None


def test_the_newest_qualified_version_inherits(owner: User) -> None:
    first = make_version(owner=owner)
    second = make_version(owner=owner, bot=first.bot)
    make_version(owner=owner, bot=first.bot, status="rejected")
    third = make_version(owner=owner, bot=first.bot)
    withdraw(third, by=owner)
    assert Bot.objects.get().active_version == second


def test_withdrawing_what_does_not_play_leaves_who_plays(owner: User) -> None:
    first = make_version(owner=owner)
    second = make_version(owner=owner, bot=first.bot)
    withdraw(first, by=owner)
    assert Bot.objects.get().active_version == second


def test_a_version_in_quarantine_is_told_why_and_released_once(ladder: Ladder, owner: User) -> None:
    version = make_version(owner=owner)
    quarantine(version, reason="it crashed")
    assert (status(version), Bot.objects.get().active_version) == ("quarantined", None)
    for _ in range(2):
        release(version)
    assert (status(version), version.reason, Bot.objects.get().active_version) == ("qualified", "", version)
    assert told(owner) == [
        f"{version} was quarantined: it crashed",
        f"{version} was released from quarantine and may play again.",
    ]


def test_the_house_is_told_nothing(ladder: Ladder) -> None:
    quarantine(make_version(owner=house_owner()), reason="it crashed")
    assert not Notification.objects.exists()


def test_releasing_what_is_not_in_quarantine_changes_nothing(owner: User) -> None:
    version = make_version(owner=owner, status="withdrawn")
    release(version)
    assert status(version) == "withdrawn"
    assert told(owner) == []


def test_one_accident_at_a_large_table_is_no_reason_for_a_retest() -> None:
    ladder = make_ladder("capone", 4)
    versions = enrol(ladder, 4)
    play(ladder, *versions, ranks=(4, 1, 2, 3), faults=(crash(0),))
    assert suspect_all() == 0
    assert FAILURES == 2


def test_a_suspicion_is_followed_once(ladder: Ladder) -> None:
    version, *others = enrol(ladder, 3)
    fail_against(ladder, version, *others)
    assert [suspect(version.pk), suspect(version.pk)] == [True, False]
    assert set(version.trials.values_list("occasion", flat=True)) == {"retest"}


@pytest.mark.parametrize("state", ["withdrawn", "quarantined"])
def test_who_does_not_play_is_not_suspected(ladder: Ladder, state: str) -> None:
    version, *others = enrol(ladder, 3)
    fail_against(ladder, version, *others)
    BotVersion.objects.filter(pk=version.pk).update(status=state)
    assert suspect_all() == 0


def test_faults_in_requested_matches_are_the_asker_s_affair(ladder: Ladder) -> None:
    version, *others = enrol(ladder, 3)
    for other in others:
        match = queue(ladder, version, other, lane=Lane.REQUEST, is_rated=False)
        leases.claim_match(worker="host/1")
        finish(match, 2, 1, faults=(crash(0),))
    assert suspect_all() == 0


def test_faults_before_a_passed_retest_are_forgiven(ladder: Ladder) -> None:
    version, *others = enrol(ladder, 3)
    fail_against(ladder, version, *others)
    assert len(failed_matches(version)) == 2
    version.cleared_match = Match.objects.order_by("-pk").first().pk
    assert failed_matches(version) == []


def test_only_the_latest_matches_are_looked_at(ladder: Ladder) -> None:
    version, other = enrol(ladder, 2)
    fail_against(ladder, version, other)
    for _ in range(LOOK_BACK):
        play(ladder, version, other, ranks=(1, 2))
    assert failed_matches(version) == []


def test_a_new_version_is_told_to_nobody_if_nobody_follows(owner: User) -> None:
    version = make_version(owner=owner)
    present(version.bot, version)
    assert told(owner) == []
