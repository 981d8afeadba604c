"""Somebody leaves: what goes, what stays without a name, and who may not go."""

from __future__ import annotations

import pytest
from axes.models import AccessAttempt, AccessLog

from ladder.accounts.audit import audit
from ladder.accounts.models import AuditEntry, Notification, User
from ladder.accounts.services import AccountKept, appoint, notify, reset_path
from ladder.duels.services import cancel
from ladder.parlour.permissions import HumanPlayer
from ladder.parlour.services import Sitter, begin, join
from ladder.privacy.deletion import GONE, delete_account
from ladder.qualifying.activation import present, withdraw
from ladder.ratings.services import enter_ladder
from ladder.submissions.following import follow
from ladder.submissions.models import Bot, Follow
from tests.ladder.cast import make_ladder, make_user, make_version, play, standing
from tests.ladder.duels.staging import started

pytestmark = pytest.mark.django_db


@pytest.fixture
def remus() -> User:
    return make_user("remus")


def test_bots_stay_without_owner_and_name(remus: User) -> None:
    bot = make_version(owner=remus).bot
    Bot.objects.filter(pk=bot.pk).update(name="remus the great", description="mail me")
    delete_account(remus)
    bot.refresh_from_db()
    assert (bot.owner, bot.name, bot.description) == (None, f"anonymous-{bot.pk}", "")


def test_the_leaderboard_forgets_the_name_and_keeps_the_results(remus: User) -> None:
    ladder = make_ladder()
    mine, other = make_version(owner=remus), make_version()
    for version in (mine, other):
        enter_ladder(version, ladder)
    match = play(ladder, mine, other, ranks=(1, 2))
    delete_account(remus)
    assert standing(mine, ladder).name == f"anonymous-{mine.bot_id}"
    match.refresh_from_db()
    assert (match.status, match.seats.get(seat=0).version) == ("finished", mine)


@pytest.mark.parametrize(("given", "kept"), [("remus_secret.py", "bot.py"), ("remus.zip", "bot.zip"), ("x", "bot.zip")])
def test_names_of_files_that_may_tell_who_it_was_go(remus: User, given: str, kept: str) -> None:
    version = make_version(owner=remus)
    version.filename = given
    version.save(update_fields=["filename"])
    delete_account(remus)
    version.refresh_from_db()
    assert version.filename == kept


def test_bots_of_others_keep_their_names(remus: User) -> None:
    rival = make_version(owner=make_user("rival"))
    before = rival.bot.name
    delete_account(remus)
    rival.bot.refresh_from_db()
    assert (rival.bot.name, rival.bot.owner.username) == (before, "rival")


def test_log_ins_are_forgotten_in_whatever_case_they_were_typed(remus: User) -> None:
    AccessLog.objects.create(username="Remus", user_agent="x", ip_address="10.0.0.1", path_info="/")
    AccessAttempt.objects.create(
        username="REMUS", user_agent="x", ip_address="10.0.0.1", path_info="/", failures_since_start=1
    )
    AccessLog.objects.create(username="rival", user_agent="x", ip_address="10.0.0.2", path_info="/")
    delete_account(remus)
    assert list(AccessLog.objects.values_list("username", flat=True)) == ["rival"]
    assert not AccessAttempt.objects.exists()


def test_the_audit_log_keeps_the_act_and_forgets_the_person(remus: User) -> None:
    audit(remus, "drain", "worker 1")
    delete_account(remus)
    entry = AuditEntry.objects.get(action="drain")
    assert (entry.actor, entry.actor_name, entry.target) == (None, GONE, "worker 1")
    assert "remus" not in " ".join(AuditEntry.objects.values_list("target", flat=True))


def test_the_last_administrator_stays_with_all_that_is_theirs() -> None:
    keeper = make_user("keeper", role=User.Role.ADMINISTRATOR)
    bot = make_version(owner=keeper).bot
    with pytest.raises(AccountKept):
        delete_account(keeper)
    bot.refresh_from_db()
    assert bot.owner == keeper


def test_one_of_two_administrators_may_go() -> None:
    first, second = (make_user(name, role=User.Role.ADMINISTRATOR) for name in ("first", "second"))
    delete_account(first)
    assert list(User.objects.values_list("username", flat=True)) == [second.username]


def test_who_withdrew_a_version_is_forgotten_too(remus: User) -> None:
    version = make_version(owner=remus)
    withdraw(version, by=remus)
    delete_account(remus)
    version.refresh_from_db()
    assert version.reason == f"withdrawn by {GONE}"


def test_who_cancelled_a_test_is_forgotten_too(remus: User) -> None:
    duel = started(make_ladder(), remus)
    cancel(duel, by=remus)
    delete_account(remus)
    duel.refresh_from_db()
    assert (duel.told, duel.asked_by) == (f"cancelled by {GONE}", None)


def test_somebody_else_s_withdrawal_keeps_its_name(remus: User) -> None:
    keeper = make_user("keeper", role=User.Role.ADMINISTRATOR)
    version = make_version(owner=remus)
    withdraw(version, by=keeper)
    delete_account(remus)
    version.refresh_from_db()
    assert version.reason == "withdrawn by keeper"


def test_the_audit_log_forgets_whom_an_act_was_about(remus: User) -> None:
    keeper = make_user("keeper", role=User.Role.ADMINISTRATOR)
    appoint(remus, User.Role.ORGANISER, by=keeper)
    reset_path(remus, by=keeper)
    reset_path(make_user("remus2"), by=keeper)
    number = remus.pk
    delete_account(remus)
    targets = list(AuditEntry.objects.exclude(action="account deleted").order_by("id").values_list("target", flat=True))
    assert targets[:2] == [f"user {number}"] * 2
    assert targets[2].endswith(": remus2")


def test_what_others_were_told_stays_and_what_one_was_told_goes(remus: User) -> None:
    rival = make_user("rival")
    for user in (remus, rival):
        notify(user, Notification.Kind.ACCOUNT, "hello")
    follow(rival, remus)
    delete_account(remus)
    assert list(Notification.objects.values_list("user__username", flat=True)) == ["rival"]
    assert not Follow.objects.exists()
    assert User.objects.filter(pk=rival.pk).exists()


def test_a_deleted_name_is_free_again(remus: User) -> None:
    delete_account(remus)
    assert make_user("Remus").pk != remus.pk


def test_followers_are_left_no_news_that_tell_whose_the_nameless_bot_was(remus: User) -> None:
    rival, version = make_user("rival"), make_version(owner=remus)
    other = make_version(owner=make_user("other"))
    for bot in (version.bot, other.bot):
        follow(rival, bot)
    for each in (version, other):
        present(each.bot, each)
    delete_account(remus)
    assert [one.text.split(" has ")[0] for one in rival.notifications.all()] == [other.bot.name]


def test_whoever_plays_with_them_has_won_and_waits_no_longer(remus: User) -> None:
    friend = HumanPlayer(make_user("friend"))
    sitting = begin(HumanPlayer(remus), game="gatsby", chairs=[Sitter.ME, Sitter.FRIEND])
    join(friend, sitting, sitting.invite)
    delete_account(remus)
    sitting.refresh_from_db()
    assert (sitting.status, sitting.ranks, sitting.ending) == ("finished", [2, 1], "resigned")
