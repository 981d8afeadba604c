"""What nobody learns from an answer: seeds of unfinished matches, other seats' eyes, other people's logs."""

from __future__ import annotations

import orjson
import pytest
from django.test import Client, RequestFactory
from rest_framework.request import Request

from ladder.accounts.models import User
from ladder.accounts.services import make_token
from ladder.api.matches import ChangeLine, MatchLine
from ladder.api.wire import OPTIONS
from ladder.matches.models import Match
from ladder.matches.queries import is_revealed, matches_in_full
from ladder.ratings.queries import rating_changes
from ladder.tournaments.models import Tournament
from tests.ladder.api.table import TABLE
from tests.ladder.api.test_permissions import ask
from tests.ladder.api.world import VISITORS, World


def test_no_answer_tells_the_seed_of_an_unfinished_match(world: World):
    seeds = {match.set.seed for match in (world.unrevealed, world.queued, world.running)}
    seeds |= set(Tournament.objects.exclude(status__in=["finished", "cancelled"]).values_list("seed", flat=True))
    rows = [row for row in TABLE if row.method == "GET" and row.name not in {"schema", "docs"}]
    told = b"".join(ask(world.client(visitor), row, world).getvalue() for visitor in VISITORS for row in rows)
    assert not [seed for seed in seeds if seed.encode() in told]
    assert world.finished.set.seed.encode() in told  # the search would find one


@pytest.mark.parametrize("which", ["unrevealed", "queued", "running"])
def test_a_match_shows_its_seed_only_when_all_of_its_set_are_over(world: World, client, which):
    match = getattr(world, which)
    told = client.get(f"/api/v1/matches/{match.pk}/").json()
    assert (told["seed"], told["is_revealed"]) == (None, False)
    Match.objects.filter(set=match.set).update(status="cancelled", lease=None, lease_until=None)
    told = client.get(f"/api/v1/matches/{match.pk}/").json()
    assert (told["seed"], told["is_revealed"]) == (match.set.seed, True)


@pytest.mark.parametrize("visitor", VISITORS)
def test_every_visitor_is_told_of_a_match_what_its_serializer_has_and_nothing_beside(world: World, visitor):
    request = Request(RequestFactory().get("/api/v1/"))
    client, revealed = world.client(visitor), set()
    for match in matches_in_full():
        line = MatchLine(match, context={"request": request}).data
        changes = [ChangeLine(one).data for one in rating_changes(match.pk)]
        shown = is_revealed(match)
        full = {**line, "seed": match.set.seed if shown else None, "is_revealed": shown, "rating_changes": changes}
        assert client.get(f"/api/v1/matches/{match.pk}/").json() == orjson.loads(orjson.dumps(full, option=OPTIONS))
        revealed.add(shown)
    assert revealed == {True, False}


def test_the_eyes_of_ones_own_seat_see_no_more_than_the_seat_saw(world: World):
    path = f"/api/v1/matches/{world.unrevealed.pk}/frames/?seat=0"
    frames = world.client("owner").get(path).json()["results"]
    assert frames[0]["state"]["seat"] == 0


def test_a_record_keeps_what_bots_told_their_authors(world: World):
    told = world.client("owner").get(f"/api/v1/matches/{world.finished.pk}/record/").json()
    assert {(seat["stderr"], seat["bot_seed"], len(seat["notes"])) for seat in told["seats"]} == {("", 0, 0)}


def test_an_author_reads_log_and_notes_of_the_own_seat(world: World):
    told = world.client("owner").get(f"/api/v1/matches/{world.finished.pk}/log/0/").json()
    assert told == {"log": "thinking about nothing", "notes": [{"ply": 0, "text": "hello"}]}


@pytest.mark.parametrize(
    ("visitor", "reads"), [("none", False), ("stranger", False), ("owner", True), ("administrator", True)]
)
def test_the_report_of_a_version_is_for_its_owner(world: World, visitor, reads):
    path = f"/api/v1/bots/{world.bot.pk}/versions/{world.active.number}/"
    told = world.client(visitor).get(path).json()
    assert (told["report"] is not None, told["log"] is not None, told["reason"] is not None) == (reads,) * 3


def test_a_log_in_tells_the_token_once_and_the_list_never(world: World):
    made = Client().post("/api/v1/auth/login/", {"username": "owner", "password": "long enough 1"}, "application/json")
    secret = made.json()["token"]
    listed = Client().get("/api/v1/auth/tokens/", headers={"Authorization": f"Token {secret}"})
    assert listed.status_code == 200
    assert secret not in listed.content.decode()


def test_a_revoked_token_opens_nothing(world: World):
    made = Client().post("/api/v1/auth/login/", {"username": "owner", "password": "long enough 1"}, "application/json")
    headers = {"Authorization": f"Token {made.json()['token']}"}
    assert Client().post("/api/v1/auth/logout/", headers=headers).status_code == 204
    answer = Client().get("/api/v1/me/", headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "authentication_failed")
    assert answer["WWW-Authenticate"] == "Token"


@pytest.mark.parametrize("word", ["Token", "token", "Bearer", "bearer"])
def test_a_token_is_taken_under_either_of_its_words(world: World, word):
    token = make_token(world.people["owner"]).token
    assert Client().get("/api/v1/me/", headers={"Authorization": f"{word} {token}"}).status_code == 200


@pytest.mark.parametrize("header", ["", "Basic YTpi", "Key abc"])
def test_whoever_is_not_known_is_told_what_to_send(world: World, header):
    answer = Client().get("/api/v1/me/", headers={"Authorization": header})
    assert answer.status_code == 401
    assert "Authorization: Token" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "header", ["Token", "Token a b", "Bearer", "Bearer a b", "Token \xff\xfe", "Token " + "a" * 5000, "Token \u0000"]
)
def test_a_broken_token_is_refused_without_a_fuss(world: World, header):
    answer = Client().get("/api/v1/me/", HTTP_AUTHORIZATION=header)
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "authentication_failed")


def test_the_token_of_an_account_that_was_switched_off_opens_nothing(world: World):
    owner = world.people["owner"]
    headers = {"Authorization": f"Token {make_token(owner).token}"}
    User.objects.filter(pk=owner.pk).update(is_active=False)
    answer = Client().get("/api/v1/me/", headers=headers)
    assert (answer.status_code, "disabled" in answer.json()["error"]["message"]) == (401, True)
