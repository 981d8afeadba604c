"""A tournament is proven on its own page: in bounded parts, carried by a signature, ending in a sentence."""

from __future__ import annotations

import html
import re
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from ladder.matches.models import Match, Seat, StoredRecord
from ladder.tournaments.models import SheetRow, Tournament
from ladder.web import proofs
from tests.ladder.cast import make_ladder, make_user
from tests.web.world import enrolled, run_tournament

NEXT = re.compile(r'href="([^"]*/proof/\?state=[^"]+)"')


@pytest.fixture
def cup(db: None, rng: Random, monkeypatch: pytest.MonkeyPatch) -> Tournament:
    """A finished tournament of six matches, proven two at a time."""
    monkeypatch.setattr(proofs, "A_PART", 2)
    ladder = make_ladder("gatsby", 2)
    enrolled(["volstead", "lamplighter", "side-door"], ladder, make_user("lena"))
    return run_tournament(make_user("olga", "organiser"), ladder, rng)


def page_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def pages(cup: Tournament) -> list[str]:
    """Every page of a proof, as somebody without JavaScript goes through it."""
    client = Client()
    found = [page_of(client, reverse("web:proof", args=[cup.pk]))]
    while following := NEXT.search(found[-1]):
        found.append(page_of(client, html.unescape(following[1])))
    return found


def test_a_finished_tournament_is_proven_part_by_part(cup):
    shown = pages(cup)
    assert [int(re.search(r"(\d+) of 6 matches verified", page)[1]) for page in shown] == [0, 2, 4, 6, 6]
    assert "The tournament checks out" in shown[-1]
    assert "the standings follow from them" in shown[-1]
    assert "The tournament checks out" not in "".join(shown[:-1])
    assert reverse("web:proof", args=[cup.pk]) in page_of(Client(), reverse("web:tournament", args=[cup.pk]))


TRICKS = {
    "not JSON": lambda: StoredRecord.objects.filter(match=Match.objects.last()).update(content=b"rubbish"),
    "listed with the ranks": lambda: Seat.objects.filter(pk=Seat.objects.first().pk).update(rank=3),
    "The standings shown do not follow": lambda: SheetRow.objects.filter(position=0).update(points=99),
    "does not match its commitment": lambda: Tournament.objects.update(seed_commitment="0" * 64),
}


@pytest.mark.parametrize("told", TRICKS)
def test_whatever_was_changed_afterwards_is_told_at_the_end(cup, told):
    TRICKS[told]()
    last = pages(cup)[-1]
    assert "The tournament does not check out" in last
    assert told in last
    assert "The tournament checks out" not in last


def test_a_state_that_was_not_signed_here_for_this_tournament_is_refused(cup):
    client, path = Client(), reverse("web:proof", args=[cup.pk])
    begun = html.unescape(NEXT.search(page_of(client, path))[1]).split("state=")[1]
    assert client.get(f"{path}?state={begun}x").status_code == 400
    assert "Start again" in client.get(path, {"state": "x" * 50}).content.decode()
    other = Tournament.objects.create(
        name="Other", ladder=cup.ladder, status="finished", seed=cup.seed, started_at=cup.started_at
    )
    assert client.get(reverse("web:proof", args=[other.pk]) + f"?state={begun}").status_code == 400


def test_who_asks_too_often_is_told_to_wait_and_nothing_is_lost(cup, settings):
    settings.API_A_MINUTE = 5  # one part a minute
    client = Client()
    first = page_of(client, reverse("web:proof", args=[cup.pk]))
    second = page_of(client, html.unescape(NEXT.search(first)[1]))
    third = page_of(client, html.unescape(NEXT.search(second)[1]))
    assert "2 of 6 matches verified" in second
    assert "2 of 6 matches verified" in third
    assert re.search(r"continuing in \d+ second", third)
    assert re.search(r'hx-trigger="load delay:[1-9]\d*s"', third)


def test_a_part_asks_a_bounded_number_of_questions(cup, django_assert_max_num_queries):
    client = Client()
    begun = html.unescape(NEXT.search(page_of(client, reverse("web:proof", args=[cup.pk])))[1])
    with django_assert_max_num_queries(30):
        part = client.get(begun, headers={"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith('<div id="proof" hx-get=')


def test_problems_beyond_a_page_are_counted(cup, monkeypatch):
    monkeypatch.setattr(proofs, "MOST_LISTED", 1)
    StoredRecord.objects.update(content=b"rubbish")
    last = pages(cup)[-1]  # six records that can't be read, and three tables counted without them
    assert "9 problems" in last
    assert "and 8 more" in last


def test_a_tournament_that_still_runs_has_no_proof(cup):
    Tournament.objects.update(status="running")
    assert Client().get(reverse("web:proof", args=[cup.pk])).status_code == 409
