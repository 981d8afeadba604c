"""A tournament through the API alone, from the wish to the exported table."""

from __future__ import annotations

import csv
import json

import pytest
from django.test import Client

from ladder.accounts.services import make_token
from ladder.matches import leases, results
from ladder.tournaments import drawing
from ladder.tournaments.models import Tournament
from tests.ladder.api.world import enlist, truly_played
from tests.ladder.cast import make_ladder, make_user

pytestmark = pytest.mark.django_db
TOURNAMENTS = "/api/v1/tournaments/"


class Caller:
    """A program with a token."""

    def __init__(self, name: str) -> None:
        self.user = make_user(name)
        self.header = {"Authorization": f"Token {make_token(self.user).token}"}

    def get(self, path: str):
        return Client().get(path, headers=self.header)

    def post(self, path: str, **body: object):
        return Client().post(path, json.dumps(body), "application/json", headers=self.header)


@pytest.fixture
def ann() -> Caller:
    return Caller("ann")


@pytest.fixture
def bots(ann: Caller) -> list[int]:
    ladder = make_ladder("gatsby")
    return [enlist(ladder, ann.user).bot_id for _ in range(3)]


def opened(ann: Caller, bots: list[int], **wishes: object) -> str:
    made = ann.post(TOURNAMENTS, name="Cup", ladder="gatsby-2", **wishes)
    assert made.status_code == 201, made.content
    url = made["Location"]
    assert ann.post(url + "open/").json()["status"] == "open"
    for bot in bots:
        assert ann.post(url + "entries/", bot=bot).status_code == 201
    return url


def play_on() -> None:
    drawing.advance_all()
    while claim := leases.claim_match(worker="host/1"):
        assert results.record_result(match_id=claim.match_id, lease=claim.lease, record=truly_played(claim.order))
    drawing.advance_all()


def test_a_tournament_goes_from_the_wish_to_the_export(ann, bots):
    url = opened(ann, bots, seed="ab12")
    running = ann.post(url + "start/").json()
    assert (running["status"], running["seed"], running["progress"]["total"]) == ("running", None, 6)
    play_on()
    told = ann.get(url).json()
    assert (told["status"], told["seed"][-4:], told["progress"]["done"]) == ("finished", "ab12", 6)
    standings = ann.get(url + "standings/").json()["results"]
    assert sum(row["points"] for row in standings) == 6
    exported = json.loads(b"".join(ann.get(url + "export/").streaming_content))
    assert [row["points"] for row in exported["standings"]] == [row["points"] for row in standings]
    table = list(csv.reader(b"".join(ann.get(url + "export/?as=csv").streaming_content).decode().splitlines()))
    assert [float(row[4]) for row in table[1:]] == [row["points"] for row in standings]


def test_the_crosstable_leads_to_the_matches_of_every_pairing(ann, bots):
    url = opened(ann, bots)
    ann.post(url + "start/")
    play_on()
    table = ann.get(url + "crosstable/").json()
    shares = {}
    for row in table["rows"]:
        for number, cell in zip(table["numbers"], row["cells"], strict=True):
            if number != row["number"]:
                shares[row["number"], number] = cell["share"]
                path = table["matches"].format(row=row["number"], column=number)
                assert len(ann.get(path).json()["results"]) == cell["matches"] == 2
    assert len(shares) == 6
    assert all(shares[a, b] + shares[b, a] == 2 for a, b in shares)


def test_a_paused_tournament_rests_until_it_is_resumed(ann, bots):
    url = opened(ann, bots)
    ann.post(url + "start/")
    drawing.advance_all()
    assert ann.post(url + "pause/").json()["status"] == "paused"
    play_on()
    assert ann.get(url).json()["progress"]["done"] == 0
    assert ann.post(url + "resume/").json()["status"] == "running"
    play_on()
    assert ann.get(url).json()["status"] == "finished"


def test_a_cancelled_tournament_keeps_what_was_played_and_tells_its_seed(ann, bots):
    url = opened(ann, bots)
    ann.post(url + "start/")
    drawing.advance_all()
    claim = leases.claim_match(worker="host/1")
    results.record_result(match_id=claim.match_id, lease=claim.lease, record=truly_played(claim.order))
    assert ann.post(url + "cancel/").json()["status"] == "cancelled"
    drawing.advance_all()
    told = ann.get(url).json()
    assert len(told["seed"]) == 64
    assert sum(row["matches"] for row in ann.get(url + "standings/").json()["results"]) == 2


@pytest.mark.parametrize("step", ["open", "start", "pause", "resume", "cancel"])
def test_after_the_end_every_step_is_a_conflict_that_names_the_stage(ann, bots, step):
    url = opened(ann, bots[:2])
    ann.post(url + "start/")
    play_on()
    answer = ann.post(f"{url}{step}/")
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "wrong_stage"
    assert "is finished" in answer.json()["error"]["message"]
    assert Tournament.objects.get().status == "finished"


def test_the_same_bot_twice_and_a_stranger_are_told_no(ann, bots):
    url = opened(ann, bots)
    again = ann.post(url + "entries/", bot=bots[0])
    assert (again.status_code, again.json()["error"]["code"]) == (409, "already_entered")
    assert Caller("eve").post(url + "start/").status_code == 403
    assert len(ann.get(url + "entries/").json()["results"]) == 3
