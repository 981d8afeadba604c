"""A service from before models moved to rooms of their own comes up to date by backup and restore."""

from __future__ import annotations

import json
import zipfile
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from ladder import pipeline
from ladder.accounts.models import AuditEntry, User
from ladder.ladders.models import Ladder
from ladder.matches.models import Match, SeatLog, StoredRecord
from ladder.matches.records import log_of, verification_of
from ladder.operations.backups import MOVED
from ladder.qualifying.models import Trial
from ladder.qualifying.queries import report_of
from ladder.ratings.recompute import check
from ladder.submissions.models import BotVersion
from ladder.tokens.models import ApiToken
from ladder.tournaments.models import Tournament
from tests.web.world import play_queue

pytestmark = pytest.mark.django_db
BACKUP = Path(__file__).parent / "rooms.backup"
TODAY = {model._meta.label: model for model in (ApiToken, AuditEntry, Ladder, SeatLog, StoredRecord, Trial)}


@pytest.fixture(autouse=True)
def restored() -> None:
    cache.clear()
    call_command("restore", str(BACKUP), stdout=StringIO())


def test_every_row_of_a_model_that_moved_is_there() -> None:
    with zipfile.ZipFile(BACKUP) as archive:
        rows = json.loads(archive.read("about.json"))["rows"]
    assert all(rows[name] for name in MOVED)
    assert {before: TODAY[now].objects.count() for before, now in MOVED.items()} == {name: rows[name] for name in MOVED}


def test_what_points_at_them_still_does() -> None:
    newcomer = BotVersion.objects.get(bot__name="newcomer")
    assert [line.status for line in report_of(newcomer)] == ["passed", "skipped"]
    finished = Match.objects.filter(status="finished", lane="ladder").order_by("pk")[0]
    assert verification_of(finished).ok
    assert log_of(finished, 0) == "thinking about nothing"
    assert AuditEntry.objects.filter(actor__username="administrator").count() == 2
    assert check(Ladder.objects.get()).problems == []


def test_the_service_goes_on() -> None:
    pipeline.tick()
    assert play_queue(Random(5), most=20) > 0
    for _ in range(3):
        pipeline.tick()
        play_queue(Random(6), most=20)
    pipeline.tick()
    assert Tournament.objects.get(name="running cup").status == "finished"
    assert check(Ladder.objects.get()).problems == []


def test_pages_stand() -> None:
    owner = User.objects.get(username="owner")
    client = Client()
    client.force_login(owner)
    for path in ("/", "/ladders/gatsby-2/", f"/bots/{owner.bots.first().pk}/", "/tournaments/", "/account/"):
        assert client.get(path).status_code == 200, path
