from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils.timezone import now

from ladder.accounts.models import Notification
from ladder.ladders.models import Ladder
from ladder.matches import leases
from ladder.matches.models import FailedAttempt, Lane, Match, SeatLog
from ladder.qualifying.models import Trial
from ladder.qualifying.quarantine import suspect_all
from ladder.qualifying.queries import log_of, report_of
from ladder.qualifying.trials import (
    CheckedLately,
    advance_all,
    check_again,
    quarantine,
    release,
    waiting_match,
)
from ladder.ratings.models import Standing
from ladder.ratings.services import enter_ladder
from ladder.refusals import Conflict
from ladder.submissions.house import house_owner
from ladder.submissions.models import Bot, BotVersion
from tests.ladder.cast import crash, enrol, finish, make_ladder, make_user, make_version, play

pytestmark = pytest.mark.django_db


@pytest.fixture
def partner(ladder: Ladder) -> BotVersion:
    bot = Bot.objects.create(owner=house_owner(), game="speak_easy", name="random")
    version = make_version(bot=bot)
    enter_ladder(version, ladder)
    return version


def received() -> BotVersion:
    return make_version(owner=make_user(), status="received")


def play_trial(*ranks: int, faulty: tuple[int, ...] = (), stage: str = "act", kind: str = "crash") -> Match:
    """Let the one queued trial end like this."""
    claim = leases.claim_match(worker="host/1")
    assert claim is not None
    match = Match.objects.get(pk=claim.match_id)
    assert match.lane == Lane.TRIAL
    finish(match, *ranks, faults=tuple(replace(crash(seat, stage=stage), kind=kind) for seat in faulty))
    advance_all()
    return match


def status(version: BotVersion) -> str:
    return BotVersion.objects.get(pk=version.pk).status


def test_a_version_qualifies_by_itself_and_against_the_house(ladder: Ladder, partner: BotVersion) -> None:
    version = received()
    advance_all()
    advance_all()
    assert status(version) == "checking"
    alone = play_trial(1, 2)
    assert {seat.version_id for seat in alone.seats.all()} == {version.pk}
    house = play_trial(2, 1)
    assert {seat.version_id for seat in house.seats.all()} == {version.pk, partner.pk}
    assert status(version) == "qualified"
    assert [trial.status for trial in report_of(version)] == ["passed", "passed"]
    assert Bot.objects.get(pk=version.bot_id).active_version == version
    assert Standing.objects.get(version=version).is_listed
    assert Notification.objects.get().kind == "qualified"


def test_people_do_not_wait_for_the_trials_of_the_house(ladder: Ladder, partner: BotVersion) -> None:
    house = make_version(bot=partner.bot, status="received")
    people = received()
    advance_all()
    advance_all()
    first = leases.claim_match(worker="host/1")
    assert [seat.version for seat in Match.objects.get(pk=first.match_id).seats.all()] == [people, people]
    assert Match.objects.get(status="queued").seats.first().version == house


def test_losing_is_no_fault_and_the_partners_fault_is_not_ours(ladder: Ladder, partner: BotVersion) -> None:
    version = received()
    advance_all()
    advance_all()
    play_trial(1, 2)
    match = Match.objects.get(status="queued")
    seat = match.seats.get(version=partner).seat
    play_trial(*((2, 1) if seat == 0 else (1, 2)), faulty=(seat,))
    assert status(version) == "qualified"


def test_the_check_stops_at_the_first_fault_and_tells_the_author(ladder: Ladder, partner: BotVersion) -> None:
    version = received()
    advance_all()
    advance_all()
    play_trial(1, 2, faulty=(1,))
    assert status(version) == "rejected"
    assert [trial.status for trial in report_of(version)] == ["failed", "skipped"]
    assert "crash at ply 3" in BotVersion.objects.get(pk=version.pk).reason
    assert not Match.objects.filter(status="queued").exists()
    assert Notification.objects.get().kind == "rejected"


def test_a_bot_that_never_gets_ready_is_rejected_though_the_match_is_void(ladder: Ladder) -> None:
    version = received()
    advance_all()
    advance_all()
    play_trial(1, 1, faulty=(0, 1), stage="start")
    assert status(version) == "rejected"
    assert "at start" in BotVersion.objects.get(pk=version.pk).reason


def test_a_silent_bot_is_told_of_the_handshake(ladder: Ladder) -> None:
    version = received()
    advance_all()
    advance_all()
    play_trial(1, 1, faulty=(0, 1), stage="start", kind="timeout")
    assert '{"type": "ready"}' in BotVersion.objects.get(pk=version.pk).reason


def test_a_failed_trial_tells_how_its_deal_is_played_at_the_desk(ladder: Ladder, partner: BotVersion) -> None:
    version = received()
    advance_all()
    advance_all()
    assert [trial.again for trial in report_of(version)] == ["", ""]
    play_trial(1, 2)
    mine = version.number % 2
    match = play_trial(*((2, 1) if mine == 0 else (1, 2)), faulty=(mine,))
    bots = ["house:random", "house:random"]
    bots[mine] = version.filename
    command = f"rumrunner play speak_easy {' '.join(bots)} --seed {match.set.seed}"
    assert [trial.again for trial in report_of(version)] == ["", command]


def test_the_log_of_a_check_ends_with_what_the_bot_said_last(ladder: Ladder, partner: BotVersion) -> None:
    version = received()
    advance_all()
    advance_all()
    for word in ("first", "last"):
        match = play_trial(1, 2)
        seat = match.seats.filter(version=version).earliest("seat").seat
        SeatLog.objects.update_or_create(
            match=match, seat=seat, defaults={"text": f"{word} words", "written_at": now()}
        )
    assert log_of(version).index("first words") < log_of(version).index("last words")


def test_a_trial_that_was_struck_is_played_anew_however_often(ladder: Ladder) -> None:
    version = received()
    advance_all()
    for _ in range(5):
        advance_all()
        Match.objects.filter(status="queued").update(status="void", reason="struck by boss: worker broken")
        advance_all()
    advance_all()
    assert status(version) == "checking"
    assert Match.objects.filter(status="queued").count() == 1
    play_trial(1, 2)
    assert status(version) == "qualified"


def fail_on_hosts(times: int) -> None:
    """Let the match that waits fail on so many machines, each time when its pause is over."""
    for number in range(times):
        Match.objects.update(aside_until=None)
        claim = leases.claim_match(worker=f"host{number}/1")
        assert claim is not None
        assert leases.report_host_fault(claim.match_id, claim.lease, detail="node is not installed")


def test_however_often_hosts_fail_a_version_is_never_rejected(ladder: Ladder) -> None:
    version = received()
    advance_all()
    advance_all()
    fail_on_hosts(12)
    advance_all()
    assert status(version) == "checking"
    waiting = waiting_match(version)
    assert waiting is not None
    assert waiting.times_aside == 4
    Match.objects.update(aside_until=None)
    play_trial(1, 2)
    assert status(version) == "qualified"


def test_a_waiting_version_is_checked_now_if_its_author_asks_but_not_every_moment(ladder: Ladder) -> None:
    version = received()
    advance_all()
    advance_all()
    version.refresh_from_db()
    with pytest.raises(Conflict, match="being checked already"):
        check_again(version)
    fail_on_hosts(3)
    with pytest.raises(CheckedLately, match="Try again after"):
        check_again(version)
    FailedAttempt.objects.update(at=now() - timedelta(minutes=2))
    check_again(version)
    assert waiting_match(version) is None
    play_trial(1, 2)
    assert status(version) == "qualified"


def test_a_rejected_version_is_checked_anew_after_an_hour_or_when_an_operator_says_so(ladder: Ladder) -> None:
    version = received()
    advance_all()
    advance_all()
    play_trial(2, 1, faulty=(0,))
    version.refresh_from_db()
    assert version.status == "rejected"
    with pytest.raises(CheckedLately, match="will most likely fail again"):
        check_again(version)
    check_again(version, by_operator=True)
    assert status(version) == "received"
    advance_all()
    advance_all()
    play_trial(1, 2)
    assert status(version) == "qualified"
    version.refresh_from_db()
    with pytest.raises(Conflict, match="is qualified"):
        check_again(version)


def test_without_a_house_bot_the_second_trial_is_skipped(ladder: Ladder) -> None:
    version = received()
    advance_all()
    advance_all()
    play_trial(1, 2)
    assert [trial.status for trial in report_of(version)] == ["passed", "skipped"]
    assert status(version) == "qualified"


def test_a_version_waits_for_a_house_bot_that_is_still_checked(ladder: Ladder, partner: BotVersion) -> None:
    BotVersion.objects.filter(pk=partner.pk).update(status="checking")
    Bot.objects.filter(pk=partner.bot_id).update(active_version=None)
    version = received()
    advance_all()
    advance_all()
    play_trial(1, 2)
    advance_all()
    assert [trial.status for trial in report_of(version)] == ["passed", "waiting"]


def test_advancing_twice_plays_nothing_twice(ladder: Ladder, partner: BotVersion) -> None:
    received()
    for _ in range(4):
        advance_all()
    assert Match.objects.count() == 1


def test_a_version_withdrawn_in_its_check_plays_no_more_trials(ladder: Ladder, partner: BotVersion) -> None:
    version = received()
    advance_all()
    advance_all()
    BotVersion.objects.filter(pk=version.pk).update(status="withdrawn")
    play_trial(1, 2)
    assert status(version) == "withdrawn"
    assert not Trial.objects.filter(status__in=["waiting", "playing"]).exists()


def test_a_ladder_opened_later_tries_the_active_versions(ladder: Ladder) -> None:
    version = make_version(game="cotton_club")
    two = make_ladder("cotton_club", 2)
    advance_all()
    advance_all()
    play_trial(1, 2)
    assert Standing.objects.get(version=version, ladder=two).is_listed
    assert status(version) == "qualified"


def faulty_season(ladder: Ladder, opponents: int) -> BotVersion:
    """A version that crashed once against each of so many opponents, twice in all at least."""
    failing, *others = enrol(ladder, opponents + 1)
    for number in range(max(2, opponents)):
        play(ladder, failing, others[number % opponents], ranks=(2, 1), faults=(crash(0),))
    return failing


def test_faults_against_one_opponent_are_no_reason_for_a_retest(ladder: Ladder) -> None:
    faulty_season(ladder, 1)
    assert suspect_all() == 0


def test_faults_against_two_opponents_lead_to_a_retest_and_a_failed_one_to_quarantine(
    ladder: Ladder, partner: BotVersion
) -> None:
    failing = faulty_season(ladder, 2)
    assert suspect_all() == 1
    assert suspect_all() == 0
    assert status(failing) == "qualified"
    advance_all()
    play_trial(1, 2, faulty=(0,))
    assert status(failing) == "quarantined"
    assert Bot.objects.get(pk=failing.bot_id).active_version is None
    assert not Standing.objects.get(version=failing).is_listed


def test_a_passed_retest_forgives_the_faults_before_it(ladder: Ladder) -> None:
    failing = faulty_season(ladder, 2)
    suspect_all()
    advance_all()
    play_trial(1, 2)
    assert status(failing) == "qualified"
    assert suspect_all() == 0
    assert Standing.objects.get(version=failing).is_listed


def test_an_operator_can_release_a_quarantined_version(ladder: Ladder) -> None:
    failing = faulty_season(ladder, 2)
    quarantine(failing, reason="tested by hand")
    release(failing)
    assert status(failing) == "qualified"
    assert Bot.objects.get(pk=failing.bot_id).active_version == failing
