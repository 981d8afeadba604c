"""The home page shows a position that was really played, as soon as there is one that anyone may see."""

from __future__ import annotations

import json
import re

from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from arena import apply_changes
from arena.replay import states
from ladder.matches.models import StoredRecord
from ladder.matches.records import stored_record
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
    assert "data-still" not in page
    assert "viewer.js" not in page


def test_a_match_whose_seed_is_still_in_use_is_not_shown(db, rng):
    half_played_set(rng, make_user("lena"))
    assert "data-still" not in home()


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
    assert "data-still" not in home()
