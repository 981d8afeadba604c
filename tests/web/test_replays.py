"""What the viewer is sent, and what is kept from it."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from arena import apply_changes
from arena.packing import pack
from engines import GAMES
from ladder.matches import leases, results
from ladder.matches.models import Lane, Match, StoredRecord
from ladder.matches.records import stored_record
from ladder.matches.services import create_set
from ladder.web.positions import recent_position
from tests.ladder.cast import make_ladder, make_user
from tests.web.test_pages import signed_in
from tests.web.world import enrolled, play_random, random_record


def frames(client: Client, match, **query) -> list[dict]:
    answer = client.get(reverse("web:frames", args=[match.pk]), query)
    assert answer.status_code == 200, answer.content
    return json.loads(answer.content)["frames"]


def test_frames_come_in_pages_whose_first_is_whole(db, rng):
    ladder = make_ladder("capone", 3)
    match = play_random(ladder, *enrolled(["a", "b", "c"], ladder), rng=rng)
    first, second = frames(Client(), match, start=0, stop=100), frames(Client(), match, start=100, stop=200)
    assert len(first) == 100
    assert "state" in first[0]
    assert "changes" in first[1]
    assert second[0]["ply"] == 100
    assert "state" in second[0]


def test_pages_of_frames_join_into_the_same_positions(db, rng):
    ladder = make_ladder("gatsby", 2)
    match = play_random(ladder, *enrolled(["a", "b"], ladder), rng=rng)
    whole = frames(Client(), match, start=0, stop=40)
    state = whole[0]["state"]
    for frame in whole[1:31]:
        apply_changes(state, frame["changes"])
    assert state == frames(Client(), match, start=30, stop=31)[0]["state"]


def test_a_seat_s_frames_hold_nothing_that_seat_may_not_know(db, rng):
    ladder = make_ladder("speak_easy", 2)
    match = play_random(ladder, *enrolled(["a", "b"], ladder), rng=rng)
    state = frames(Client(), match, seat=0, start=50, stop=51)[0]["state"]
    hidden = [piece for piece in state["pieces"] if piece["seat"] == 1]
    assert hidden
    assert all(piece["kind"] is None for piece in hidden if not piece["shown"])


def half_played_set(rng, owner):
    """Two matches on one seed, of which only the first has been played."""
    ladder = make_ladder("gatsby", 2)
    mine, theirs = enrolled(["mine"], ladder, owner) + enrolled(["theirs"], ladder)
    pair = create_set(
        ladder=ladder, seatings=[[mine.pk, theirs.pk], [theirs.pk, mine.pk]], lane=Lane.LADDER, is_rated=True
    )
    claim = leases.claim_match(worker="host/1")
    match = pair.matches.get(pk=claim.match_id)
    results.record_result(match_id=match.pk, lease=match.lease, record=random_record(leases.order_of(match), rng))
    match.refresh_from_db()
    return match, next(seat.seat for seat in match.seats.all() if seat.version_id == mine.pk)


def test_while_the_seed_is_in_use_only_an_owner_s_own_eyes_are_open(db, rng):
    lena = make_user("lena")
    match, seat = half_played_set(rng, lena)
    path = reverse("web:frames", args=[match.pk])
    owner, stranger = signed_in({"lena": lena}), Client()
    assert stranger.get(path).status_code == 403
    assert stranger.get(path, {"seat": seat}).status_code == 403
    assert owner.get(path).status_code == 403
    assert owner.get(path, {"seat": 1 - seat}).status_code == 403
    assert owner.get(path, {"seat": seat}).status_code == 200
    for name in ("web:record", "web:verify"):
        assert stranger.get(reverse(name, args=[match.pk])).status_code == 409
    assert stranger.get(path, {"seat": "public"}).status_code == 200
    page = stranger.get(reverse("web:match", args=[match.pk])).content.decode()
    assert "data-live" in page
    assert "data-viewer" not in page


def test_the_seed_of_an_unfinished_set_is_on_no_page(db, rng):
    match, _ = half_played_set(rng, make_user("lena"))
    html = Client().get(reverse("web:match", args=[match.pk])).content.decode()
    assert str(stored_record(match).order.seed) not in html


def test_notes_and_log_are_shown_to_the_owner_alone(db, rng):
    lena, rival = make_user("lena"), make_user("rival")
    ladder = make_ladder("gatsby", 2)
    versions = enrolled(["mine"], ladder, lena) + enrolled(["theirs"], ladder, rival)
    match = play_random(ladder, *versions, rng=rng, note="secret plan", stderr="secret log")
    path = reverse("web:match", args=[match.pk])
    assert "secret plan" in signed_in({"lena": lena}).get(path).content.decode()
    stranger = Client().get(path).content.decode()
    assert "secret plan" not in stranger
    assert "secret log" not in stranger
    # each owner reads the own seat's words only
    assert signed_in({"lena": rival}).get(path).content.decode().count("secret log") == 1


def test_a_record_can_be_downloaded_and_verifies(db, rng):
    ladder = make_ladder("gatsby", 2)
    match = play_random(ladder, *enrolled(["a", "b"], ladder), rng=rng, stderr="private")
    answer = Client().get(reverse("web:record", args=[match.pk]))
    assert answer.json()["digest"] == match.digest
    assert "private" not in answer.content.decode()
    assert "record is genuine" in Client().get(reverse("web:verify", args=[match.pk])).content.decode()


def test_a_record_that_can_t_be_replayed_is_told_on_every_page_that_shows_it(db, rng):
    """A worker with narrow rights may store anything."""
    ladder = make_ladder("gatsby", 2)
    match = play_random(ladder, *enrolled(["a", "b"], ladder), rng=rng)
    record = stored_record(match)
    bent = replace(record, actions=(replace(record.actions[0], text="nonsense"), *record.actions[1:])).sealed()
    StoredRecord.objects.filter(match=match).update(content=pack(bent))
    client = Client(raise_request_exception=False)
    answer = client.get(reverse("web:frames", args=[match.pk]))
    assert answer.status_code == 409
    assert "can’t be replayed" in answer.content.decode().replace("&#x27;", "’")
    for name in ("web:match", "web:embedded_match", "web:verify", "web:home", "web:match_picture"):
        args = [] if name == "web:home" else [match.pk]
        assert client.get(reverse(name, args=args)).status_code == 200


def test_frames_that_do_not_exist_are_not_found(db, rng):
    ladder = make_ladder("gatsby", 2)
    match = play_random(ladder, *enrolled(["a", "b"], ladder), rng=rng)
    path = reverse("web:frames", args=[match.pk])
    for query in ({"seat": 2}, {"seat": "x"}, {"start": "-1"}, {"start": "9" * 30}):
        assert Client().get(path, query).status_code == 404


@pytest.fixture
def old_match(db, rng, monkeypatch):
    """A match that was played before the rules of its game changed, with an action that is no more."""
    ladder = make_ladder("gatsby", 2)
    create_set(ladder=ladder, seatings=[[v.pk for v in enrolled(["a", "b"], ladder)]], lane=Lane.LADDER, is_rated=True)
    match = Match.objects.get(pk=leases.claim_match(worker="host/1").match_id)
    record = random_record(leases.order_of(match), rng)
    gone = tuple(replace(action, text="gone") if ply == 20 else action for ply, action in enumerate(record.actions))
    record = replace(record, actions=gone).sealed()
    results.record_result(match_id=match.pk, lease=match.lease, record=record)
    monkeypatch.setattr(type(GAMES["gatsby"]), "rules_version", record.order.rules_version + 1)
    match.refresh_from_db()
    return match


def test_a_match_under_older_rules_is_shown_under_a_banner(old_match):
    page = Client().get(reverse("web:match", args=[old_match.pk])).content.decode()
    assert f"Played under rules {old_match.rules_version}." in page
    assert f"rules={old_match.rules_version + 1}" in page  # or a browser would draw what it kept from before


def test_a_match_under_older_rules_is_drawn_and_then_told(old_match):
    shown = frames(Client(), old_match, start=0, stop=30)
    assert [frame.get("told", False) for frame in shown] == [False] * 21 + [True] * 9
    assert shown[21]["entry"].endswith(" gone")
    answer = Client().get(f"/api/v1/matches/{old_match.pk}/frames/", {"from": 25, "to": 27}).json()
    assert [set(frame) for frame in answer["results"]] == [{"ply", "entry", "told"}] * 2


def test_frames_that_were_drawn_under_older_rules_are_not_taken_for_today_s(db, rng, monkeypatch):
    ladder = make_ladder("gatsby", 2)
    path = f"/api/v1/matches/{play_random(ladder, *enrolled(['a', 'b'], ladder), rng=rng).pk}/frames/"
    known = {"If-None-Match": Client().get(path)["ETag"]}
    assert Client().get(path, headers=known).status_code == 304
    monkeypatch.setattr(type(GAMES["gatsby"]), "rules_version", GAMES["gatsby"].rules_version + 1)
    assert Client().get(path, headers=known).status_code == 200


def test_verification_says_under_which_rules_a_match_was_played(old_match):
    page = Client().get(reverse("web:verify", args=[old_match.pk])).content.decode()
    assert f"Played under rules {old_match.rules_version}" in page
    answer = Client().get(f"/api/v1/matches/{old_match.pk}/verify/").json()
    assert answer["ok"]
    assert answer["note"] == f"played under rules {old_match.rules_version}"


def test_the_home_page_shows_no_position_that_is_only_told(old_match):
    assert recent_position() is None


def test_a_running_match_is_shown_live(db, rng):
    from ladder.matches import leases
    from tests.ladder.live.paper import queue_set

    match = queue_set(make_ladder("gatsby", 2))[0]
    assert leases.claim_match(worker="host/1")
    page = Client().get(reverse("web:match", args=[match.pk])).content.decode()
    assert "data-live" in page
    assert "data-viewer" not in page


def frames_in_page(client: Client, match, page: str) -> list[dict]:
    found = re.search(r'<script id="at-hand" type="application/json">(.*?)</script>', page_of(client, match, page))
    assert found
    return json.loads(found[1])


def page_of(client: Client, match, page: str) -> str:
    return client.get(f"/matches/{match.pk}/{page}").content.decode()


@pytest.mark.parametrize("page", ["", "embed/"])
@pytest.mark.parametrize(("game", "seats", "first"), [("speak_easy", 2, 50), ("cotton_club", 3, 0)])
def test_a_page_has_the_first_positions_in_it_as_they_would_be_sent(db, rng, game, seats, first, page):
    ladder = make_ladder(game, seats)
    match = play_random(ladder, *enrolled(["a", "b", "c"][:seats], ladder), rng=rng)
    sent = frames(Client(), match, start=max(0, first - 1), stop=first + 3)
    assert frames_in_page(Client(), match, page) == sent


def test_an_author_s_page_opens_with_what_the_own_seat_saw(db, rng):
    ladder, lena = make_ladder("speak_easy", 2), make_user("lena")
    match = play_random(ladder, *enrolled(["a"], ladder), *enrolled(["b"], ladder, lena), rng=rng)
    author, seat = signed_in({"lena": lena}), match.seats.get(version__bot__owner=lena).seat
    assert frames_in_page(author, match, "") == frames(author, match, seat=seat, start=49, stop=53)
