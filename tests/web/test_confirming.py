"""What is asked before something that can't be undone: the consequences that really follow, and a way back."""

from __future__ import annotations

import pytest

from ladder.tournaments.models import Tournament
from ladder.web.confirming import about_cancelling, about_withdrawing
from tests.ladder.cast import make_ladder, make_version

pytestmark = pytest.mark.django_db


def test_withdrawing_the_only_version_says_that_the_bot_stops() -> None:
    version = make_version()
    asked = about_withdrawing(version)
    assert asked.question == f"Withdraw version 1 of {version.bot.name}?"
    assert asked.told[-1] == "The bot stops playing until you upload a new version."
    assert asked.back == f"/bots/{version.bot_id}/"


def test_withdrawing_the_active_version_names_its_heir() -> None:
    first = make_version()
    second = make_version(bot=first.bot)
    first.bot.refresh_from_db()
    second.bot.refresh_from_db()
    assert about_withdrawing(second).told[-1] == "Version 1 plays instead."


def test_only_a_qualified_version_is_an_heir() -> None:
    first = make_version()
    make_version(bot=first.bot, status="rejected")
    first.bot.refresh_from_db()
    assert "stops playing" in about_withdrawing(first).told[-1]


def test_withdrawing_a_version_that_rests_changes_nothing_about_who_plays() -> None:
    first = make_version()
    make_version(bot=first.bot)
    first.bot.refresh_from_db()
    told = about_withdrawing(first).told
    assert told[-1] == "The results of its matches stay."
    assert not any("instead" in line or "stops" in line for line in told)


@pytest.mark.parametrize(("status", "stays"), [("running", True), ("paused", True), ("open", False), ("draft", False)])
def test_cancelling_a_tournament_says_what_stays(status: str, stays: bool) -> None:
    cup = Tournament.objects.create(name="Harbour Cup", ladder=make_ladder(), format="swiss", seed="1", status=status)
    asked = about_cancelling(cup)
    assert (asked.question, asked.back) == ("Cancel Harbour Cup?", f"/tournaments/{cup.pk}/")
    assert any("Finished matches stay visible" in line for line in asked.told) == stays
    assert (asked.no == "Keep it running") == stays
