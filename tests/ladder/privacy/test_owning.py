"""What becomes of a bot that its owner hides or deletes, and of everything that hangs on it."""

from __future__ import annotations

import random

import pytest

from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.matches.models import Lane, Match, MatchSet
from ladder.matches.services import RequestRefused, request_matches
from ladder.matchmaking.services import contenders
from ladder.parlour.permissions import HumanPlayer, may_play_against
from ladder.parlour.queries import opponents
from ladder.privacy.owning import BotKept, BotWishes, change_bot, delete_bot
from ladder.ratings.leaderboard import leaderboard
from ladder.ratings.models import Standing
from ladder.ratings.services import rate_all
from ladder.submissions.following import follow
from ladder.submissions.house import house_owner
from ladder.submissions.models import Bot, BotVersion, Bundle, Follow
from ladder.submissions.permissions import NotYours
from ladder.submissions.services import BotRefused, create_bot
from ladder.tournaments import services as tournaments
from ladder.tournaments.services import EntryRefused, Wishes
from tests.ladder.cast import enrol, make_user, make_version, play, queue

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(ladder: Ladder, owner: User) -> list[BotVersion]:
    """The owner's version and a rival's, which have met once in a rated match."""
    versions = enrol(ladder, 2)
    Bot.objects.filter(pk=versions[0].bot_id).update(owner=owner, plays_people=True)
    play(ladder, *versions, ranks=(1, 2))
    rate_all()
    versions[0].bot.refresh_from_db()
    return versions


def turn(bot: Bot, owner: User, *, hidden: bool) -> None:
    change_bot(bot, BotWishes(is_hidden=hidden), by=owner)


def listed(ladder: Ladder) -> set[int]:
    return {row.version_id for row in leaderboard(ladder).rows}


def test_a_hidden_bot_is_neither_listed_nor_paired_and_comes_back_with_its_rating(pair, ladder, owner) -> None:
    mine, rival = pair
    mu = Standing.objects.get(version=mine).mu
    waiting = queue(ladder, mine, rival)
    turn(mine.bot, owner, hidden=True)
    waiting.refresh_from_db()
    assert waiting.status == Match.Status.CANCELLED
    assert listed(ladder) == {rival.pk}
    assert mine.pk not in {one.version for one in contenders(ladder)}
    turn(mine.bot, owner, hidden=False)
    assert listed(ladder) == {mine.pk, rival.pk}
    assert Standing.objects.get(version=mine).mu == mu


def test_a_hidden_bot_enters_nothing_new(pair, ladder, owner) -> None:
    mine, rival = pair
    person = HumanPlayer(make_user("vera"))
    assert may_play_against(person, mine.bot)
    cup = tournaments.create_tournament(by=owner, wishes=Wishes("Cup", ladder))
    tournaments.enter(cup, mine.bot, by=owner)
    turn(mine.bot, owner, hidden=True)
    assert not cup.entrants.exists()
    for refused, ask in (
        (EntryRefused, lambda: tournaments.enter(cup, mine.bot, by=owner)),
        (RequestRefused, lambda: request_matches(user=person.user, ladder=ladder, versions=[mine, rival])),
    ):
        with pytest.raises(refused, match="hidden by its owner"):
            ask()
    assert not may_play_against(person, mine.bot)
    assert mine not in opponents(HumanPlayer(owner), ladder.game)


def test_a_version_that_qualifies_while_its_bot_is_hidden_is_not_listed(pair, ladder, owner) -> None:
    mine, rival = pair
    turn(mine.bot, owner, hidden=True)
    make_version(bot=mine.bot, owner=owner)
    assert listed(ladder) == {rival.pk}


def test_a_deleted_bot_with_results_loses_its_name_and_others_keep_theirs(pair, ladder, owner) -> None:
    mine, rival = pair
    follow(make_user("vera"), mine.bot)
    before = Standing.objects.get(version=rival).mu
    delete_bot(mine.bot, by=owner)
    bot = Bot.objects.get(pk=mine.bot_id)
    assert (bot.name, bot.owner, bot.active_version, bot.is_hidden) == (f"anonymous-{bot.pk}", None, None, True)
    assert set(bot.versions.values_list("status", "reason")) == {("withdrawn", "its bot was deleted")}
    assert Match.objects.get().seats.filter(version=mine).exists()
    assert Standing.objects.get(version=rival).mu == before
    assert listed(ladder) == {rival.pk}
    assert not Follow.objects.exists()


def test_a_bot_that_met_nobody_is_gone_with_its_checks(ladder, owner) -> None:
    version, partner = make_version(owner=owner), make_version()
    for other in (version, partner):
        queue(ladder, version, other, is_rated=False, lane=Lane.TRIAL)
    delete_bot(version.bot, by=owner)
    assert list(Bot.objects.all()) == [partner.bot]
    assert list(Bundle.objects.all()) == [partner.bundle]
    assert not Match.objects.exists()
    assert not MatchSet.objects.exists()


def test_a_bot_is_not_deleted_under_a_worker_that_checks_it(ladder, owner) -> None:
    from ladder.matches import leases

    version = make_version(owner=owner, status="checking")
    queue(ladder, version, version, is_rated=False, lane=Lane.TRIAL)
    assert leases.claim_match(worker="host/1", rng=random.Random(1)) is not None
    with pytest.raises(BotKept, match="being checked at this moment"):
        delete_bot(version.bot, by=owner)
    assert Bot.objects.filter(pk=version.bot_id).exists()


def test_house_bots_and_those_of_others_are_not_deleted(owner) -> None:
    house = make_version(owner=house_owner()).bot
    with pytest.raises(BotKept, match="Hide it instead"):
        delete_bot(house, by=make_user("ada", User.Role.ADMINISTRATOR))
    with pytest.raises(NotYours):
        delete_bot(make_version(owner=make_user("rival")).bot, by=owner)


def test_nobody_takes_the_names_of_those_who_left(owner) -> None:
    with pytest.raises(BotRefused, match="anonymous-"):
        create_bot(owner=owner, game="gatsby", name="Anonymous-7")


def test_wishes_are_granted_together_or_not_at_all(pair, owner) -> None:
    mine, _ = pair
    with pytest.raises(BotRefused):
        change_bot(mine.bot, BotWishes(name="<b>", plays_people=False, is_hidden=True), by=owner)
    bot = Bot.objects.get(pk=mine.bot_id)
    assert (bot.plays_people, bot.is_hidden) == (True, False)
