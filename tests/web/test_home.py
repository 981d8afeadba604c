"""The home page plays a match that anyone may see, as soon as there is one, and says what each game is."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from arena import apply_changes
from arena.replay import states
from engines import GAMES
from ladder.matches import leases
from ladder.matches.models import Lane, StoredRecord
from ladder.matches.records import stored_record
from ladder.matches.services import create_set
from ladder.web.pictures import picture_of
from tests.ladder.cast import make_ladder, make_user
from tests.web.test_replays import half_played_set
from tests.web.world import enrolled, play_random


def home() -> str:
    return Client().get(reverse("web:home")).content.decode()


def shown_state(page: str) -> dict:
    """The position that the viewer will draw."""
    whole, step = json.loads(re.search(r'<script id="position"[^>]*>(.*?)</script>', page, re.S)[1])
    return apply_changes(whole["state"], step["changes"])


def test_the_position_is_one_of_the_latest_match(db, rng):
    ladder = make_ladder("gatsby", 2)
    versions = enrolled(["volstead", "side-door"], ladder)
    play_random(ladder, *versions, rng=rng)
    match = play_random(ladder, *versions, rng=rng)
    page = home()
    assert reverse("web:match", args=[match.pk]) in page
    ply = int(re.search(r"#ply=(\d+)", page)[1])
    state = list(states_of(match))[ply]
    assert {key: value for key, value in state.items() if key != "log"} == shown_state(page)


def states_of(match):
    for state in states(stored_record(match)):
        yield json.loads(json.dumps(state.observe(None)))


def test_a_fresh_service_says_what_will_stand_there(db):
    page = home()
    assert "No match has been played yet" in page
    assert "data-featured" not in page


def test_a_match_whose_seed_is_still_in_use_is_not_shown(db, rng):
    half_played_set(rng, make_user("lena"))
    assert "data-featured" not in home()


def test_a_record_that_is_gone_leaves_the_page_whole(db, rng):
    ladder = make_ladder("gatsby", 2)
    play_random(ladder, *enrolled(["volstead", "side-door"], ladder), rng=rng)
    StoredRecord.objects.all().delete()
    assert "No match has been played yet" in home()


def test_the_position_is_found_once_and_kept(db, rng):
    ladder = make_ladder("gatsby", 2)
    play_random(ladder, *enrolled(["volstead", "side-door"], ladder), rng=rng)
    first = home()
    StoredRecord.objects.all().delete()
    assert shown_state(home()) == shown_state(first)
    cache.clear()
    assert "data-featured" not in home()


def test_every_game_says_what_it_is_and_how_many_play_now(db):
    page = unescape(home())
    for game in GAMES.values():
        assert game.words.gist in page
        assert f'id="now-{game.name}"' in page


def test_what_runs_in_all_is_what_runs_in_each_game(db):
    for game in ("gatsby", "capone"):
        ladder = make_ladder(game, GAMES[game].seats.start)
        seating = [version.pk for version in enrolled([f"{game}{n}" for n in range(ladder.seats)], ladder)]
        create_set(ladder=ladder, seatings=[seating], lane=Lane.LADDER, is_rated=False)
    while leases.claim_match(worker="host/1"):
        pass
    fragment = Client().get(reverse("web:counters")).content.decode()
    counted = {game: int(n) for game, n in re.findall(r'id="now-(\w+)"[^>]*>(\d+)<', fragment)}
    assert counted == {**dict.fromkeys(GAMES, 0), "gatsby": 1, "capone": 1}
    assert re.search(r"Running now.*?</span>\s*2\s*</dd>", fragment, re.S)


def test_a_picture_is_of_a_game_that_is_on_and_always_the_same():
    for name in GAMES:
        picture = picture_of(name)
        assert picture
        assert picture["state"]["to_act"] is not None
        picture_of.cache_clear()
        assert picture_of(name) == picture


@pytest.mark.browser
@pytest.mark.slow
def test_the_featured_match_plays_by_itself_unless_no_motion_is_wanted(reader: Page):
    ply = "() => Number(document.querySelector('.hero .board').dataset.ply)"
    reader.goto("/")
    reader.wait_for_selector(".hero .board[data-ply]")
    first = reader.evaluate(ply)
    reader.wait_for_function(f"n => ({ply})() > n", arg=first)
    reader.get_by_role("button", name="Pause the match").click()
    expect(reader.get_by_role("button", name="Play the match")).to_be_visible()
    reader.emulate_media(reduced_motion="reduce")
    reader.goto("/")
    reader.wait_for_selector(".hero .board[data-ply]")
    expect(reader.get_by_role("button", name="Play the match")).to_be_visible()
    expect(reader.locator(".scene .board")).to_have_count(4)
