"""Every page answers, asks the database a bounded number of questions, and carries nothing inline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest
from django.test import Client
from django.urls import clear_script_prefix, reverse, set_script_prefix

from ladder.accounts.models import Notification, User
from ladder.matches.models import Lane
from ladder.matches.services import create_set
from ladder.ratings.services import rate_all
from ladder.submissions.models import Bot
from tests.ladder.cast import make_ladder, make_user
from tests.web.world import HOSTILE, enrolled, play_random, run_tournament, small_world

MOST_QUERIES = 40


@pytest.fixture
def world(db: None, rng: Random) -> dict[str, object]:
    """One of everything a page can show, owned by lena."""
    lena = make_user("lena")
    ladder = make_ladder("gatsby", 2)
    versions = enrolled(["bathtub-gin", "volstead", "lamplighter"], ladder, lena)
    matches = [play_random(ladder, *rng.sample(versions, 2), rng=rng) for _ in range(4)]
    rate_all()
    tournament = run_tournament(lena, ladder, rng)
    return {"lena": lena, "ladder": ladder, "version": versions[0], "match": matches[0], "tournament": tournament}


def paths(world: dict[str, object]) -> list[str]:
    version, match, cup = (world[key].pk for key in ("version", "match", "tournament"))
    slug, bot = world["ladder"].slug, world["version"].bot_id
    return [
        reverse("web:home"), reverse("web:counters"), reverse("web:docs"), reverse("web:rules", args=["gatsby"]),
        reverse("web:ladder", args=[slug]), reverse("web:ladder", args=[slug]) + "?order=-matches",
        reverse("web:ladder", args=[slug]) + "?q=bath", reverse("web:ladder", args=[slug]) + "?wall",
        reverse("web:live", args=[slug]), reverse("web:compare", args=[slug]) + "?a=volstead&b=lamplighter",
        reverse("web:bot", args=[bot]), reverse("web:matches"), reverse("web:matches") + f"?ladder={slug}",
        reverse("web:match", args=[match]), reverse("web:verify", args=[match]), reverse("web:submit"),
        reverse("web:version", args=[version]), reverse("web:account"), reverse("web:tournaments"),
        reverse("web:create_tournament"), reverse("web:tournament", args=[cup]), reverse("web:results", args=[cup]),
        reverse("web:tournament_matches", args=[cup]) + "?entrant=0&entrant=1", reverse("accounts:tokens"),
        reverse("account_change_password"), reverse("accounts:delete"), reverse("account_logout"),
    ]  # fmt: skip


def signed_in(world: dict[str, object]) -> Client:
    client = Client()
    client.force_login(world["lena"], backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_every_page_answers_with_bounded_queries_and_nothing_inline(world, django_assert_max_num_queries):
    client = signed_in(world)
    for path in paths(world):
        with django_assert_max_num_queries(MOST_QUERIES):
            answer = client.get(path)
        assert answer.status_code == 200, path
        html = answer.content.decode()
        assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)", html), path
        assert not re.search(r"<[^>]+\s(style|on[a-z]+)=", html), path
        assert not re.search(r"""(src|href|action)=["']?(https?:)?//""", html), path


def test_a_stranger_sees_public_pages_and_is_sent_to_sign_in_for_the_rest(world):
    for path in paths(world):
        answer = Client().get(path)
        is_private = any(part in path for part in ("/submit", "/versions/", "/account", "/new"))
        if is_private:
            assert answer.status_code == 302, path
        else:
            assert answer.status_code == 200, path


def test_the_ladder_page_costs_the_same_whether_it_lists_three_bots_or_thirty(rng, django_assert_num_queries, db):
    client, ladder = Client(), make_ladder("gatsby", 2)
    enrolled(["one", "two", "three"], ladder)
    path = reverse("web:ladder", args=[ladder.slug])
    client.get(path)
    with CountQueries() as few:
        client.get(path)
    enrolled([f"more {n}" for n in range(30)], ladder)
    with CountQueries() as many:
        client.get(path)
    assert len(many) == len(few)


def CountQueries():
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    return CaptureQueriesContext(connection)


def test_text_that_users_and_bots_chose_is_shown_inert(db, rng):
    lena = make_user("lena")
    ladder = make_ladder("gatsby", 2)
    versions = enrolled(["one", "two"], ladder, lena)
    Bot.objects.filter(pk=versions[0].bot_id).update(name=HOSTILE[:40], description=HOSTILE)
    match = play_random(ladder, *versions, rng=rng, note=HOSTILE, stderr=HOSTILE)
    rate_all()
    Notification.objects.create(user=lena, kind="rejected", text=HOSTILE)
    cup = run_tournament(lena, ladder, rng, name=HOSTILE.partition("\x1b")[0], description=HOSTILE)
    client = signed_in({"lena": lena})
    targets = [
        reverse("web:home"), reverse("web:ladder", args=[ladder.slug]), reverse("web:match", args=[match.pk]),
        reverse("web:bot", args=[versions[0].bot_id]), reverse("web:account"), reverse("web:tournament", args=[cup.pk]),
        reverse("web:ladder", args=[ladder.slug]) + "?q=" + HOSTILE, reverse("web:tournaments"), reverse("web:matches"),
        reverse("web:compare", args=[ladder.slug]) + f"?a={HOSTILE}&b=x", f"/{HOSTILE}/",
    ]  # fmt: skip
    for path in targets:
        html = client.get(path).content.decode()
        assert "<script>alert" not in html, path
        assert "<img src=x" not in html, path


@pytest.mark.parametrize("game", ["speak_easy", "gatsby", "capone", "cotton_club"])
def test_rules_of_each_game_are_readable_on_the_site(game, db):
    for page in ("web:rules", "web:for_bots"):
        html = Client().get(reverse(page, args=[game])).content.decode()
        assert "<h2" in html, page
        assert html.count("<h1") == 1, page
    assert "<table" in html


def test_the_pages_of_a_game_lead_to_each_other(db):
    rules = Client().get(reverse("web:rules", args=["cotton_club"])).content.decode()
    bots = Client().get(reverse("web:for_bots", args=["cotton_club"])).content.decode()
    assert 'href="../bots/"' in rules
    assert 'href="../rules/"' in bots
    assert "place_salvatore" in bots
    assert Client().get(reverse("web:for_bots", args=["chess"])).status_code == 404


def test_the_list_of_matches_leaves_out_what_can_not_be_watched_unless_it_is_asked_for(db, rng):
    ladder, played = small_world(rng, matches=1)
    seating = [seat.version_id for seat in played[0].seats.all()]
    waiting = create_set(ladder=ladder, seatings=[seating], lane=Lane.LADDER, is_rated=True).matches.get()
    paths = {name: reverse("web:match", args=[match.pk]) for name, match in (("p", played[0]), ("w", waiting))}

    def listed(query: str) -> set[str]:
        page = Client().get(reverse("web:matches") + query).content.decode()
        return {name for name, path in paths.items() if f'href="{path}"' in page}

    assert listed("") == listed("?status=nonsense") == {"p"}
    assert listed("?status=any") == {"p", "w"}
    assert listed("?status=queued") == {"w"}
    assert "Show all matches" in Client().get(reverse("web:matches") + "?status=void").content.decode()


def test_the_recent_matches_of_a_bot_are_those_that_were_played(db, rng):
    ladder, played = small_world(rng, matches=1)
    version = played[0].seats.all()[0].version
    create_set(ladder=ladder, seatings=[[version.pk, version.pk]], lane=Lane.LADDER, is_rated=False)
    page = Client().get(reverse("web:bot", args=[version.bot_id])).content.decode()
    assert reverse("web:match", args=[played[0].pk]) in page
    assert "queued" not in page


def test_a_game_page_leads_to_its_first_open_ladder(db):
    ladder = make_ladder("capone", 4)
    answer = Client().get(reverse("web:game", args=["capone"]))
    assert answer["Location"] == reverse("web:ladder", args=[ladder.slug])


def test_the_theme_is_kept_in_a_cookie_and_never_leads_away(db):
    answer = Client().post(reverse("web:theme"), {"theme": "dark", "next": "https://elsewhere.example/"})
    assert answer["Location"] == reverse("web:home")
    assert answer.cookies["theme"].value == "dark"


def test_a_page_under_a_chosen_theme_says_so_on_its_root(db):
    client = Client()
    client.cookies["theme"] = "dark"
    assert 'data-theme="dark"' in client.get(reverse("web:docs")).content.decode()


def test_pages_of_all_games_with_matches_answer(db, rng):
    for game, seats in (("capone", 3), ("cotton_club", 2)):
        ladder, played = small_world(rng, game=game, seats=seats, matches=1)
        assert Client().get(reverse("web:match", args=[played[0].pk])).status_code == 200
        assert Client().get(reverse("web:ladder", args=[ladder.slug])).status_code == 200


def test_showing_the_news_marks_it_read(db):
    lena: User = make_user("lena")
    Notification.objects.create(user=lena, kind="qualified", text="bathtub-gin v1 qualified")
    client = signed_in({"lena": lena})
    news = '<strong>1<span class="new-word"> new</span></strong>'
    assert news in client.get(reverse("web:home")).content.decode()
    assert "bathtub-gin v1 qualified" in client.get(reverse("web:account")).content.decode()
    assert news not in client.get(reverse("web:home")).content.decode()


@pytest.fixture
def prefix() -> Iterator[None]:
    """What a server under RUMRUNNER_PREFIX=/rumrunner sets for every request."""
    set_script_prefix("/rumrunner/")
    yield
    clear_script_prefix()


def test_behind_a_prefix_every_link_and_form_keeps_it(world, settings, prefix):
    Notification.objects.create(user=world["lena"], kind="qualified", text="see", url="/bots/1/")
    client = signed_in(world)
    for path in ("/", "/account/", f"/matches/{world['match'].pk}/", f"/tournaments/{world['tournament'].pk}/"):
        html = client.get(path).content.decode()
        targets = re.findall(r'(?:href|action|hx-get|data-frames)="(/[^"]*)"', html)
        stray = [t for t in targets if not t.startswith(("/rumrunner/", settings.STATIC_URL))]
        assert targets
        assert not stray, path


def test_a_knockout_says_that_the_round_reached_decides(world, rng):
    cup = run_tournament(world["lena"], world["ladder"], rng, name="Knock-out night", format="knockout")
    page = Client().get(reverse("web:tournament", args=[cup.pk])).content.decode()
    assert "Places follow the round reached" in page
    assert "Sonneborn-Berger" not in page


def test_a_projector_shows_many_entrants_smaller(world, rng):
    enrolled([f"bot {n}" for n in range(12)], world["ladder"])
    cup = run_tournament(world["lena"], world["ladder"], rng, name="Crowd", format="swiss", rounds=1)
    for tournament, mark in ((cup, 'data-wall="many"'), (world["tournament"], "data-wall>")):
        assert mark in Client().get(reverse("web:tournament", args=[tournament.pk]) + "?wall").content.decode()
