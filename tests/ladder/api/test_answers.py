"""The shape of answers: pages, ETags, throttles, and errors for every kind of nonsense."""

from __future__ import annotations

import pytest
from django.test import Client

from arena import MatchRecord, verify
from ladder.ratings.paging import Cursor, Listing
from tests.ladder.api.world import World, enlist, make_user

V1 = "/api/v1"


def walk(client: Client, path: str) -> list[dict]:
    """All results of a list, page after page, and back again."""
    pages, urls = [], [path]
    while urls[-1]:
        page = client.get(urls[-1]).json()
        assert set(page) >= {"next", "previous", "results"}
        pages.append(page["results"])
        urls.append(page["next"])
    assert len(pages) < 2 or client.get(page["previous"]).json()["results"] == pages[-2]
    return [row for rows in pages for row in rows]


@pytest.mark.parametrize("path", ["bots/", "matches/", "ladders/gatsby-2/leaderboard/"])
def test_a_list_read_page_by_page_is_the_whole_list(world: World, client, path):
    for _ in range(3):
        enlist(world.ladder, make_user())
    whole = client.get(f"{V1}/{path}?limit=100").json()["results"]
    assert len(whole) >= 4
    assert walk(client, f"{V1}/{path}?limit=2") == whole


@pytest.mark.parametrize("asked", ["order=-matches", "order=name&search=o", "order=sigma"])
def test_a_leaderboard_in_another_order_is_read_page_by_page(world: World, client, asked):
    for _ in range(3):
        enlist(world.ladder, make_user())
    whole = client.get(f"{V1}/ladders/gatsby-2/leaderboard/?{asked}&limit=100").json()["results"]
    assert len(whole) >= 3
    assert walk(client, f"{V1}/ladders/gatsby-2/leaderboard/?{asked}&limit=2") == whole


def test_an_order_that_is_none_and_a_cursor_of_another_are_refused(world: World, client):
    path = f"{V1}/ladders/gatsby-2/leaderboard/"
    refused = client.get(f"{path}?order=luck")
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "unknown_order")
    assert "-matches" in refused.json()["error"]["fields"]["order"][0]
    following = client.get(f"{path}?limit=1&order=mu").json()["next"]
    refused = client.get(following.replace("order=mu", "order=name"))
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "invalid_cursor")


def test_frames_come_a_hundred_at_most_and_lead_on(world: World, client):
    path = f"{V1}/matches/{world.finished.pk}/frames/"
    frames = walk(client, f"{path}?from=0&to=5")
    assert [frame["ply"] for frame in frames] == list(range(world.finished.plies + 1))
    assert len(client.get(f"{path}?to=100000").json()["results"]) <= 100
    assert "state" in frames[0]
    assert "changes" in frames[1]


def test_a_record_from_the_api_verifies_at_home(world: World, client):
    told = client.get(f"{V1}/matches/{world.finished.pk}/record/").json()
    assert verify(MatchRecord.from_json(told)).ok
    verdict = client.get(f"{V1}/matches/{world.finished.pk}/verify/").json()
    assert verdict == {"ok": True, "problems": [], "digest": told["digest"]}


@pytest.mark.parametrize("path", ["games/gatsby/", "matches/{finished}/record/", "matches/{finished}/frames/?to=3"])
def test_what_never_changes_is_sent_once(world: World, client, path):
    path = f"{V1}/{path.format(**world.places())}"
    first = client.get(path)
    assert "max-age" in first["Cache-Control"]
    again = client.get(path, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_whoever_asks_too_often_is_told_when_to_come_back(world: World, client, settings):
    settings.API_A_MINUTE = 2
    answers = [client.get(f"{V1}/bots/") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json()["error"]["code"] == "throttled"
    assert 1 <= int(answers[2]["Retry-After"]) <= 60
    assert f"{answers[2]['Retry-After']} s" in answers[2].json()["error"]["message"]


def test_a_quota_is_told_in_the_same_shape(world: World, settings):
    settings.REQUESTS_A_DAY = 0
    body = {"ladder": "gatsby-2", "seats": [{"bot": world.bot.pk}, {"bot": world.rival_bot.pk}]}
    answer = world.client("owner").post(f"{V1}/matches/", body, "application/json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "quota_reached")


def test_a_quota_of_the_day_says_when_to_come_back(world: World, settings):
    settings.REQUESTS_A_DAY = 1
    body = {"ladder": "gatsby-2", "seats": [{"bot": world.bot.pk}, {"bot": world.rival_bot.pk}]}
    answers = [world.client("stranger").post(f"{V1}/matches/", body, "application/json") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 429]
    assert 86000 < int(answers[1]["Retry-After"]) <= 86400
    assert "Try again after" in answers[1].json()["error"]["message"]


def test_a_requested_match_is_queued_unrated_in_every_seating(world: World):
    seats = [{"bot": world.bot.pk, "version": world.spare.number}, {"bot": world.rival_bot.pk}]
    body = {"ladder": "gatsby-2", "seats": seats, "rotations": True}
    answer = world.client("organiser").post(f"{V1}/matches/", body, "application/json")
    made = answer.json()["results"]
    assert [(match["status"], match["is_rated"], match["lane"]) for match in made] == [("queued", False, "request")] * 2
    assert [[seat["bot_id"] for seat in match["seats"]] for match in made] == [
        [world.bot.pk, world.rival_bot.pk], [world.rival_bot.pk, world.bot.pk]
    ]  # fmt: skip


def test_matches_are_found_by_ladder_bot_and_status(world: World, client):
    other = enlist(world.ladder, make_user()).bot
    assert client.get(f"{V1}/matches/?bot={other.pk}").json()["results"] == []
    for query in (f"bot={world.bot.pk}", "ladder=gatsby-2", "status=running", "lane=ladder", "game=gatsby"):
        found = client.get(f"{V1}/matches/?{query}").json()["results"]
        assert world.running.pk in [match["id"] for match in found]
    assert client.get(f"{V1}/matches/?ladder=other-2").json()["results"] == []


def test_a_bot_shows_where_it_stands_how_it_went_and_against_whom(world: World, client):
    told = client.get(f"{V1}/bots/{world.bot.pk}/").json()
    assert [(place["ladder"], place["matches"]) for place in told["standings"]] == [("gatsby-2", 2)]
    history = client.get(f"{V1}/bots/{world.bot.pk}/history/").json()
    assert [point["match_id"] for point in history["results"]] == [world.finished.pk, world.unrevealed.pk]
    met = client.get(f"{V1}/bots/{world.bot.pk}/opponents/?ladder=gatsby-2").json()
    assert [line["bot_id"] for line in met["results"]] == [world.rival_bot.pk]


HALF_A_LETTER = Cursor("\ud800", 1).text(Listing("name"))
NONSENSE = [
    ("GET", "nowhere", None, 404),
    ("GET", "bots", None, 404),
    ("GET", "bots/0/", None, 404),
    ("GET", "bots/99999999999999999999999/", None, 404),
    ("GET", "bots/x/", None, 404),
    ("GET", "bots/?game=chess", None, 400),
    *[("GET", f"bots/?limit={limit}", None, 400) for limit in ("null", "", "0", "-1", "x", "101", "1.5")],
    ("GET", "matches/?limit=null", None, 400),
    ("GET", "ladders/?limit=null", None, 400),
    ("GET", "tournaments/?limit=null", None, 400),
    ("GET", "bots/{bot}/versions/?limit=null", None, 400),
    ("GET", "ladders/gatsby-2/leaderboard/?limit=null", None, 400),
    ("GET", "bots/?cursor=abc", None, 400),
    ("GET", "bots/?cursor=cD14", None, 400),
    ("GET", "bots/?search=%00", None, 400),
    ("GET", "matches/?status=lost", None, 400),
    ("GET", "matches/?bot=x", None, 400),
    ("GET", "matches/?bot=1e400", None, 400),
    ("GET", "matches/?bot=99999999999999999999", None, 400),
    ("GET", "ladders/gatsby-2/leaderboard/?cursor=abc", None, 400),
    ("GET", f"ladders/gatsby-2/leaderboard/?order=name&cursor={HALF_A_LETTER}", None, 400),
    ("GET", "ladders/gatsby-2/leaderboard/?limit=0", None, 400),
    ("GET", "ladders/gatsby-2/leaderboard/?limit=x", None, 400),
    ("GET", "ladders/gatsby-2/leaderboard/?search=%00", None, 400),
    ("GET", "ladders/%00/", None, 404),
    ("GET", "games/%00/", None, 404),
    ("GET", "bots/{bot}/history/?ladder=none", None, 404),
    ("GET", "bots/{bot}/history/?ladder=%00", None, 400),
    ("GET", "matches/{finished}/frames/?seat=9", None, 404),
    ("GET", "matches/{finished}/frames/?seat=-1", None, 400),
    ("GET", "matches/{finished}/frames/?seat=x", None, 400),
    ("GET", "matches/{finished}/frames/?from=-1", None, 400),
    ("GET", "matches/{finished}/frames/?from=99999999999", None, 400),
    ("PUT", "bots/", b"{}", 405),
    ("PATCH", "me/", b"{}", 400),
    ("POST", "bots/", b"", 400),
    ("POST", "bots/", b"{", 400),
    ("POST", "bots/", b"[]", 400),
    ("POST", "bots/", b"null", 400),
    ("POST", "bots/", b"[" * 100_000, 400),
    ("POST", "bots/", b"[" * 1000 + rb'"\u0000"' + b"]" * 1000, 400),
    ("POST", "bots/", b'{"name": "\\u0000", "game": "gatsby"}', 400),
    ("POST", "bots/", b'{"name": "../x", "game": "gatsby"}', 400),
    ("POST", "bots/", b'{"name": "x", "game": "chess"}', 400),
    ("POST", "bots/", b'{"name": {"a": 1}, "game": 7}', 400),
    ("POST", "bots/", b" " * (1024 * 1024 + 1), 413),
    ("POST", "matches/", b'{"ladder": "gatsby-2", "seats": []}', 400),
    ("POST", "matches/", b'{"ladder": "gatsby-2", "seats": [{"bot": 1e30}]}', 400),
    ("POST", "matches/", b'{"ladder": "gatsby-2", "seats": [{"bot": 999999}, {"bot": 999999}]}', 400),
    ("POST", "matches/", b'{"ladder": "none", "seats": [{"bot": 1}]}', 404),
    ("POST", "matches/", b'{"ladder": "gatsby-2", "seats": 7}', 400),
    ("POST", "auth/tokens/", b'{"days": 0}', 400),
    ("POST", "auth/tokens/", b'{"name": "laptop"}', 409),
    ("POST", "me/notifications/", b'{"ids": ["x"]}', 400),
    ("POST", "bots/{bot}/versions/{active}/activate/", b"{", 200),
]


@pytest.mark.parametrize(("method", "path", "body", "status"), NONSENSE)
def test_nonsense_gets_a_clear_error(world: World, method, path, body, status):
    client = world.client("owner")
    more = [body, "application/json"] if body is not None else []
    answer = client.generic(method, f"{V1}/{path.format(**world.places())}", *more)
    assert answer.status_code == status
    if status >= 400:
        assert answer.json()["error"]["message"]


def test_a_wrong_field_is_named(world: World):
    answer = world.client("owner").post(f"{V1}/matches/", {"seats": [{"bot": 0}, {}]}, "application/json")
    assert set(answer.json()["error"]["fields"]) == {"ladder", "seats.0.bot", "seats.1.bot"}


def test_a_host_that_is_not_ours_gets_an_error_in_shape(client):
    answer = client.get(f"{V1}/games/", headers={"Host": "evil.example"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")


def test_our_own_failure_says_so_and_no_more(world: World, monkeypatch):
    def fail(*args, **kwargs):
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr("ladder.api.games.whole", fail)
    answer = Client(raise_request_exception=False).get(f"{V1}/games/")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "server_error")
    assert b"secret" not in answer.content


def test_the_swagger_page_loads_nothing_from_elsewhere(client):
    page = client.get("/api/docs/")
    assert b"http://" not in page.content
    assert b"https://" not in page.content
    assert b"<script>" not in page.content
    policy = page["Content-Security-Policy"]
    assert "script-src" not in policy  # default-src 'self' holds
    assert "style-src 'self' 'unsafe-inline'" in policy
    assert "unsafe" not in client.get("/api/v1/games/")["Content-Security-Policy"]


def test_a_code_is_guessed_no_faster_than_costly_things_are_asked_for(world: World, settings):
    settings.API_A_MINUTE = 10  # a fifth of them may bring a code
    cup = world.cups["open"]
    type(cup).objects.filter(pk=cup.pk).update(entry="invite", invite_code="rum and gin")
    client = Client()
    client.force_login(world.rival_bot.owner)
    guess = {"bot": world.rival_bot.pk, "code": "gin and rum"}
    entries = f"{V1}/tournaments/{cup.pk}/entries/"
    answers = [client.post(entries, guess, "application/json") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [403, 403, 429]
    assert answers[2].json()["error"]["code"] == "throttled"
    right = client.post(entries, {**guess, "code": "rum and gin"}, "application/json")
    assert right.status_code == 429, "whoever guesses on learns nothing"


def test_a_short_code_is_refused_in_its_field(world: World):
    wish = {"name": "cup", "ladder": "gatsby-2", "entry": "invite", "invite_code": "x"}
    answer = world.client("owner").post(f"{V1}/tournaments/", wish, "application/json")
    assert (answer.status_code, list(answer.json()["error"]["fields"])) == (400, ["invite_code"])
