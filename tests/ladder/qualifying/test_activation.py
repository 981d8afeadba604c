"""Which version of a bot plays, and what becomes of the matches of one that leaves."""

from __future__ import annotations

import pytest

from ladder.accounts.models import User
from ladder.matches.models import Match
from ladder.qualifying.activation import WrongState, activate, withdraw
from ladder.ratings.models import Standing
from ladder.submissions.models import Bot, BotVersion
from tests.ladder.cast import enrol, make_ladder, make_user, make_version, queue

pytestmark = pytest.mark.django_db


def test_rollback_makes_an_older_version_active_and_lists_it() -> None:
    owner, ladder = make_user(), make_ladder()
    old = make_version(owner=owner)
    new = make_version(owner=owner, bot=old.bot)
    for version in (old, new):
        Standing.objects.create(ladder=ladder, version=version, bot=old.bot)
    activate(new, by=owner)
    activate(old, by=owner)
    assert Bot.objects.get().active_version == old
    assert Standing.objects.get(is_listed=True).version == old


@pytest.mark.parametrize("status", ["received", "checking", "rejected", "withdrawn", "quarantined"])
def test_only_a_qualified_version_can_be_activated(owner: User, status: str) -> None:
    with pytest.raises(WrongState, match=status):
        activate(make_version(owner=owner, status=status), by=owner)


def test_a_version_that_was_withdrawn_since_it_was_found_is_not_activated(owner: User) -> None:
    old = make_version(owner=owner)
    new = make_version(owner=owner, bot=old.bot)
    found_before = BotVersion.objects.select_related("bot").get(pk=new.pk)
    withdraw(new, by=owner)
    with pytest.raises(WrongState, match="withdrawn"):
        activate(found_before, by=owner)
    assert Bot.objects.get().active_version == old


def test_withdrawing_the_active_version_brings_back_the_one_before() -> None:
    owner = make_user()
    old = make_version(owner=owner)
    new = make_version(owner=owner, bot=old.bot)
    withdraw(new, by=owner)
    assert Bot.objects.get().active_version == old
    withdraw(old, by=owner)
    assert Bot.objects.get().active_version is None
    with pytest.raises(WrongState):
        withdraw(old, by=owner)


def test_waiting_ladder_matches_of_a_withdrawn_version_are_called_off() -> None:
    ladder = make_ladder()
    one, other = enrol(ladder, 2)
    owner = make_user()
    Bot.objects.filter(pk=one.bot_id).update(owner=owner)
    waiting = queue(ladder, one, other)
    one.refresh_from_db()
    withdraw(one, by=owner)
    waiting.refresh_from_db()
    assert waiting.status == Match.Status.CANCELLED


def test_nobody_dodges_an_opponent_by_switching_versions() -> None:
    owner, ladder = make_user(), make_ladder()
    old, rival = enrol(ladder, 2)
    Bot.objects.filter(pk=old.bot_id).update(owner=owner)
    waiting = queue(ladder, old, rival)
    new = make_version(owner=owner, bot=Bot.objects.get(pk=old.bot_id))
    activate(new, by=owner)
    waiting.refresh_from_db()
    assert (Bot.objects.get(pk=old.bot_id).active_version, waiting.status) == (new, Match.Status.QUEUED)
    old.bot.refresh_from_db()
    withdraw(old, by=owner)
    waiting.refresh_from_db()
    assert (Bot.objects.get(pk=old.bot_id).active_version, waiting.status) == (new, Match.Status.CANCELLED)
