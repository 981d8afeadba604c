"""Is my new version better? What a duel plays, counts and says, and everything that may happen to it meanwhile."""

from __future__ import annotations

import pytest

from arena.desk.sequential import SequentialTest
from ladder.accounts.models import Notification, User
from ladder.duels import advancing, services
from ladder.duels.advancing import advance, advance_all
from ladder.duels.models import Duel
from ladder.duels.queries import report_of, sentence_of, thinned
from ladder.duels.services import AT_ONCE, DuelRefused, SamePlayer
from ladder.ladders.models import Ladder
from ladder.ladders.services import set_open
from ladder.matches import leases
from ladder.matches.models import Lane, Match
from ladder.matches.services import pause_ladder, resume_ladder, void_match
from ladder.privacy.deletion import delete_account
from ladder.qualifying.activation import set_active, withdraw
from ladder.qualifying.trials import qualify, quarantine
from ladder.refusals import Conflict, QuotaReached
from ladder.submissions.models import BotVersion
from ladder.submissions.permissions import NotYours
from tests.ladder.cast import make_ladder, make_user, make_version
from tests.ladder.duels.staging import play_match, play_sets, started, two_versions

pytestmark = pytest.mark.django_db
WIDE = 0.4  # a margin that few sets decide


@pytest.fixture
def ladder() -> Ladder:
    return make_ladder("gatsby")


def queued(duel: Duel) -> int:
    return Match.objects.filter(set__duel_set__duel=duel, status=Match.Status.QUEUED).count()


def test_a_set_is_one_deal_with_the_new_version_in_each_seat_once() -> None:
    duel = started(make_ladder("capone", 4), make_user())
    first = duel.played.get(number=1).set
    seatings = [
        list(match.seats.order_by("seat").values_list("version_id", flat=True))
        for match in first.matches.order_by("rotation")
    ]
    assert [seating.index(duel.new_id) for seating in seatings] == [0, 3, 2, 1]
    assert all(seating.count(duel.old_id) == 3 for seating in seatings)
    assert {(match.lane, match.is_rated) for match in first.matches.all()} == {(Lane.REQUEST, False)}


def test_the_newest_version_is_tested_against_the_active_one(ladder: Ladder, owner: User) -> None:
    old, new = two_versions(ladder, owner)
    duel = services.start(bot=old.bot, by=owner)
    assert (duel.old, duel.new, duel.ladder, duel.most_sets) == (old, new, ladder, 800)


def test_an_active_newest_version_is_tested_against_the_one_before(ladder: Ladder, owner: User) -> None:
    old, new = two_versions(ladder, owner)
    set_active(new.bot, new)
    duel = services.start(bot=new.bot, by=owner)
    assert (duel.old, duel.new) == (old, new)


def test_winning_every_set_ends_with_better(ladder: Ladder, owner: User) -> None:
    duel = play_sets(started(ladder, owner, margin=WIDE), [1] * 60)
    assert duel.status == Duel.Status.BETTER
    assert duel.ratio >= duel.test.bound
    assert sentence_of(duel) == f"Version 2 is better than version 1: it got 100.0 % of the points in {duel.sets} sets."
    assert queued(duel) == 0
    assert duel.bot.active_version_id == duel.old_id  # nobody asked for a change
    assert Notification.objects.filter(user=owner, kind="duel", url=f"/duels/{duel.pk}/").count() == 1


def test_even_sets_end_with_no_better(ladder: Ladder, owner: User) -> None:
    duel = play_sets(started(ladder, owner, margin=WIDE), [0.5] * 80)
    assert duel.status == Duel.Status.NO_BETTER
    assert "not better than version 1: it got 50.0 % of the points" in sentence_of(duel)
    assert "a gain of 40 points" in sentence_of(duel)


def test_the_test_is_the_one_of_compare(ladder: Ladder, owner: User) -> None:
    duel = play_sets(started(ladder, owner), [1, 0, 0.5, 1])
    assert duel.ratio == pytest.approx(SequentialTest().ratio([1, 0, 0.5, 1]))
    report = report_of(duel)
    assert [number for number, _ in report.path] == [1, 2, 3, 4]
    assert report.path[-1][1] == duel.ratio
    assert (report.won, report.level, report.lost, duel.score) == (2, 1, 1, pytest.approx(0.625))


def test_after_the_last_set_it_is_undecided(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    Duel.objects.filter(pk=duel.pk).update(most_sets=3)
    duel = play_sets(duel, [1, 0, 1, 0])
    assert (duel.status, duel.sets) == (Duel.Status.UNDECIDED, 3)
    assert sentence_of(duel) == (
        "Undecided: version 2 got 66.7 % of the points in 3 sets; the difference is too small to tell."
    )


def test_sets_count_in_their_order_whatever_ends_first(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    later = duel.played.get(number=2).set
    Match.objects.exclude(set=later).update(is_held=True)
    for _ in range(2):
        play_match(duel, 1)
    assert not advancing.count_new_sets(duel)
    duel.refresh_from_db()
    assert duel.sets == 0
    Match.objects.update(is_held=False)
    for _ in range(2):
        play_match(duel, 0)
    advance(duel.pk)
    assert list(duel.played.filter(is_over=True).order_by("number").values_list("score", flat=True)) == [0, 1]


def test_running_the_stage_again_counts_nothing_twice(ladder: Ladder, owner: User) -> None:
    duel = play_sets(started(ladder, owner), [1, 0])
    before = (duel.sets, duel.ratio, duel.played.count(), queued(duel))
    for _ in range(3):
        advance_all()
    duel.refresh_from_db()
    assert (duel.sets, duel.ratio, duel.played.count(), queued(duel)) == before


def test_a_match_without_a_result_leaves_its_set_out(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    void_match(duel.played.get(number=1).set.matches.get(rotation=0), reason="a test")
    play_match(duel, 1)
    advance(duel.pk)
    duel.refresh_from_db()
    assert (duel.sets, duel.played.get(number=1).is_over) == (0, True)
    assert play_sets(duel, [1]).sets == 1


def test_versions_that_never_get_ready_end_it_soon(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    for each in duel.played.filter(number__lte=advancing.SILENT):
        for match in each.set.matches.all():
            void_match(match, reason="every seat failed at start")
    advance(duel.pk)
    duel.refresh_from_db()
    assert duel.status == Duel.Status.UNDECIDED
    assert sentence_of(duel) == "Undecided; none of the last 3 sets had a result: see their matches."


def test_a_version_that_is_withdrawn_ends_its_duel(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    withdraw(duel.new, by=owner)
    advance_all()
    duel.refresh_from_db()
    assert sentence_of(duel) == "Called off after 0 sets: version 2 was withdrawn."
    assert queued(duel) == 0


def test_a_version_that_is_quarantined_ends_its_duel(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    quarantine(duel.old, reason="it crashed")
    advance_all()
    duel.refresh_from_db()
    assert (duel.status, duel.told) == (Duel.Status.CANCELLED, "version 1 was quarantined")


def test_closing_the_ladder_ends_its_duels(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    set_open(ladder, False)
    advance_all()
    duel.refresh_from_db()
    assert (duel.status, duel.told) == (Duel.Status.CANCELLED, "the ladder gatsby-2 was closed")


def test_new_rules_end_a_duel(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    Ladder.objects.update(rules_version=99)
    advance_all()
    duel.refresh_from_db()
    assert duel.told == "rules version 99 took effect; start it again"


def test_an_owner_who_leaves_leaves_no_duel_behind(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    delete_account(owner)
    advance_all()
    duel.refresh_from_db()
    assert (duel.status, duel.told, duel.asked_by) == (Duel.Status.CANCELLED, "its owner has left", None)


def test_a_paused_ladder_holds_its_duels_until_it_goes_on(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    pause_ladder(ladder)
    advance_all()
    assert leases.claim_match(worker="host/1") is None
    assert report_of(Duel.objects.get(pk=duel.pk)).waits_for.startswith("The ladder is paused")
    resume_ladder(ladder)
    advance_all()
    assert play_sets(duel, [1]).sets == 1


def test_only_a_few_sets_wait_at_a_time(ladder: Ladder, owner: User) -> None:
    duel = play_sets(started(ladder, owner), [1, 0, 1])
    assert queued(duel) <= 2 * advancing.MOST_AHEAD


def test_a_requested_match_goes_before_a_duel(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    priorities = Match.objects.filter(set__duel_set__duel=duel).values_list("priority", flat=True)
    assert min(priorities) > 0


def test_cancelling_calls_off_what_waits_and_what_runs_counts_nothing(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    claim = leases.claim_match(worker="host/1")
    assert claim is not None
    services.cancel(duel, by=owner)
    assert queued(duel) == 0
    assert Match.objects.get(pk=claim.match_id).status == Match.Status.RUNNING
    assert not advance(duel.pk)
    assert sentence_of(duel) == "Called off after 0 sets: cancelled by owner."
    with pytest.raises(Conflict, match="The test is over: cancelled"):
        services.cancel(duel, by=owner)


def test_a_verdict_that_came_first_stands_against_a_cancellation(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner, margin=WIDE)
    stale = Duel.objects.get(pk=duel.pk)
    play_sets(duel, [1] * 60)
    with pytest.raises(Conflict, match="The test is over: better"):
        services.cancel(stale, by=owner)


def test_a_rival_can_neither_start_nor_cancel(ladder: Ladder, owner: User) -> None:
    duel, rival = started(ladder, owner), make_user("rival")
    with pytest.raises(NotYours):
        services.start(bot=duel.bot, by=rival)
    with pytest.raises(NotYours):
        services.cancel(duel, by=rival)
    with pytest.raises(NotYours):
        services.play_better_only(duel.bot, True, by=rival)


def test_the_same_file_twice_is_refused(ladder: Ladder, owner: User) -> None:
    old, new = two_versions(ladder, owner)
    BotVersion.objects.filter(pk=new.pk).update(bundle=old.bundle)
    with pytest.raises(SamePlayer, match="Versions 1 and 2 are the same file"):
        services.start(bot=old.bot, by=owner)


def test_a_bot_has_one_duel_at_a_time(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    with pytest.raises(Conflict, match="are already being tested"):
        services.start(bot=duel.bot, by=owner)


@pytest.mark.parametrize("status", ["withdrawn", "quarantined", "rejected", "checking"])
def test_only_qualified_versions_are_tested(ladder: Ladder, owner: User, status: str) -> None:
    old, _ = two_versions(ladder, owner)
    third = make_version(owner=owner, bot=old.bot, status=status)
    with pytest.raises(DuelRefused, match=f"Version 3 is {status}"):
        services.start(bot=old.bot, by=owner, new=third)


def test_what_can_not_be_tested_is_told(ladder: Ladder, owner: User) -> None:
    old, new = two_versions(ladder, owner)
    alone, stranger = make_version(owner=owner, game="gatsby"), make_version(owner=owner, game="gatsby")
    capone, closed = make_ladder("capone", 4), make_ladder("gatsby", 2)
    with pytest.raises(DuelRefused, match="no other qualified version"):
        services.start(bot=alone.bot, by=owner)
    with pytest.raises(DuelRefused, match="not versions of the same bot"):
        services.start(bot=old.bot, by=owner, old=stranger, new=new)
    with pytest.raises(DuelRefused, match="against itself"):
        services.start(bot=old.bot, by=owner, old=new, new=new)
    with pytest.raises(DuelRefused, match=r"plays gatsby, not capone \(capone-4\)"):
        services.start(bot=old.bot, by=owner, ladder=capone)
    set_open(closed, False)
    with pytest.raises(DuelRefused, match="gatsby-2 is closed"):
        services.start(bot=old.bot, by=owner, ladder=closed)
    with pytest.raises(DuelRefused, match="No ladder of gatsby is open"):
        services.start(bot=old.bot, by=owner)


def test_a_person_has_some_duels_at_once(ladder: Ladder, owner: User) -> None:
    for _ in range(AT_ONCE):
        started(ladder, owner)
    with pytest.raises(QuotaReached, match=f"You have {AT_ONCE} tests under way"):
        started(ladder, owner)
    started(ladder, make_user("another"))


def test_a_person_has_some_duels_a_day(ladder: Ladder, owner: User, settings) -> None:
    settings.DUELS_A_DAY = 2
    for _ in range(2):
        services.cancel(started(ladder, owner), by=owner)
    with pytest.raises(QuotaReached, match="You started 2 tests in the last 24 hours; the limit is 2") as refused:
        started(ladder, owner)
    assert refused.value.free_at is not None


def test_the_better_one_plays_where_that_was_asked_for(ladder: Ladder, owner: User) -> None:
    duel = play_sets(started(ladder, owner, switch_when_better=True, margin=WIDE), [1] * 60)
    duel.bot.refresh_from_db()
    assert (duel.switched, duel.bot.active_version_id) == (True, duel.new_id)
    assert sentence_of(duel).endswith("It is the active version now.")


def test_no_better_changes_nothing(ladder: Ladder, owner: User) -> None:
    duel = play_sets(started(ladder, owner, switch_when_better=True, margin=WIDE), [0] * 60)
    duel.bot.refresh_from_db()
    assert (duel.status, duel.switched, duel.bot.active_version_id) == ("no_better", False, duel.old_id)


@pytest.mark.parametrize(("chance", "switched"), [(0.8, False), (0.97, True), (None, True)])
def test_the_fit_must_agree_where_it_knows_both(
    ladder: Ladder, owner: User, monkeypatch: pytest.MonkeyPatch, chance: float | None, switched: bool
) -> None:
    """A gain that only beats the own predecessor is no reason to play."""
    monkeypatch.setattr(advancing, "chance_by_fit", lambda duel: chance)
    duel = play_sets(started(ladder, owner, switch_when_better=True, margin=WIDE), [1] * 60)
    assert duel.switched == switched
    if not switched:
        assert "Version 1 stays active: by the ladder's own matches" in sentence_of(duel)
        assert "only 80 %" in sentence_of(duel)


def test_a_choice_of_the_owner_meanwhile_stands(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner, switch_when_better=True, margin=WIDE)
    third = make_version(owner=owner, bot=duel.bot)  # and made active
    duel = play_sets(duel, [1] * 60)
    duel.bot.refresh_from_db()
    assert duel.bot.active_version == third
    assert "another version was made active in the meantime" in duel.told.lower()


def test_a_bot_that_plays_only_what_is_better_tests_first(ladder: Ladder, owner: User) -> None:
    old, _ = two_versions(ladder, owner)
    services.play_better_only(old.bot, True, by=owner)
    third = make_version(owner=owner, bot=old.bot, status="checking")
    qualify(third)
    old.bot.refresh_from_db()
    assert old.bot.active_version == old
    assert "qualified; " in Notification.objects.get(user=owner).text
    advance_all()
    duel = Duel.objects.get(status=Duel.Status.PLAYING)
    assert (duel.old, duel.new, duel.switch_when_better) == (old, third, True)
    Duel.objects.update(margin=WIDE)
    assert play_sets(duel, [1] * 60).switched
    advance_all()
    assert not Duel.objects.filter(status=Duel.Status.PLAYING).exists()


def test_a_long_path_is_thinned_and_keeps_its_end() -> None:
    points = [(number, number / 10) for number in range(1, 801)]
    found = thinned(points)
    assert len(found) == 200
    assert (found[0], found[-1]) == (points[0], points[-1])
