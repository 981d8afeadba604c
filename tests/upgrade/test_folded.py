"""A service from before migrations were folded into one an app comes up to date by backup and restore."""

from __future__ import annotations

import json
import zipfile
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.apps import apps
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from ladder import pipeline
from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.matches.models import Match
from ladder.matches.records import verification_of
from ladder.operations.backups import MOVED
from ladder.ratings.leaderboard import leaderboard
from ladder.ratings.recompute import check
from tests.web.world import play_queue

pytestmark = pytest.mark.django_db
BACKUP = Path(__file__).parent / "folded.backup"
MADE_ANEW = {"auth.Permission", "contenttypes.ContentType"}  # by a restore, for models that came later


@pytest.fixture
def restored() -> None:
    cache.clear()
    call_command("restore", str(BACKUP), stdout=StringIO())


@pytest.mark.usefixtures("restored")
def test_every_row_is_there() -> None:
    with zipfile.ZipFile(BACKUP) as archive:
        rows = json.loads(archive.read("about.json"))["rows"]
    kept = {
        label: apps.get_model(MOVED.get(label, label))._base_manager.count() for label in rows if label not in MADE_ANEW
    }
    assert kept == {label: count for label, count in rows.items() if label not in MADE_ANEW}


@pytest.mark.usefixtures("restored")
def test_ratings_places_and_records_are_as_they_were() -> None:
    ladder = Ladder.objects.get(slug="gatsby-2")
    assert check(ladder).problems == []
    first, *others = leaderboard(ladder).rows
    assert first.bot == "searcher"
    assert first.place_low == 1
    assert all(first.rating >= row.rating for row in others if not row.is_provisional)
    assert verification_of(Match.objects.filter(status="finished", ladder=ladder).order_by("pk")[0]).ok


@pytest.mark.usefixtures("restored")
def test_the_service_goes_on() -> None:
    before = Match.objects.filter(status="finished").count()
    for turn in range(3):
        pipeline.tick()
        play_queue(Random(turn), most=20)
    pipeline.tick()
    assert Match.objects.filter(status="finished").count() > before
    assert check(Ladder.objects.get(slug="gatsby-2")).problems == []


@pytest.mark.usefixtures("restored")
def test_pages_stand() -> None:
    daisy = User.objects.get(username="daisy")
    client = Client()
    client.force_login(daisy)
    for path in ("/", "/ladders/gatsby-2/", f"/bots/{daisy.bots.first().pk}/", "/tournaments/", "/account/"):
        assert client.get(path).status_code == 200, path


def test_tables_of_an_older_version_are_refused_with_the_way_out() -> None:
    MigrationRecorder(connection).record_applied("ratings", "0012_first_fit_is_to_come")
    with pytest.raises(CommandError, match=r"it has ratings\.0012_first_fit_is_to_come.*manage\.py restore FILE"):
        call_command("migrate", stdout=StringIO())
