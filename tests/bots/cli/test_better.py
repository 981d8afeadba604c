"""`rumrunner better` and `rumrunner versus`: the question goes to the server, its answer is told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from bots.cli import better
from bots.cli.client import Client, Login, save_login
from bots.cli.main import app

DUEL = {
    "id": 7, "status": "playing", "verdict": "Not clear yet.", "new": 4, "old": 3, "score": 0.5, "ratio": 0.0,
    "bound": 2.94, "sets": 0, "most_sets": 800,
}  # fmt: skip


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path) -> dict[str, Any]:
    """What is sent, and the answers to come."""
    monkeypatch.setenv("RUMRUNNER_CONFIG", str(tmp_path))
    save_login(Login("http://127.0.0.1:9", "ann", "0" * 64))
    told: dict[str, Any] = {"sent": [], "latest": [], "later": []}

    def get(self: Client, path: str) -> Any:
        if path == "me/":
            return {"username": "ann"}
        if path.startswith("bots/?"):
            return {"results": [{"id": 1, "name": "lamp", "game": "gatsby"}]}
        return {"results": told["latest"]} if path.startswith("bots/1/duels/") else told["later"].pop(0)

    def post(self: Client, path: str, value: Any = None) -> Any:
        told["sent"].append((path, value))
        return {**DUEL, "status": "cancelled", "verdict": "Called off."} if "cancel" in path else DUEL

    monkeypatch.setattr(Client, "get", get)
    monkeypatch.setattr(Client, "post", post)
    monkeypatch.setattr(better, "LOOK_S", 0)
    return told


def rumrunner(*words: str) -> Any:
    return CliRunner().invoke(app, list(words))


def test_one_command_asks_and_tells_the_verdict(server: dict[str, Any]) -> None:
    server["later"] = [{**DUEL, "sets": 9}, {**DUEL, "status": "better", "verdict": "Version 4 is better."}]
    result = rumrunner("better", "lamp")
    assert result.exit_code == 0, result.output
    assert server["sent"] == [("bots/1/duels/", {"switch_when_better": False})]
    assert "Version 4 is better.\nhttp://127.0.0.1:9/duels/7/" in result.output


def test_no_better_is_a_no(server: dict[str, Any]) -> None:
    server["later"] = [{**DUEL, "status": "no_better", "verdict": "Version 4 is not better."}]
    result = rumrunner("better", "lamp", "--new", "4", "--switch", "--json")
    assert result.exit_code == 1
    assert json.loads(result.output)["status"] == "no_better"
    assert server["sent"] == [("bots/1/duels/", {"new": 4, "switch_when_better": True})]


def test_what_is_under_way_is_watched_on_and_not_asked_twice(server: dict[str, Any]) -> None:
    server["latest"] = [DUEL]
    assert rumrunner("better", "lamp", "--no-watch").exit_code == 0
    assert server["sent"] == []
    other = rumrunner("better", "lamp", "--new", "5")
    assert other.exit_code == 1
    assert "version 4 is being tested against version 3" in other.output


def test_a_test_is_cancelled_if_there_is_one(server: dict[str, Any]) -> None:
    assert "no test of lamp is under way" in rumrunner("better", "lamp", "--cancel").output
    server["latest"] = [DUEL]
    result = rumrunner("better", "lamp", "--cancel")
    assert "Called off." in result.output
    assert server["sent"] == [("duels/7/cancel/", None)]


PLACE = {"bot": "lamp", "version": 2, "rating": 26.0, "low": 24.0, "high": 28.0}
FOUND = {
    "one": PLACE,
    "other": {**PLACE, "version": 1},
    "p_better": 0.91,
    "p_wins_next": 0.6,
    "matches_to_separate": 120,
    "head_to_head": {"matches": 8, "sets": 4, "share": 0.625, "low": 0.3, "high": 0.86},
    "common": [{"bot": "random", "one": 1.0, "one_matches": 4, "other": 0.5, "other_matches": 2}],
}


@pytest.mark.parametrize(
    ("more", "told"), [(120, "about 120 matches"), (0, "none: it is clear"), (None, "they look equal")]
)
def test_two_versions_are_compared_by_what_the_server_knows(
    server: dict[str, Any], more: int | None, told: str
) -> None:
    server["later"] = [{**FOUND, "matches_to_separate": more}]
    result = rumrunner("versus", "gatsby-2", "lamp", "lamp v1")
    assert result.exit_code == 0, result.output
    assert "lamp v2 is stronger with a probability of 91.0 %, and wins their next match with 60.0 %." in result.output
    assert f"Matches needed to tell them apart: {told}." in result.output
    assert "lamp v2 got 62.5 % in 8 matches of 4 sets; 95 % interval 30 to 86 %." in result.output
    assert "50 % of 2" in result.output


def test_who_never_met_is_told_so(server: dict[str, Any]) -> None:
    server["later"] = [{**FOUND, "head_to_head": None, "common": []}]
    assert "They have not met in a rated match." in rumrunner("versus", "gatsby-2", "lamp", "lamp v1").output
