"""What a duel says of itself in every state, what it waits for, and when the better version plays."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils.timezone import now

from ladder.accounts.models import Notification, User
from ladder.duels import advancing, services
from ladder.duels.advancing import advance, advance_all, why_not, why_not_switched
from ladder.duels.models import Duel
from ladder.duels.queries import MOST_POINTS, chance_by_fit, duels_of, get_duel, report_of, sentence_of, thinned
from ladder.duels.services import AT_ONCE, DuelRefused, end, play_better_only, start, start_wanted
from ladder.ladders.models import Ladder
from ladder.ladders.services import set_open
from ladder.matches import leases
from ladder.matches.models import Match
from ladder.matches.services import pause_ladder
from ladder.qualifying.activation import set_active
from ladder.refusals import Missing, QuotaReached
from ladder.submissions.models import Bot, BotVersion
from tests.ladder.cast import make_ladder, make_user, make_version
from tests.ladder.duels.staging import play_sets, started, two_versions

pytestmark = pytest.mark.django_db


def retire(version: int, status: str) -> None:
    BotVersion.objects.filter(pk=version).update(status=status)


def duel_that(status: str, **facts: object) -> Duel:
    """A duel that was never played, as a page would have to tell it."""
    plain = {"sets": 12, "score": 0.625, "margin": 0.05, "told": "", "switched": False}
    versions = {"new": BotVersion(number=4), "old": BotVersion(number=3)}
    return Duel(status=status, **{**plain, **versions, **facts})


@pytest.mark.parametrize(
    ("status", "facts", "told"),
    [
        ("playing", {"sets": 0}, "The first sets are being played."),
        ("playing", {}, "Not clear yet: version 4 has 62.5 % of the points in 12 sets."),
        ("playing", {"sets": 1}, "Not clear yet: version 4 has 62.5 % of the points in 1 set."),
        ("better", {}, "Version 4 is better than version 3: it got 62.5 % of the points in 12 sets."),
        ("better", {"switched": True}, "62.5 % of the points in 12 sets. It is the active version now."),
        ("better", {"told": "another one plays"}, "12 sets. Another one plays."),
        ("no_better", {}, "which is far more like an even match than like a gain of 5 points."),
        ("no_better", {"margin": 0.025}, "than like a gain of 2.5 points."),
        (
            "undecided",
            {},
            "Undecided: version 4 got 62.5 % of the points in 12 sets; the difference is too small to tell.",
        ),
        ("undecided", {"sets": 0, "told": "None answered"}, "Undecided; none answered."),
        ("cancelled", {"sets": 1, "told": "cancelled by ann"}, "Called off after 1 set: cancelled by ann."),
    ],
)
def test_a_duel_is_told_in_a_sentence(status: str, facts: dict, told: str) -> None:
    assert sentence_of(duel_that(status, **facts)).endswith(told)


@pytest.mark.parametrize("status", Duel.Status.values)
def test_every_state_has_its_sentence(status: str) -> None:
    told = sentence_of(duel_that(status, told="reason"))
    assert told.endswith(".")
    assert told[0].isupper()
    assert ".." not in told


@pytest.mark.parametrize("count", [0, 1, MOST_POINTS, MOST_POINTS + 1, 5 * MOST_POINTS])
def test_a_path_keeps_its_ends_and_never_grows_too_long(count: int) -> None:
    points = [(at, 0.1 * at) for at in range(1, count + 1)]
    kept = thinned(points)
    assert len(kept) == min(count, MOST_POINTS)
    assert list(kept) == sorted(kept)
    assert not points or (kept[0], kept[-1]) == (points[0], points[-1])


def test_a_duel_nobody_began_is_missing() -> None:
    with pytest.raises(Missing, match="There is no test 999"):
        get_duel(999)


def test_duels_of_a_bot_come_newest_first_and_no_one_else_s(ladder: Ladder, owner: User) -> None:
    first = started(ladder, owner)
    end(first, Duel.Status.CANCELLED)
    second = start(bot=first.bot, by=owner, new=first.new, old=first.old)
    started(ladder, make_user())
    assert list(duels_of(first.bot)) == [second, first]
    assert get_duel(second.pk) == second


def test_a_report_counts_sets_won_level_and_lost(ladder: Ladder, owner: User) -> None:
    duel = play_sets(started(ladder, owner), [1, 0.5, 0, 1])
    report = report_of(duel)
    assert (report.won, report.level, report.lost) == (2, 1, 1)
    assert [at for at, _ in report.path] == [1, 2, 3, 4]
    assert report.low < duel.score == 0.625 < report.high


def test_a_report_says_what_is_waited_for(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    assert report_of(get_duel(duel.pk)).waits_for == "It is waiting for a free worker."
    leases.claim_match(worker="host/1")
    assert report_of(get_duel(duel.pk)).waits_for == ""
    pause_ladder(ladder)
    assert "The ladder is paused" in report_of(get_duel(duel.pk)).waits_for
    end(duel, Duel.Status.CANCELLED)
    assert report_of(get_duel(duel.pk)).waits_for == ""


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda duel: BotVersion.objects.filter(pk=duel.old_id).update(status="withdrawn"), "version 1 was withdrawn"),
        (
            lambda duel: BotVersion.objects.filter(pk=duel.new_id).update(status="quarantined"),
            "version 2 was quarantined",
        ),
        (lambda duel: set_open(duel.ladder, False), "the ladder speak_easy-2 was closed"),
        (lambda duel: Ladder.objects.update(rules_version=99), "rules version 99 took effect; start it again"),
        (lambda duel: Bot.objects.update(owner=None), "its owner has left"),
        (lambda duel: None, ""),
    ],
)
def test_why_a_duel_can_t_go_on(ladder: Ladder, owner: User, change, told: str) -> None:
    duel = started(ladder, owner)
    change(duel)
    assert why_not(get_duel(duel.pk)) == told


def test_a_duel_that_is_over_is_not_moved(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    assert end(duel, Duel.Status.CANCELLED, told="enough")
    before = Duel.objects.values().get()
    assert not end(duel, Duel.Status.BETTER)
    assert not advance(duel.pk)
    assert Duel.objects.values().get() == before


def test_an_ended_duel_leaves_no_match_waiting(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    assert Match.objects.filter(status="queued").exists()
    end(duel, Duel.Status.CANCELLED)
    assert not Match.objects.filter(status="queued").exists()
    assert set(Match.objects.values_list("reason", flat=True)) == {"its test is over"}


def test_the_owner_is_told_the_verdict_once_with_its_address(ladder: Ladder, owner: User) -> None:
    duel = play_sets(started(ladder, owner, margin=0.4), [1] * 40)
    for _ in range(2):
        advance_all()
    (news,) = Notification.objects.filter(user=owner, kind="duel")
    assert news.text == f"{duel.bot.name}: {sentence_of(duel)}"
    assert news.url == f"/duels/{duel.pk}/"


@pytest.mark.parametrize(("chance", "told"), [(None, ""), (0.95, ""), (0.94, "only 94 %, and 95 % is required")])
def test_the_better_one_plays_unless_the_ladder_doubts_it(
    ladder: Ladder, owner: User, monkeypatch: pytest.MonkeyPatch, chance: float | None, told: str
) -> None:
    duel = started(ladder, owner)
    monkeypatch.setattr(advancing, "chance_by_fit", lambda duel: chance)
    reason = why_not_switched(get_duel(duel.pk))
    assert reason.endswith(told) if told else reason == ""


def test_a_version_that_plays_already_or_was_overtaken_is_not_switched_to(ladder: Ladder, owner: User) -> None:
    duel = get_duel(started(ladder, owner).pk)
    set_active(duel.bot, duel.new)
    assert why_not_switched(duel) == "version 2 was active already"
    set_active(duel.bot, make_version(owner=owner, bot=duel.bot))
    assert why_not_switched(duel) == "another version was made active in the meantime and stays active"


def test_without_a_fit_the_ladder_has_no_opinion(ladder: Ladder, owner: User) -> None:
    assert chance_by_fit(started(ladder, owner)) is None


def test_a_bot_with_one_version_has_nobody_to_beat(ladder: Ladder, owner: User) -> None:
    version = make_version(owner=owner)
    with pytest.raises(DuelRefused, match="has no other qualified version to test version 1 against") as refused:
        start(bot=version.bot, by=owner)
    assert refused.value.field == "old"


def test_a_bot_without_any_version_has_nothing_to_test(ladder: Ladder, owner: User) -> None:
    bot = make_version(owner=owner, status="rejected").bot
    with pytest.raises(DuelRefused, match="has no qualified version to test"):
        start(bot=bot, by=owner)


def test_the_open_ladder_with_the_fewest_seats_is_taken(owner: User) -> None:
    for seats in (4, 3):
        make_ladder("capone", seats)
    set_open(make_ladder("capone", 5), False)
    old, _ = two_versions(Ladder.objects.get(slug="capone-3"), owner)
    assert start(bot=old.bot, by=owner).ladder.slug == "capone-3"


def test_where_no_ladder_is_open_nothing_is_tested(ladder: Ladder, owner: User) -> None:
    old, _ = two_versions(ladder, owner)
    set_open(ladder, False)
    with pytest.raises(DuelRefused, match="No ladder of speak_easy is open"):
        start(bot=old.bot, by=owner)
    with pytest.raises(DuelRefused, match="The ladder speak_easy-2 is closed") as refused:
        start(bot=old.bot, by=owner, ladder=ladder)
    assert refused.value.status == 409


def test_the_quota_of_tests_under_way_is_one_s_own(ladder: Ladder, owner: User, settings) -> None:
    settings.DUELS_A_DAY = 100
    for _ in range(AT_ONCE):
        started(ladder, owner)
    with pytest.raises(QuotaReached, match=f"You have {AT_ONCE} tests under way") as refused:
        started(ladder, owner)
    assert refused.value.retry_after_s is None
    started(ladder, make_user())


def test_the_quota_of_a_day_frees_24_hours_after_the_first(ladder: Ladder, owner: User, settings) -> None:
    settings.DUELS_A_DAY = 1
    end(started(ladder, owner), Duel.Status.CANCELLED)
    Duel.objects.update(created_at=now() - timedelta(hours=23))
    with pytest.raises(QuotaReached, match="You started 1 tests in the last 24 hours") as refused:
        started(ladder, owner)
    assert 0 < refused.value.retry_after_s <= 3600
    Duel.objects.update(created_at=now() - timedelta(hours=24, seconds=1))
    started(ladder, owner)


def test_of_several_new_versions_the_newest_is_tested(ladder: Ladder, owner: User) -> None:
    old, second = two_versions(ladder, owner)
    third = make_version(owner=owner, bot=old.bot)
    set_active(old.bot, old)
    play_better_only(old.bot, True, by=owner)
    assert [start_wanted(), start_wanted()] == [1, 0]
    duel = Duel.objects.get()
    assert (duel.new, duel.old, duel.switch_when_better) == (third, old, True)
    assert second.duels_as_new.count() == 0


def test_what_can_t_begin_waits_without_a_fuss(ladder: Ladder, owner: User, settings) -> None:
    settings.DUELS_A_DAY = 0
    old, _ = two_versions(ladder, owner)
    play_better_only(old.bot, True, by=owner)
    assert start_wanted() == 0
    settings.DUELS_A_DAY = 1
    assert start_wanted() == 1


def test_who_plays_everything_tests_nothing(ladder: Ladder, owner: User) -> None:
    old, _ = two_versions(ladder, owner)
    play_better_only(old.bot, False, by=owner)
    assert start_wanted() == 0


def test_the_database_lets_no_version_fight_itself(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    with pytest.raises(IntegrityError), transaction.atomic():
        Duel.objects.filter(pk=duel.pk).update(new=duel.old)
    with pytest.raises(IntegrityError), transaction.atomic():
        Duel.objects.filter(pk=duel.pk).update(status="dancing")


def test_who_cancels_is_named(ladder: Ladder, owner: User) -> None:
    duel = started(ladder, owner)
    services.cancel(duel, by=owner)
    assert sentence_of(duel) == "Called off after 0 sets: cancelled by owner."
