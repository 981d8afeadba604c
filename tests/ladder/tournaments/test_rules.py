"""A tournament during which the rules of its game change: it goes on, counts all, and says so."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from engines import GAMES
from ladder.matches import leases, results
from ladder.matches.models import Match
from ladder.ratings.recompute import check
from ladder.ratings.rules import adopt_all
from ladder.ratings.services import rate_all
from ladder.tournaments import drawing, services
from ladder.tournaments.models import Tournament
from ladder.tournaments.queries import export_json, rules_played
from ladder.tournaments.services import Wishes
from tests.ladder.api.world import truly_played
from tests.ladder.cast import make_ladder, make_user, make_version

pytestmark = pytest.mark.django_db
GAME = type(GAMES["gatsby"])


def play_on(most: int = 1000) -> None:
    drawing.advance_all()
    for _ in range(most):
        if (claim := leases.claim_match(worker="host/1")) is None:
            return
        assert results.record_result(match_id=claim.match_id, lease=claim.lease, record=truly_played(claim.order))
        drawing.advance_all()


@pytest.fixture
def cup(monkeypatch: pytest.MonkeyPatch) -> Tournament:
    """A rated round robin of six matches whose third match was being played when the rules changed."""
    ladder, organiser = make_ladder("gatsby"), make_user("olga", "organiser")
    wishes = Wishes(name="Cup", ladder=ladder, is_rated=True)
    made = services.create_tournament(by=organiser, wishes=wishes)
    for _ in range(3):
        services.enter(made, make_version(game="gatsby").bot, by=organiser)
    services.start(made, by=organiser)
    monkeypatch.setattr(GAME, "rules_version", 1)
    ladder.rules_version = 1
    ladder.save()
    play_on(2)
    lost = leases.claim_match(worker="host/1")
    assert lost is not None
    rate_all()
    monkeypatch.setattr(GAME, "rules_version", 2)
    adopt_all()
    leases.hand_back(lost.match_id, lost.lease, detail="the service was stopped")
    return Tournament.objects.select_related("ladder").get()


def test_a_tournament_goes_on_under_new_rules_and_counts_both(cup: Tournament) -> None:
    play_on()
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert rules_played(cup) == {1: 2, 2: 4}
    assert sum(row.matches for row in cup.sheet.all()) == 12
    assert Match.objects.filter(status="finished").count() == 6


def test_the_page_and_the_export_say_under_which_rules_it_was_played(cup: Tournament) -> None:
    play_on()
    page = Client().get(reverse("web:tournament", args=[cup.pk])).content.decode()
    assert "2 matches were played under rules 1, 4 matches were played under rules 2." in page
    assert "all of them count" in page
    assert json.loads(b"".join(export_json(cup)))["rules"] == {"1": 2, "2": 4}


def test_a_tournament_under_present_rules_says_nothing_about_rules(cup: Tournament) -> None:
    play_on()
    Tournament.objects.update(started_at=cup.ladder.rules_since)
    assert "under rules" not in Client().get(reverse("web:tournament", args=[cup.pk])).content.decode()


def test_its_ratings_are_those_of_the_present_rules(cup: Tournament) -> None:
    play_on()
    rate_all()
    assert sum(cup.ladder.standings.values_list("matches", flat=True)) == 8
    assert check(cup.ladder).problems == []


def test_its_proof_tells_what_was_played_again_from_what_was_not(cup: Tournament) -> None:
    play_on()
    out = StringIO()
    call_command("verify_tournament", str(cup.pk), stdout=out)
    assert "4 records replayed, 2 under older rules checked by digest and structure" in out.getvalue()
