"""Who follows whom, and what they are told."""

from __future__ import annotations

import pytest

from ladder.accounts.models import Notification, User
from ladder.accounts.services import hear_followed
from ladder.qualifying.activation import present
from ladder.refusals import Missing
from ladder.submissions import following
from ladder.submissions.following import bots_followed_by, follow, followed_by, follower_count, unfollow
from ladder.submissions.models import Bot
from tests.ladder.cast import make_user, make_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def bot(owner: User) -> Bot:
    return make_version(owner=owner).bot


def told(user: User) -> list[str]:
    return list(Notification.objects.filter(user=user, kind="followed").values_list("text", flat=True))


def test_whoever_follows_a_bot_or_its_author_or_both_hears_once_of_a_new_version(bot: Bot, owner: User) -> None:
    vera, ada, stranger = (make_user(name) for name in ("vera", "ada", "stranger"))
    for whom in (bot, bot, owner):
        follow(vera, whom)
    follow(ada, owner)
    follow(owner, bot)
    present(bot, make_version(bot=bot, owner=owner))
    assert told(vera) == told(ada) == [f"{bot.name} has a new version playing, v2."]
    assert told(stranger) == told(owner) == []
    assert (follower_count(bot), follower_count(owner)) == (2, 2)


def test_nobody_hears_who_unfollowed_turned_it_off_or_follows_what_is_hidden(bot: Bot, owner: User) -> None:
    vera, ada = make_user("vera"), make_user("ada")
    for user in (vera, ada):
        follow(user, bot)
    unfollow(vera, bot)
    hear_followed(ada, False)
    present(bot, make_version(bot=bot, owner=owner))
    assert not Notification.objects.filter(kind="followed").exists()
    hear_followed(ada, True)
    bot.is_hidden = True
    present(bot, make_version(bot=bot, owner=owner))
    assert told(ada) == []


def test_a_hidden_bot_leaves_the_lists_of_its_followers_and_can_t_be_followed(bot: Bot, owner: User) -> None:
    vera = make_user("vera")
    follow(vera, bot)
    follow(vera, owner)
    assert list(bots_followed_by(vera)) == [bot]
    Bot.objects.filter(pk=bot.pk).update(is_hidden=True)
    bot.refresh_from_db()
    assert [one.author for one in followed_by(vera)] == [owner]
    assert not bots_followed_by(vera).exists()
    with pytest.raises(Missing, match="hidden"):
        follow(make_user("ada"), bot)


def test_one_follows_so_many_and_no_more(bot: Bot, owner: User, monkeypatch) -> None:
    monkeypatch.setattr(following, "MOST_FOLLOWED", 1)
    vera = make_user("vera")
    follow(vera, bot)
    follow(vera, bot)
    with pytest.raises(following.FollowsTooMany, match="Unfollow one first"):
        follow(vera, owner)
