"""Bots and versions as their owners change them: names, descriptions, numbers, room on the disk, and doors."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction

from ladder.accounts.models import User
from ladder.accounts.permissions import HOUSE
from ladder.submissions import services
from ladder.submissions.following import follow, follower_count, is_following, tell_followers, unfollow
from ladder.submissions.models import Bot, BotVersion, Bundle, Follow
from ladder.submissions.permissions import NotYours, check_may_manage, may_manage, may_see_source, owns, shown_to
from ladder.submissions.queries import bots_in_full, source_of, versions_of
from ladder.submissions.services import (
    BotRefused,
    NoRoom,
    QuotaReached,
    create_bot,
    describe_bot,
    let_people_play,
    release_bots,
    upload_version,
)
from tests.ladder.cast import make_user, make_version

pytestmark = pytest.mark.django_db
SOURCE = b"print('hello')\n"


@pytest.fixture
def bot(owner: User) -> Bot:
    return create_bot(owner=owner, game="gatsby", name="Alice")


@pytest.mark.parametrize(
    ("given", "kept"),
    [("  Alice B.  ", "Alice B."), ("a", "a"), ("x" * 40, "x" * 40), ("9-lives_2.0", "9-lives_2.0")],
)
def test_a_name_is_kept_without_the_spaces_around_it(owner: User, given: str, kept: str) -> None:
    assert create_bot(owner=owner, game="capone", name=given).name == kept


@pytest.mark.parametrize("name", ["anonymous-1", "ANONYMOUS-x", "Anonymous-"])
def test_names_of_those_who_left_are_nobody_s(owner: User, bot: Bot, name: str) -> None:
    for act in (
        lambda: create_bot(owner=owner, game="gatsby", name=name),
        lambda: describe_bot(bot, name=name, description="", by=owner),
    ):
        with pytest.raises(BotRefused) as refused:
            act()
        assert refused.value.code == "invalid_name"


@pytest.mark.parametrize("name", ["searcher v2", "Searcher V10", "a b v0"])
def test_no_bot_is_called_like_a_version_of_another(owner: User, bot: Bot, name: str) -> None:
    for act in (
        lambda: create_bot(owner=owner, game="gatsby", name=name),
        lambda: describe_bot(bot, name=name, description="", by=owner),
    ):
        with pytest.raises(BotRefused, match="reads like a version of a bot called"):
            act()


def test_a_bot_that_was_called_like_a_version_can_be_told_about_anew(owner: User, bot: Bot) -> None:
    Bot.objects.filter(pk=bot.pk).update(name="searcher v2")
    bot.refresh_from_db()
    describe_bot(bot, name="searcher v2", description="swims", by=owner)
    assert bot.description == "swims"


@pytest.mark.parametrize("name", ["searcher-v2", "v2", "searcher v", "searcher v2b", "xv2"])
def test_a_name_may_have_a_number(owner: User, name: str) -> None:
    assert create_bot(owner=owner, game="gatsby", name=name).name == name


def test_a_refused_name_is_shown_but_not_whole(owner: User) -> None:
    with pytest.raises(BotRefused) as refused:
        create_bot(owner=owner, game="gatsby", name="<script>" * 100)
    assert len(refused.value.message) < 260


def test_a_bot_is_renamed_and_told_about_anew(bot: Bot, owner: User) -> None:
    describe_bot(bot, name=" Bella ", description=" swims \n", by=owner)
    assert (bot.name, bot.description) == ("Bella", "swims")
    assert Bot.objects.get().name == "Bella"


def test_a_bot_may_change_the_case_of_its_own_name(bot: Bot, owner: User) -> None:
    describe_bot(bot, name="ALICE", description="", by=owner)
    assert Bot.objects.get().name == "ALICE"


def test_a_name_that_another_has_is_refused_and_nothing_changes(bot: Bot, owner: User) -> None:
    create_bot(owner=make_user(), game="gatsby", name="Bella")
    with pytest.raises(BotRefused, match="already a bot named 'bella' for Gatsby") as refused:
        describe_bot(bot, name="bella", description="new", by=owner)
    assert (refused.value.code, refused.value.status) == ("name_taken", 409)
    bot.refresh_from_db()
    assert (bot.name, bot.description) == ("Alice", "")


def test_a_description_ends_after_500_letters(bot: Bot, owner: User) -> None:
    describe_bot(bot, name="Alice", description="é" * 600, by=owner)
    assert len(bot.description) == 500


@pytest.mark.parametrize(
    "act",
    [
        lambda bot, by: describe_bot(bot, name="Mine", description="", by=by),
        lambda bot, by: let_people_play(bot, True, by=by),
        lambda bot, by: upload_version(bot=bot, by=by, content=SOURCE, filename="main.py"),
    ],
)
def test_nobody_changes_a_bot_of_another(bot: Bot, act) -> None:
    with pytest.raises(NotYours, match="Alice is not your bot"):
        act(bot, make_user("rival"))
    bot.refresh_from_db()
    assert (bot.name, bot.plays_people, bot.versions.count()) == ("Alice", False, 0)


def test_an_administrator_may(bot: Bot) -> None:
    let_people_play(bot, True, by=make_user(role=User.Role.ADMINISTRATOR))
    bot.refresh_from_db()
    assert bot.plays_people


def test_versions_are_numbered_after_the_last_even_if_one_in_the_middle_is_gone(bot: Bot, owner: User) -> None:
    numbers = [upload_version(bot=bot, by=owner, content=b"# %d" % n, filename="main.py").number for n in range(3)]
    BotVersion.objects.get(number=2).delete()
    numbers.append(upload_version(bot=bot, by=owner, content=b"# 4", filename="main.py").number)
    assert numbers == [1, 2, 3, 4]
    assert [version.number for version in versions_of(bot)] == [4, 3, 1]


def test_the_same_bytes_of_two_people_are_two_versions_and_one_bundle(bot: Bot, owner: User) -> None:
    rival = make_user("rival")
    other = create_bot(owner=rival, game="gatsby", name="Copy")
    one = upload_version(bot=bot, by=owner, content=SOURCE, filename="mine.py")
    two = upload_version(bot=other, by=rival, content=SOURCE, filename="yours.py")
    assert one.digest == two.digest == Bundle.objects.get().digest
    assert [source_of(version) for version in (one, two)] == [SOURCE, SOURCE]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("main.py", "main.py"),
        ("Bot.PY", "Bot.py"),
        ("my bot (1).py", "my-bot-1-.py"),
        ("C:\\bots\\fast.py", "fast.py"),
        ("/etc/passwd.py", "passwd.py"),
        ("x" * 300 + ".py", "x" * 100 + ".py"),
    ],
)
def test_a_file_name_is_kept_as_far_as_it_is_plain(bot: Bot, owner: User, given: str, kept: str) -> None:
    assert upload_version(bot=bot, by=owner, content=SOURCE, filename=given).filename == kept


def test_a_full_disk_takes_no_bots_and_says_whom_to_ask(bot: Bot, owner: User, monkeypatch) -> None:
    monkeypatch.setattr(services, "is_disk_full", lambda: True)
    with pytest.raises(NoRoom, match="RUMRUNNER_DISK_GIB") as refused:
        upload_version(bot=bot, by=owner, content=SOURCE, filename="main.py")
    assert (refused.value.code, refused.value.status) == ("no_room", 507)


def test_the_house_has_no_limits(settings) -> None:
    settings.BOTS_A_USER = settings.UPLOADS_A_DAY = 0
    house = make_user(HOUSE)
    bot = create_bot(owner=house, game="gatsby", name="random")
    assert upload_version(bot=bot, by=house, content=SOURCE, filename="random.py").number == 1
    with pytest.raises(QuotaReached):
        create_bot(owner=make_user(), game="gatsby", name="other")


def test_one_s_last_bot_is_the_one_before_the_limit(owner: User, settings) -> None:
    settings.BOTS_A_USER = 2
    for name in ("one", "two"):
        create_bot(owner=owner, game="gatsby", name=name)
    with pytest.raises(QuotaReached, match="You have 2 bots, the maximum"):
        create_bot(owner=owner, game="capone", name="three")


def test_bots_of_those_who_left_get_a_name_each_and_close_to_people(owner: User) -> None:
    bots = [create_bot(owner=owner, game="gatsby", name=name) for name in ("one", "two")]
    Bot.objects.update(plays_people=True)
    assert release_bots(Bot.objects.filter(owner=owner)) == 2
    assert set(Bot.objects.values_list("name", "plays_people", "owner")) == {
        (f"anonymous-{bot.pk}", False, None) for bot in bots
    }


@pytest.mark.parametrize("who", ["owner", "rival", "organiser", "administrator", "nobody", "anonymous"])
def test_who_may_manage_see_and_read(bot: Bot, owner: User, who: str) -> None:
    visitors = {
        "owner": owner,
        "rival": make_user("rival"),
        "organiser": make_user(role=User.Role.ORGANISER),
        "administrator": make_user(role=User.Role.ADMINISTRATOR),
        "nobody": None,
        "anonymous": AnonymousUser(),
    }
    visitor, version = visitors[who], make_version(bot=bot)
    Bot.objects.update(is_hidden=True)
    assert owns(visitor, bot) is may_see_source(visitor, version) is (who == "owner")
    assert may_manage(visitor, bot) is (who in ("owner", "administrator"))
    assert Bot.objects.filter(shown_to(visitor)).exists() is (who in ("owner", "administrator"))


def test_a_bot_without_owner_is_managed_by_whoever_keeps_the_service(bot: Bot) -> None:
    Bot.objects.update(owner=None)
    bot.refresh_from_db()
    check_may_manage(make_user(role=User.Role.ADMINISTRATOR), bot)
    for visitor in (None, AnonymousUser(), make_user()):
        with pytest.raises(NotYours):
            check_may_manage(visitor, bot)


def test_a_list_of_bots_asks_once(owner: User, django_assert_num_queries) -> None:
    for _ in range(3):
        make_version(owner=owner)
    with django_assert_num_queries(1):
        listed = [(bot.owner.username, bot.active_version.number) for bot in bots_in_full()]
    assert listed == [("owner", 1)] * 3


def test_following_is_one_s_own_affair(bot: Bot, owner: User) -> None:
    vera, ada = make_user("vera"), make_user("ada")
    follow(vera, bot)
    assert (is_following(vera, bot), is_following(ada, bot), is_following(None, bot)) == (True, False, False)
    assert not is_following(vera, owner)
    for _ in range(2):
        unfollow(ada, bot)
    assert follower_count(bot) == 1


def test_a_follower_who_sleeps_or_follows_both_ways_is_not_told_twice(bot: Bot, owner: User) -> None:
    vera, sleeper = make_user("vera"), make_user("sleeper")
    for user in (vera, sleeper):
        follow(user, bot), follow(user, owner)
    User.objects.filter(pk=sleeper.pk).update(is_active=False)
    assert tell_followers(bot, "news", "/bots/1/") == 1


def test_the_owner_of_a_hidden_bot_may_follow_it(bot: Bot, owner: User) -> None:
    Bot.objects.update(is_hidden=True)
    bot.refresh_from_db()
    follow(owner, bot)
    assert is_following(owner, bot)
    assert tell_followers(bot, "news", "/bots/1/") == 0


@pytest.mark.parametrize("columns", [("bot", "author"), ()])
def test_the_database_lets_one_follow_a_bot_or_an_author_and_not_both(bot: Bot, owner: User, columns: tuple) -> None:
    whom = {"bot": bot, "author": owner}
    with pytest.raises(IntegrityError), transaction.atomic():
        Follow.objects.create(follower=make_user(), **{column: whom[column] for column in columns})


@pytest.mark.parametrize("change", [{"number": 0}, {"status": "dancing"}])
def test_the_database_refuses_versions_that_can_t_be(bot: Bot, change: dict) -> None:
    version = make_version(bot=bot)
    with pytest.raises(IntegrityError), transaction.atomic():
        BotVersion.objects.filter(pk=version.pk).update(**change)


def test_a_name_that_a_page_would_show_like_another_bots_is_taken(owner: User) -> None:
    rival = make_user("rival")
    create_bot(owner=owner, game="gatsby", name="green light")
    other = create_bot(owner=rival, game="gatsby", name="night  train")
    assert other.name == "night train"
    for act in (
        lambda: create_bot(owner=rival, game="gatsby", name="Green   light"),
        lambda: describe_bot(other, name="green  light", description="", by=rival),
    ):
        with pytest.raises(BotRefused) as refused:
            act()
        assert refused.value.code == "name_taken"
