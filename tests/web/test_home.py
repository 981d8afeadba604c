"""The home page plays a match that anyone may see, as soon as there is one, and says what each game is."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from html import unescape

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now
from playwright.sync_api import Page, expect

from arena import apply_changes
from arena.replay import states
from engines import GAMES
from ladder.matches import leases, tallies
from ladder.matches.models import Lane, Match, StoredRecord
from ladder.matches.records import stored_record
from ladder.matches.services import create_set, void_match
from ladder.ratings.models import Standing
from ladder.ratings.services import rate_all
from ladder.web import slow
from ladder.web.pictures import picture_of
from ladder.web.views import pages, projector
from tests.ladder.cast import make_ladder, make_user
from tests.web.test_replays import half_played_set
from tests.web.world import enrolled, play_random, run_tournament


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


def test_a_fresh_service_asks_for_the_first_bot_only_while_it_has_none(db):
    assert "Submit the first" in home()
    enrolled(["volstead"], make_ladder("gatsby", 2))
    cache.clear()
    page = home()
    assert re.search(r"<dt>Bots</dt>\s*<dd[^>]*>\s*1\s*</dd>", page)
    assert "No match has been played yet" in page
    assert "Submit the first" not in page


def test_a_table_waits_where_no_match_has_been_played_and_stays_there(db):
    assert re.search(r'<div class="onshow-stage[^>]*data-scene\s+data-whole[^>]*data-given="scene-speak_easy"', home())
    assert Client().get(reverse("web:home_table")).status_code == 204


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


def test_the_card_of_a_game_names_the_leader_of_whichever_ladder_has_one(db):
    first, second = make_ladder("cotton_club", 2), make_ladder("cotton_club", 3)
    enrolled(["volstead"], first)
    enrolled(["side-door"], second)
    Standing.objects.filter(ladder=second).update(
        is_provisional=False, place_low=1, place_high=1, storey=1, p_first=1.0, board_key=25.0, rating=25.0
    )
    card = re.search(r'<section class="gamecard">(?:(?!</section>).)*1923 Cotton Club.*?</section>', home(), re.S)[0]
    assert "nobody ranked yet" not in card
    assert re.search(r">side-door</a>\s*<span[^>]*>25.0, 3 seats<", card)


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


def test_what_else_is_being_played_leaves_out_the_table_that_is_shown(db):
    first, second = running_match(matches=2)
    shown = re.search(r'id="on-show" data-match="(\d+)"', home())[1]
    assert int(shown) == second
    fragment = Client().get(reverse("web:counters"), {"shown": shown}).content.decode()
    for page in (home(), fragment):
        also = re.search(r"Also being played(.*?)</section>", page, re.S)[1]
        assert re.findall(r'href="(.*?)">(.*?)</a>', also) == [
            (reverse("web:match", args=[first]), "gatsby0 – gatsby1")
        ]


def test_nothing_is_also_being_played_beside_a_match_that_has_just_ended(db):
    first, second = running_match(matches=2)
    fragment = Client().get(reverse("web:counters"), {"shown": second, "over": ""}).content.decode()
    assert "Also being played" not in fragment
    being_played = re.search(r"Being played now(.*?)</section>", fragment, re.S)[1]
    assert re.findall(r"/matches/(\d+)/", being_played) == [str(first)]


def test_a_single_running_match_is_not_named_twice(db):
    [running] = running_match()
    assert 'class="also"' not in home()
    beside_another = Client().get(reverse("web:counters"), {"shown": running + 1}).content.decode()
    assert "Being played now" in beside_another
    assert "Also being played" not in beside_another


def test_a_picture_is_of_a_game_that_is_on_and_always_the_same():
    for name in GAMES:
        picture = picture_of(name)
        assert picture
        assert picture["state"]["to_act"] is not None
        picture_of.cache_clear()
        assert picture_of(name) == picture


def running_match(game: str = "gatsby", matches: int = 1) -> list[int]:
    """Matches that workers have just taken."""
    ladder = make_ladder(game, GAMES[game].seats.start)
    seating = [version.pk for version in enrolled([f"{game}{n}" for n in range(ladder.seats)], ladder)]
    for _ in range(matches):
        create_set(ladder=ladder, seatings=[seating], lane=Lane.LADDER, is_rated=False)
    claims = [leases.claim_match(worker=f"host/{n}") for n in range(matches)]
    return [claim.match_id for claim in claims if claim]


def test_a_running_match_is_shown_rather_than_a_stored_one(db, rng):
    ladder = make_ladder("capone", 3)
    play_random(ladder, *enrolled(["volstead", "side-door", "white-mule"], ladder), rng=rng)
    assert "data-featured" in home()
    cache.clear()
    [running] = running_match()
    page = home()
    assert "data-live-picture" in page
    assert "data-featured" not in page
    assert reverse("web:live_news", args=[running]) in page
    assert re.search(r"Running now.*?</span>\s*1\s*</dd>", page, re.S)


def test_a_version_s_checks_are_shown_only_where_nothing_else_was_played(db, rng):
    ladder = make_ladder("gatsby", 2)
    versions = enrolled(["volstead", "side-door"], ladder)
    trial = play_random(ladder, *versions, rng=rng)
    Match.objects.filter(pk=trial.pk).update(lane=Lane.TRIAL)
    assert reverse("web:match", args=[trial.pk]) in home()
    cache.clear()
    contest = play_random(ladder, *versions, rng=rng)
    later = play_random(ladder, *versions, rng=rng)
    Match.objects.filter(pk=later.pk).update(lane=Lane.TRIAL)
    (running,) = running_match("capone")
    Match.objects.filter(pk=running).update(lane=Lane.TRIAL)
    page = home()
    assert f"{reverse('web:match', args=[contest.pk])}#ply=" in page
    assert "data-live-picture" not in page


def test_an_upset_names_who_beat_whom(db, rng, monkeypatch):
    monkeypatch.setattr(slow, "RANKED_MATCHES", 0)
    ladder = make_ladder("gatsby", 2)
    versions = enrolled(["volstead", "side-door"], ladder)
    for _ in range(6):
        play_random(ladder, *versions, rng=rng)
    rate_all()
    told = re.findall(r">(\S+) beat (\S+)</a>\s*<strong[^>]*>\+[\d.]+</strong>", home())
    assert told
    assert all({one, other} == {"volstead", "side-door"} for one, other in told)


def test_a_match_that_is_over_by_now_leaves_room_for_a_stored_one(db, rng):
    ladder = make_ladder("capone", 3)
    play_random(ladder, *enrolled(["volstead", "side-door", "white-mule"], ladder), rng=rng)
    cache.clear()
    [running] = running_match()
    home()  # counts it
    leases.hand_back(running, Match.objects.get(pk=running).lease, detail="told to stop")
    assert "data-featured" in Client().get(reverse("web:home_table")).content.decode()


def test_a_table_that_would_be_the_same_again_is_not_sent(db):
    [running] = running_match()
    address = reverse("web:home_table")
    assert Client().get(address).status_code == 200
    assert Client().get(address, {"shown": running}).status_code == 204
    assert Client().get(address, {"shown": "9" * 40}).status_code == 200


def test_the_tables_of_a_ladder_take_turns_on_a_wall(db):
    running = running_match(matches=3)
    address, shown = reverse("web:ladder_projector", args=["gatsby-2"]), []
    page = Client().get(address).content.decode()
    for _ in range(4):
        shown.append(int(re.search(r"shown=(\d+)", page)[1]))
        page = Client().get(address, {"shown": shown[-1]}, headers={"HX-Request": "true"}).content.decode()
    assert shown == [*running, running[0]]


def test_a_wall_without_a_match_says_what_will_be_there(db):
    make_ladder("gatsby", 2)
    page = Client().get(reverse("web:ladder_projector", args=["gatsby-2"])).content.decode()
    assert "No match has been played yet" in page


def test_a_wall_sends_nobody_away_to_submit_a_bot(db):
    page = Client().get(reverse("web:ladder_projector", args=[make_ladder("gatsby", 2).slug])).content.decode()
    assert "appears here by itself" in page
    assert "Submit the first" not in page


def test_the_tables_of_a_tournament_are_shown_on_a_wall(db, rng):
    ladder = make_ladder("gatsby", 2)
    enrolled(["volstead", "side-door", "white-mule"], ladder)
    tournament = run_tournament(make_user("lena"), ladder, rng, most=2)
    address = reverse("web:tournament_projector", args=[tournament.pk])
    assert "data-featured" in Client().get(address).content.decode()
    claim = leases.claim_match(worker="host/1")
    assert claim
    assert f"shown={claim.match_id}" in Client().get(address).content.decode()


@pytest.mark.browser
@pytest.mark.slow
def test_the_featured_match_plays_by_itself_unless_no_motion_is_wanted(reader: Page):
    ply = "() => Number(document.querySelector('.hero .board').dataset.ply)"
    reader.emulate_media(reduced_motion="no-preference")
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


def test_played_today_is_the_same_before_and_after_the_beat_has_counted(db, rng, monkeypatch):
    ladder = make_ladder("gatsby", 2)
    pair = enrolled(["volstead", "side-door"], ladder)
    matches = [play_random(ladder, *pair, rng=rng) for _ in range(4)]
    noon = now().replace(hour=12, minute=0, second=0, microsecond=0)
    monkeypatch.setattr(tallies, "now", lambda: noon)
    for match, ago in zip(matches, (timedelta(hours=13), timedelta(hours=3), timedelta(minutes=5)), strict=False):
        Match.objects.filter(pk=match.pk).update(finished_at=noon - ago)
    Match.objects.filter(pk=matches[3].pk).update(finished_at=noon - timedelta(hours=12))  # at midnight
    assert played_today() == 3
    tallies.keep_tally()
    assert played_today() == 3
    void_match(matches[1], reason="the host lied")
    assert played_today() == 2


def played_today() -> int:
    cache.clear()
    return int(re.search(r"<dt>Played today</dt>\s*<dd[^>]*>\s*([\d,]+)\s*</dd>", home())[1])


def test_the_page_is_made_once_for_each_count(db, monkeypatch):
    made: list[int] = []
    monkeypatch.setattr(pages, "_tops", lambda: made.append(1) or [])
    assert home().count("No ladder is open") == home().count("No ladder is open") == 1
    assert len(made) == 1
    cache.clear()
    home()
    assert len(made) == 2


def test_a_match_that_ended_since_the_count_is_not_shown_as_running(db, rng):
    ladder = make_ladder("capone", 3)
    play_random(ladder, *enrolled(["volstead", "side-door", "white-mule"], ladder), rng=rng)
    cache.clear()
    [running] = running_match()
    assert "data-live-picture" in home()
    leases.hand_back(running, Match.objects.get(pk=running).lease, detail="told to stop")
    assert "data-featured" in home()


def test_every_reader_is_told_of_the_stream_at_the_name_they_came_by(db, monkeypatch, settings):
    settings.ALLOWED_HOSTS = ["*"]
    monkeypatch.setattr(projector, "stream_address", lambda request: f"http://{request.get_host()}:9")
    running_match()
    for name in ("one", "two", "one"):
        page = Client().get(reverse("web:home"), headers={"Host": name})
        assert re.findall(r'data-stream="(http://\w+:9)/', page.content.decode()) == [f"http://{name}:9"]
        assert f"http://{name}:9" in page.headers["Content-Security-Policy"]


def test_nothing_of_a_reader_is_kept_for_the_next(db):
    lena = Client()
    lena.force_login(make_user("lena"))
    assert "lena" in lena.get(reverse("web:home")).content.decode()
    assert "lena" not in home()
    assert "Sign in" not in lena.get(reverse("web:home")).content.decode()
