"""What an author asks a server about bots of their own, and what is told at the keyboard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bots.cli import remote
from bots.cli.client import Client, Login, save_login
from bots.cli.main import app
from bots.cli.output import Stop
from bots.cli.remote import my_bot, show_board
from engines import GAMES

LAMP = {"id": 7, "name": "Lamp", "game": "gatsby"}
LINE = {"rating": 21.42, "low": 18.2, "high": 24.6, "matches": 12}
VERSION = {"number": 3, "url": "http://x/api/v1/bots/7/versions/3/", "reason": "", "report": [], "log": ""}


class Server:
    """Answers by path, and keeps what was sent; a list of answers is given one after the other."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {"me/": {"username": "ann"}}
        self.sent: list[tuple[str, Any]] = []

    def get(self, path: str) -> Any:
        answer = self.answers.get(path)
        if answer is None:
            raise Stop(f"There is nothing at {path}.", kind="not_found")
        return answer.pop(0) if isinstance(answer, list) else answer

    def put(self, path: str, value: Any) -> Any:
        self.sent.append((path, value))
        return self.get(path)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Server:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RUMRUNNER_CONFIG", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("RUMRUNNER_TOKEN", raising=False)
    monkeypatch.setattr(remote, "LOOK_S", 0)
    save_login(Login("http://127.0.0.1:9", "ann", "0" * 64))
    desk = Server()
    desk.answers["games/"] = {
        "results": [{"name": game.name, "rules_version": game.rules_version} for game in GAMES.values()]
    }
    desk.answers["bots/?owner=ann&search=Lamp"] = {"results": [LAMP]}
    monkeypatch.setattr(Client, "get", lambda self, path: desk.get(path))
    monkeypatch.setattr(Client, "post", lambda self, path, value=None: desk.put(path, value))
    monkeypatch.setattr(Client, "upload", lambda self, path, name, content: desk.put(path, (name, content)))
    return desk


def rumrunner(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def mine(server: Server, name: str, game: str | None = None, *, make: bool = False) -> dict[str, Any]:
    return my_bot(Client("http://127.0.0.1:9"), game, name, make=make)


@pytest.mark.parametrize("name", ["Lamp", "lamp", "LAMP"])
def test_a_bot_is_found_however_its_name_is_spelt(server: Server, name: str) -> None:
    server.answers[f"bots/?owner=ann&search={name}"] = {"results": [LAMP, {**LAMP, "id": 8, "name": "Lamplighter"}]}
    assert mine(server, name)["id"] == 7


def test_a_name_in_several_games_needs_the_game(server: Server) -> None:
    server.answers["bots/?owner=ann&search=Lamp"] = {"results": [LAMP, {**LAMP, "id": 8, "game": "capone"}]}
    server.answers["bots/?owner=ann&search=Lamp&game=capone"] = {"results": [{**LAMP, "id": 8, "game": "capone"}]}
    with pytest.raises(Stop, match="you have bots named 'Lamp' for gatsby, capone; say which with --game"):
        mine(server, "Lamp")
    assert mine(server, "Lamp", "capone")["id"] == 8


def test_a_bot_that_is_not_there_is_made_only_if_that_is_wanted(server: Server) -> None:
    for question in ("bots/?owner=ann&search=New", "bots/?owner=ann&search=New&game=gatsby"):
        server.answers[question] = {"results": []}
    server.answers["bots/"] = {"id": 9, "name": "New", "game": "gatsby"}
    with pytest.raises(Stop, match="you have no bot named 'New'"):
        mine(server, "New", "gatsby")
    assert server.sent == []
    assert mine(server, "New", "gatsby", make=True)["id"] == 9
    assert server.sent == [("bots/", {"game": "gatsby", "name": "New"})]


@pytest.mark.parametrize(
    ("words", "named"), [([], "Lamp"), (["--bot", "Other"], "Other")], ids=["by the file", "as it was asked"]
)
def test_a_file_is_submitted_under_its_own_name_or_another(server: Server, words: list[str], named: str) -> None:
    Path("Lamp.py").write_text("print()\n")
    server.answers[f"bots/?owner=ann&search={named}&game=gatsby"] = {"results": [{**LAMP, "name": named}]}
    server.answers["bots/7/versions/"] = {**VERSION, "status": "received"}
    told = rumrunner("submit", "Lamp.py", "--game", "gatsby", "--no-wait", *words)
    assert told.exit_code == 0, told.output
    assert f"{named} v3 received. http://127.0.0.1:9/bots/7/" in told.output
    assert server.sent == [("bots/7/versions/", ("Lamp.py", b"print()\n"))]


def test_a_submission_is_followed_trial_by_trial_and_each_is_told_once(server: Server) -> None:
    Path("Lamp.py").write_text("print()\n")
    passed = {"order": 0, "ladder": "gatsby-2", "kind": "self", "status": "passed", "reason": ""}
    playing = {**passed, "order": 1, "kind": "house", "status": "playing"}
    server.answers["bots/?owner=ann&search=Lamp&game=gatsby"] = {"results": [LAMP]}
    server.answers["bots/7/versions/"] = {**VERSION, "status": "received", "report": None}
    server.answers[VERSION["url"]] = [
        {**VERSION, "status": "checking", "report": [passed, playing]},
        {**VERSION, "status": "qualified", "report": [passed, {**playing, "status": "passed"}]},
    ]
    told = rumrunner("submit", "Lamp.py", "--game", "gatsby")
    assert told.exit_code == 0, told.output
    assert told.output.count("gatsby-2, with itself: passed") == 1
    assert told.output.count("gatsby-2, against house random: passed") == 1
    assert "qualified" in told.output


def test_a_rejected_submission_shows_log_and_the_deal_to_play_again(server: Server) -> None:
    Path("Lamp.py").write_text("print()\n")
    again = "rumrunner play gatsby Lamp.py Lamp.py --seed 7"
    failed = {"order": 0, "ladder": "gatsby-2", "kind": "self", "status": "failed", "reason": "crash at ply 3"}
    end = {
        **VERSION,
        "status": "rejected",
        "reason": "crash",
        "log": "[b]Traceback",
        "report": [{**failed, "again": again}],
    }
    server.answers["bots/?owner=ann&search=Lamp&game=gatsby"] = {"results": [LAMP]}
    server.answers["bots/7/versions/"] = {**end, "status": "received"}
    server.answers[VERSION["url"]] = end
    told = rumrunner("submit", "Lamp.py", "--game", "gatsby")
    assert told.exit_code == 1
    for words in ("failed: crash at ply 3", "[b]Traceback", again, "rejected: crash"):
        assert words in told.output


def test_with_json_a_rejection_is_one_value_and_a_code(server: Server) -> None:
    Path("Lamp.py").write_text("print()\n")
    server.answers["bots/?owner=ann&search=Lamp&game=gatsby"] = {"results": [LAMP]}
    server.answers["bots/7/versions/"] = {**VERSION, "status": "rejected", "reason": "crash"}
    told = rumrunner("submit", "Lamp.py", "--game", "gatsby", "--json")
    assert told.exit_code == 1
    assert json.loads(told.stdout)["version"]["status"] == "rejected"


def test_where_a_bot_stands_is_told_with_its_active_version(server: Server) -> None:
    standing = {"ladder": "gatsby-2", "version": 2, "wins": 7, "draws": 1, "losses": 4, "faults": 0, **LINE}
    server.answers["bots/7/"] = {**LAMP, "standings": [standing]}
    server.answers["bots/7/versions/?limit=5"] = {
        "results": [
            {"number": 3, "status": "checking", "is_active": False},
            {"number": 2, "status": "qualified", "is_active": True},
        ]
    }
    told = rumrunner("status", "Lamp").output
    assert "Lamp plays gatsby. http://127.0.0.1:9/bots/7/" in told
    assert "v3: checking\n" in told
    assert "v2: qualified (active)" in told
    assert "21.4 ±3.2" in " ".join(told.split())


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ({"place_low": 1, "place_high": 1, "p_first": 0.97, "missing": 0}, "1 97 %"),
        ({"place_low": 2, "place_high": 5, "p_first": 0.004, "missing": 0}, "2 to 5 0 %"),
        ({"place_low": None, "place_high": None, "p_first": None, "missing": 8}, "8 to go —"),
    ],
)
def test_a_leaderboard_tells_places_and_what_a_newcomer_lacks(
    capsys: pytest.CaptureFixture[str], monkeypatch, place: dict[str, Any], told: str
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    rank = None if place["place_low"] is None else 1
    show_board("gatsby-2", [{"bot": "Lamp [b]", "version": 2, "owner": None, "rank": rank, **LINE, **place}])
    shown = " ".join(capsys.readouterr().out.split())
    assert told in shown
    assert "Lamp [b] v2 —" in shown


def test_the_log_of_a_match_is_that_of_every_seat_the_bot_had(server: Server) -> None:
    server.answers["matches/5/"] = {
        "seats": [{"seat": 0, "bot_id": 7}, {"seat": 1, "bot_id": 8}, {"seat": 2, "bot_id": 7}]
    }
    server.answers["matches/5/log/0/"] = {"log": "first [seat]"}
    server.answers["matches/5/log/2/"] = {"log": ""}
    told = rumrunner("logs", "Lamp", "--match", "5").output
    assert "first [seat]" in told
    assert "(nothing)" in told
    assert json.loads(rumrunner("logs", "Lamp", "--match", "5", "--json").stdout) == {
        "0": {"log": "first [seat]"},
        "2": {"log": ""},
    }


def test_a_match_of_others_has_no_log_of_mine(server: Server) -> None:
    server.answers["matches/5/"] = {"seats": [{"seat": 0, "bot_id": 8}]}
    told = rumrunner("logs", "Lamp", "--match", "5")
    assert told.exit_code == 1
    assert "Lamp did not play in match 5." in told.output


def test_the_log_of_a_check_is_that_of_the_newest_version(server: Server) -> None:
    server.answers["bots/7/versions/?limit=1"] = {"results": [{"number": 3}]}
    server.answers["bots/7/versions/3/"] = {
        **VERSION,
        "status": "rejected",
        "reason": "[it] crashed",
        "log": "Traceback",
    }
    told = rumrunner("logs", "Lamp").output
    assert "v3: rejected" in told
    assert "[it] crashed" in told
    assert "Traceback" in told


@pytest.mark.parametrize("words", [["logs", "Lamp"], ["check-again", "Lamp"]])
def test_a_bot_without_a_version_says_so(server: Server, words: list[str]) -> None:
    server.answers["bots/7/versions/?limit=1"] = {"results": []}
    told = rumrunner(*words)
    assert told.exit_code == 1
    assert "Lamp has no version yet." in told.output


@pytest.mark.parametrize(("words", "limit"), [([], 20), (["--limit", "3"], 3)])
def test_as_many_rows_are_asked_for_as_are_shown(server: Server, words: list[str], limit: int) -> None:
    server.answers[f"ladders/gatsby-2/leaderboard/?limit={limit}"] = {"results": []}
    assert json.loads(rumrunner("leaderboard", "gatsby-2", "--json", *words).stdout) == []


def test_a_ladder_s_name_goes_into_the_address_as_it_is(server: Server) -> None:
    server.answers["ladders/a%3Fb%20c/leaderboard/?limit=20"] = {"results": []}
    assert rumrunner("leaderboard", "a?b c").exit_code == 0
