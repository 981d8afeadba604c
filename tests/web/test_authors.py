"""An author's page, and what authors do with a bot's name."""

from __future__ import annotations

from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from ladder.ratings.leaderboard import leaderboard
from ladder.ratings.services import rate_all
from ladder.web.views.authors import card_of
from tests.ladder.cast import make_ladder, make_user
from tests.web.world import enrolled, play_random, run_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(rng: Random):
    ladder, lena = make_ladder("gatsby", 2), make_user("lena")
    versions = enrolled(["volstead", "lamplighter"], ladder, lena)
    match = play_random(ladder, *versions, rng=rng)
    rate_all()
    return ladder, lena, versions[0].bot, match


def as_user(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_an_author_s_page_has_all_bots_the_latest_matches_and_tournaments_won(world, rng):
    ladder, _, bot, match = world
    cup = run_tournament(make_user("olga", "organiser"), ladder, rng)
    page = Client().get(reverse("web:author", args=["lena"])).content.decode()
    for path in (
        reverse("web:bot", args=[bot.pk]),
        reverse("web:match", args=[match.pk]),
        reverse("web:tournament", args=[cup.pk]),
    ):
        assert path in page
    assert "lamplighter" in page
    assert reverse("web:author", args=["lena"]) in Client().get(reverse("web:bot", args=[bot.pk])).content.decode()


def test_the_titles_of_a_hidden_bot_are_shown_to_its_owner_alone(world, rng):
    ladder, lena, *_ = world
    cup = run_tournament(make_user("olga", "organiser"), ladder, rng)
    lena.bots.update(is_hidden=True)
    path = reverse("web:author", args=["lena"])
    assert reverse("web:tournament", args=[cup.pk]) not in Client().get(path).content.decode()
    assert reverse("web:tournament", args=[cup.pk]) in as_user(lena).get(path).content.decode()
    assert "won" not in card_of(lena).description


def test_every_bot_of_an_author_has_its_trend(world, rng):
    ladder = world[0]
    play_random(ladder, *(one.version for one in ladder.standings.order_by("pk")), rng=rng)
    rate_all()
    page = Client().get(reverse("web:author", args=["lena"])).content.decode()
    assert page.count('class="spark"') == 2
    assert "over the last 2 matches" in page


def test_an_author_without_bots_has_a_page_and_a_stranger_none(world):
    make_user("vera")
    assert "No bot plays at the moment" in Client().get(reverse("web:author", args=["vera"])).content.decode()
    assert Client().get(reverse("web:author", args=["nobody"])).status_code == 404


def test_an_author_s_page_costs_the_same_however_many_bots(world, django_assert_max_num_queries):
    ladder, lena, *_ = world
    enrolled([f"bot{n}" for n in range(12)], ladder, lena)
    with django_assert_max_num_queries(12):
        Client().get(reverse("web:author", args=["lena"]))


def test_an_owner_renames_a_bot_and_the_leaderboard_finds_it_by_the_new_name(world):
    ladder, lena, bot, _ = world
    answer = as_user(lena).post(
        reverse("web:edit_bot", args=[bot.pk]), {"name": "Night Train", "description": "quicker"}
    )
    assert answer.status_code == 302
    bot.refresh_from_db()
    assert (bot.name, bot.description) == ("Night Train", "quicker")
    assert [row.bot for row in leaderboard(ladder, search="night").rows] == ["Night Train"]
    assert not leaderboard(ladder, search="volstead").rows


@pytest.mark.parametrize("name", ["Lamplighter", "<b>", "", " ", "x" * 41])
def test_a_name_that_is_taken_or_none_is_refused_and_nothing_changes(world, name):
    _, lena, bot, _ = world
    answer = as_user(lena).post(reverse("web:edit_bot", args=[bot.pk]), {"name": name, "description": "new"})
    assert answer.status_code == 422
    bot.refresh_from_db()
    assert (bot.name, bot.description) == ("volstead", "")


def test_nobody_else_renames_a_bot(world):
    _, _, bot, _ = world
    path = reverse("web:edit_bot", args=[bot.pk])
    assert as_user(make_user("vera")).post(path, {"name": "mine"}).status_code == 404
    assert Client().post(path, {"name": "mine"}).status_code == 302
    bot.refresh_from_db()
    assert bot.name == "volstead"


def test_an_owner_hides_a_bot_after_being_asked_and_shows_it_again(world):
    ladder, lena, bot, _ = world
    client, path = as_user(lena), reverse("web:hide_bot", args=[bot.pk])
    assert "This can’t be undone" not in client.get(path).content.decode()
    client.post(path)
    assert "volstead" not in [row.bot for row in leaderboard(ladder).rows]
    assert "Hidden" in Client().get(reverse("web:bot", args=[bot.pk])).content.decode()
    assert "volstead" not in Client().get("/api/v1/bots/").content.decode()
    assert "volstead" in client.get("/api/v1/bots/").content.decode()
    client.post(path, {"show": "yes"})
    assert "volstead" in [row.bot for row in leaderboard(ladder).rows]


def test_an_owner_deletes_a_bot_after_being_asked(world):
    _, lena, bot, match = world
    client, path = as_user(lena), reverse("web:delete_bot", args=[bot.pk])
    page = client.get(path).content.decode()
    assert "This can’t be undone" in page
    assert "Others’ results depend on its matches" in page
    assert client.post(path).headers["Location"] == reverse("web:account")
    page = Client().get(reverse("web:match", args=[match.pk])).content.decode()
    assert "volstead" not in page
    assert f"anonymous-{bot.pk}" in page


def test_an_owner_opens_a_bot_to_people(world):
    _, lena, bot, _ = world
    path = reverse("web:edit_bot", args=[bot.pk])
    as_user(lena).post(path, {"name": bot.name, "plays_people": "on"})
    bot.refresh_from_db()
    assert bot.plays_people
    as_user(lena).post(path, {"name": bot.name})
    bot.refresh_from_db()
    assert not bot.plays_people


def test_a_reader_follows_from_the_pages_sees_what_happened_and_turns_news_off(world, rng):
    ladder, _, bot, match = world
    vera, page = make_user("vera"), reverse("web:following")
    client = as_user(vera)
    assert "You follow nobody yet" in client.get(page).content.decode()
    client.post(reverse("web:follow_bot", args=[bot.pk]), {"follow": "yes"})
    client.post(reverse("web:follow_author", args=["lena"]), {"follow": "yes"})
    assert "Unfollow" in client.get(reverse("web:author", args=["lena"])).content.decode()
    cup = run_tournament(make_user("olga", "organiser"), ladder, rng)
    shown = client.get(page).content.decode()
    for path in (reverse("web:match", args=[match.pk]), reverse("web:tournament", args=[cup.pk])):
        assert path in shown
    assert vera.notifications.filter(kind="followed", text__contains=" won ").count() == 1
    client.post(reverse("web:hear_followed"), {"hear": "no"})
    vera.refresh_from_db()
    assert not vera.hears_followed
    answer = client.post(reverse("web:follow_bot", args=[bot.pk]), {"follow": "no", "listed": "yes"})
    assert answer.headers["Location"] == page
    assert vera.follows.count() == 1
