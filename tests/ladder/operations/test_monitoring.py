"""What monitors see, and what is tidied away."""

from __future__ import annotations

import os
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import DatabaseError
from django.utils.timezone import now
from knox.models import AuthToken

from ladder.accounts.models import User
from ladder.accounts.services import make_token
from ladder.ladders.models import Ladder
from ladder.matches.models import Lane, Match, MatchSet, Pulse, SeatLog, Worker
from ladder.operations import queries
from ladder.operations.tidying import tidy, tidy_when_due

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    ladder = Ladder.objects.create(slug="gatsby-2", game="gatsby", seats=2, last_number=3, rated_through=1)
    match_set = MatchSet.objects.create(ladder=ladder, lane=Lane.LADDER, seed="7")
    return Match.objects.create(set=match_set, rotation=0, ladder=ladder, lane=Lane.LADDER, is_rated=True)


@pytest.fixture
def healthy(monkeypatch) -> None:
    """A beat a moment ago, a worker that plays, and a broker that answers."""
    Pulse.objects.create(stage="tick")
    Worker.objects.create(name="w", host="h", pid=1, plays=True, version="1", engines_digest="", sandbox_ok=True)
    monkeypatch.setattr(queries.redis.Redis, "ping", lambda self: True)


def test_a_service_in_good_health_says_so(client, healthy):
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()["status"], answer.json()["workers"]) == (200, "ok", 1)


def test_a_service_that_never_started_gives_every_reason(client):
    answer = client.get("/healthz")
    assert answer.status_code == 503
    told = " ".join(answer.json()["reasons"])
    assert "broker" in told
    assert "has never run" in told
    assert "No worker can play" in told


def test_a_late_beat_is_told_with_its_age(client, healthy):
    Pulse.objects.update(at=now() - timedelta(minutes=5))
    assert "was 300 s ago" in client.get("/healthz").json()["reasons"][0]


def test_a_worker_without_a_sandbox_is_told_with_its_message(client, healthy):
    Worker.objects.update(sandbox_ok=False, message="bwrap is missing")
    client.force_login(User.objects.create_user("ann", role="administrator"))
    assert client.get("/healthz").json()["reasons"] == ["No worker can play. bwrap is missing"]


@pytest.mark.parametrize(("role", "is_told"), [(None, False), ("author", False), ("administrator", True)])
def test_what_a_worker_says_about_its_host_is_not_for_everybody(client, healthy, role, is_told):
    Worker.objects.update(sandbox_ok=False, message="bwrap: no such file: /srv/hidden/bwrap")
    if role:
        client.force_login(User.objects.create_user("somebody", role=role))
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert ("/srv/hidden" in answer.content.decode()) == is_told
    assert "No worker can play" in answer.json()["reasons"][0]


def test_a_database_that_is_away_is_a_reason_and_no_traceback(client, healthy, monkeypatch):
    def away() -> None:
        raise DatabaseError("secret host name")

    monkeypatch.setattr(queries, "last_beat", away)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()["database"]) == (503, False)
    assert "secret" not in answer.content.decode()


SCRAPER = "a-long-token-for-prometheus"


def test_metrics_count_from_the_database(client, match, settings):
    settings.METRICS_TOKEN = SCRAPER
    text = client.get("/metrics", headers={"Authorization": f"Bearer {SCRAPER}"}).content.decode()
    assert 'rumrunner_matches{status="queued"} 1.0' in text
    assert 'rumrunner_ratings_lag{ladder="gatsby-2"} 2.0' in text
    assert 'rumrunner_queued{lane="ladder"} 1.0' in text


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "10.0.0.7", ""])
def test_a_proxy_that_adds_no_header_opens_the_metrics_to_nobody(client, address):
    answer = client.get("/metrics", REMOTE_ADDR=address)
    assert answer.status_code == 403
    assert "RUMRUNNER_METRICS_TOKEN" in answer.content.decode()


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (f"Bearer {SCRAPER}", 200),
        (f"bearer  {SCRAPER}", 200),
        (f"Token {SCRAPER}", 200),
        (f"Basic {SCRAPER}", 403),
        (f"Bearer {SCRAPER}x", 403),
        (f"Bearer {SCRAPER[:-1]}", 403),
        ("Bearer \xe9", 403),
        ("Bearer", 403),
        ("", 403),
    ],
)
def test_the_scrape_token_opens_the_metrics_and_nothing_near_it(client, settings, sent, status):
    settings.METRICS_TOKEN = SCRAPER
    assert client.get("/metrics", headers={"Authorization": sent}).status_code == status


def test_without_a_scrape_token_none_is_right(client, settings):
    settings.METRICS_TOKEN = ""
    for sent in ("Bearer", "Bearer ", "Token "):
        assert client.get("/metrics", headers={"Authorization": sent}).status_code == 403


@pytest.mark.parametrize(("role", "status"), [("author", 403), ("organiser", 403), ("administrator", 200)])
@pytest.mark.parametrize("word", ["Token", "Bearer"])
def test_an_administrator_s_token_opens_the_metrics(client, role, status, word):
    token = make_token(User.objects.create_user("somebody", role=role)).token
    assert client.get("/metrics", headers={"Authorization": f"{word} {token}"}).status_code == status


@pytest.mark.parametrize(("role", "status"), [("author", 403), ("organiser", 403), ("administrator", 200)])
def test_metrics_are_for_administrators_who_are_signed_in(client, role, status):
    client.force_login(User.objects.create_user("somebody", role=role))
    assert client.get("/metrics").status_code == status


def test_logs_of_bots_go_after_their_days(match, settings):
    settings.LOG_DAYS = 30
    SeatLog.objects.create(match=match, seat=0, text="old", written_at=now() - timedelta(days=31))
    SeatLog.objects.create(match=match, seat=1, text="new", written_at=now() - timedelta(days=29))
    assert tidy()["logs"] == 1
    assert SeatLog.objects.get().text == "new"


def test_tokens_past_their_day_go(match):
    make_token(User.objects.create_user("remus"))
    AuthToken.objects.update(expiry=now() - timedelta(seconds=1))
    assert tidy()["tokens"] == 2  # the hash and its name


def test_unpacked_bundles_go_when_nobody_needs_them(settings, tmp_path):
    settings.DATA = tmp_path
    for name, age_h in (("old", 25), ("young", 1)):
        folder = Path(tmp_path, "bundles", name)
        folder.mkdir(parents=True)
        os.utime(folder, (time.time() - age_h * 3600,) * 2)
    assert tidy()["bundles"] == 1
    assert os.listdir(tmp_path / "bundles") == ["young"]


def test_the_service_tidies_itself_once_an_hour(match):
    SeatLog.objects.create(match=match, seat=0, text="old", written_at=now() - timedelta(days=999))
    assert tidy_when_due() == 1
    SeatLog.objects.create(match=match, seat=0, text="old", written_at=now() - timedelta(days=999))
    assert tidy_when_due() == 0
    Pulse.objects.filter(stage="tidy").update(at=now() - timedelta(hours=1, seconds=1))
    assert tidy_when_due() == 1
