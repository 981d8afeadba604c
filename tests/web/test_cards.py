"""What a link to a page says of itself where it is shared, and what robots are told."""

from __future__ import annotations

import html
import re
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from ladder.ratings.services import rate_all
from tests.ladder.cast import make_ladder, make_user
from tests.web.world import HOSTILE, enrolled, play_random, run_tournament

pytestmark = pytest.mark.django_db


def card(path: str) -> dict[str, str]:
    """The properties of a page that others show with a link to it."""
    page = Client().get(path).content.decode()
    found = re.findall(r'<meta (?:property|name)="((?:og:)?\w+)" content="([^"]*)">', page)
    return {name: html.unescape(content) for name, content in found}


@pytest.fixture
def played(rng: Random):
    ladder = make_ladder("gatsby", 2)
    versions = enrolled(["volstead", "lamplighter"], ladder, make_user("lena"))
    match = play_random(ladder, *versions, rng=rng)
    rate_all()
    return ladder, versions[0].bot, match


def test_a_shared_match_says_who_played_what_and_how_it_ended(played):
    told = card(reverse("web:match", args=[played[2].pk]))
    assert told["og:title"] == "volstead – lamplighter"
    assert told["og:description"].startswith("Gatsby: ")
    assert " won " in told["og:description"]
    assert told["og:url"] == f"http://testserver/matches/{played[2].pk}/"
    assert told["description"] == told["og:description"]


def test_a_shared_bot_says_whose_it_is_and_how_it_stands(played):
    told = card(reverse("web:bot", args=[played[1].pk]) + "?ladder=gatsby-2")
    assert told["og:title"] == "volstead"
    assert re.fullmatch(r"A Gatsby bot by lena, rated \d+\.\d ± \d+\.\d after 1 match\.", told["og:description"])
    assert told["og:url"] == f"http://testserver/bots/{played[1].pk}/"


def test_a_shared_author_says_how_many_bots_they_have(played):
    shown = card(reverse("web:author", args=["lena"]))
    assert (shown["og:title"], shown["og:description"]) == ("lena", "2 bots, 2 rated matches.")
    make_user("newcomer")
    assert card(reverse("web:author", args=["newcomer"]))["og:description"] == "No bots yet."


def test_a_shared_ladder_says_how_many_play_on_it(played):
    told = card(reverse("web:ladder", args=["gatsby-2"]))
    assert told["og:title"] == "Gatsby ladder, 2 seats"
    assert told["og:description"] == "2 bots and 1 rated match so far."


def test_a_shared_tournament_says_how_far_it_is_and_who_won(played, rng):
    cup = run_tournament(make_user("olga", "organiser"), played[0], rng, most=1)
    path = reverse("web:tournament", args=[cup.pk])
    assert card(path)["og:title"] == "Harbour Cup"
    assert card(path)["og:description"] == "A Gatsby round robin of 2 bots: running, 1 of 2 matches played."
    cup = run_tournament(cup.organiser, played[0], rng)
    assert re.fullmatch(
        r"A Gatsby round robin of 2 bots, won by (volstead|lamplighter|volstead and lamplighter)\.",
        card(reverse("web:tournament", args=[cup.pk]))["og:description"],
    )


def test_a_card_can_t_be_broken_out_of(played, rng):
    cup = run_tournament(make_user("olga", "organiser"), played[0], rng, name=f'"><b>{HOSTILE[:40]}', most=1)
    page = Client().get(reverse("web:tournament", args=[cup.pk])).content.decode()
    assert "<b>" not in page
    assert "<script>alert" not in page


def test_robots_are_told_in_their_own_format_what_to_leave_alone(client):
    answer = client.get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    lines = answer.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert "Disallow: /api/" in lines
    assert "Disallow: /tournaments/*/proof/" in lines


def test_the_page_to_sign_in_offers_a_forgotten_password_once(client):
    page = client.get(reverse("account_login")).content.decode()
    assert page.count(reverse("account_reset_password")) == 1


@pytest.mark.parametrize(
    ("path", "told"),
    [("/", "Prohibition-era board games"), ("/games/capone/learn/", "invest a million")],
)
def test_a_page_without_a_card_says_what_it_is_too(db, path: str, told: str) -> None:
    (description,) = re.findall(r'<meta name="description"\s+content="([^"]*)"', Client().get(path).content.decode())
    assert told in description
