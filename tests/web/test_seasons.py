"""Closed seasons on the site: the list, a season's table, closing and reopening."""

from __future__ import annotations

import csv
import json
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.ratings import season_tables
from ladder.ratings.models import Season
from ladder.ratings.seasons import close_season
from tests.ladder.cast import make_user
from tests.web.world import small_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder(rng: Random) -> Ladder:
    return small_world(rng)[0]


@pytest.fixture
def operator() -> Client:
    client = Client()
    client.force_login(
        make_user("hymie", role=User.Role.ADMINISTRATOR), backend="django.contrib.auth.backends.ModelBackend"
    )
    return client


def text(client: Client, name: str, *args: object, **asked: object) -> str:
    answer = client.get(reverse(f"web:{name}", args=args), asked)
    assert answer.status_code == 200, answer
    return answer.content.decode()


def test_without_a_closed_season_the_page_says_so(ladder: Ladder, operator: Client) -> None:
    assert "No season has been closed yet" in text(Client(), "seasons", ladder.slug)
    assert "Close season 1" not in text(Client(), "seasons", ladder.slug)
    assert "Close season 1" in text(operator, "seasons", ladder.slug)
    assert Client().get(reverse("web:season", args=[ladder.slug, 1])).status_code == 404


def test_an_administrator_closes_a_season_after_a_question_and_takes_it_back(ladder: Ladder, operator: Client) -> None:
    close = reverse("web:close_season", args=[ladder.slug])
    assert "It can be undone until the next match is rated." in operator.get(close).content.decode()
    assert not Season.objects.exists()
    assert operator.post(close).url == reverse("web:season", args=[ladder.slug, 1])
    page = text(operator, "season", ladder.slug, 1)
    assert all(word in page for word in ("hymie", "Reopen", "gatsby bot 0", "Provisional"))
    assert "Reopen" not in text(Client(), "season", ladder.slug, 1)
    assert "Season 2" in text(Client(), "ladder", ladder.slug)
    assert operator.post(close).status_code == 409  # nothing was rated since
    reopen = reverse("web:reopen_season", args=[ladder.slug, 1])
    assert "as if it had never been closed" in operator.get(reopen).content.decode()
    operator.post(reopen)
    assert not Season.objects.exists()


def test_nobody_else_closes_seasons(ladder: Ladder) -> None:
    stranger = Client()
    stranger.force_login(make_user(), backend="django.contrib.auth.backends.ModelBackend")
    for client in (Client(), stranger):
        assert client.post(reverse("web:close_season", args=[ladder.slug])).status_code == 403
    assert not Season.objects.exists()


def test_the_desk_leads_to_the_question(ladder: Ladder, operator: Client) -> None:
    asked = {"action": "close_season", "_selected_action": [ladder.pk]}
    answer = operator.post("/admin/ladders/ladder/", asked)
    assert answer.url == reverse("web:close_season", args=[ladder.slug])


def test_a_season_s_table_has_pages_and_files(ladder: Ladder, monkeypatch: pytest.MonkeyPatch) -> None:
    season = close_season(ladder, by=None, note="<b>winter</b>")
    everybody = [row.bot for row in season_tables.season_rows(season)]
    monkeypatch.setattr(season_tables, "MOST_ROWS", 3)
    assert [row.bot for row in season_tables.season_rows(season)] == everybody
    first = season_tables.season_page(season, limit=2)
    second = season_tables.season_page(season, after=2, limit=2)
    assert (first.previous, first.next, second.previous, second.next) == (None, "2", "0", None)
    export = reverse("api:season-export", args=[ladder.slug, 1])
    rows = list(csv.DictReader(Client().get(export, {"as": "csv"}).getvalue().decode().splitlines()))
    kept = json.loads(Client().get(export).getvalue())
    assert [row["bot"] for row in rows] == [row["bot"] for row in kept["results"]] == everybody
    assert (kept["season"], kept["matches"], kept["note"]) == (1, 6, "<b>winter</b>")
    assert "&lt;b&gt;winter" in text(Client(), "season", ladder.slug, 1)
    assert "No bots on this page" in text(Client(), "season", ladder.slug, 1, after=99)


def test_the_api_tells_a_season_page_by_page(ladder: Ladder) -> None:
    close_season(ladder, by=None)
    url = reverse("api:season", args=[ladder.slug, 1])
    first = Client().get(url, {"limit": 3}).json()
    rest = Client().get(first["next"]).json()
    assert (first["number"], first["closed_by"], first["bots"], first["previous"]) == (1, "an operator", 4, None)
    assert [len(first["results"]), len(rest["results"]), rest["next"]] == [3, 1, None]
    listed = Client().get(reverse("api:seasons", args=[ladder.slug])).json()["results"]
    assert [season["number"] for season in listed] == [1]
    assert Client().get(reverse("api:ladder", args=[ladder.slug])).json()["season"] == 2
