"""Is the new version better? As an author asks."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from arena.desk.sequential import SequentialTest
from bots.cli.compare import Contest
from tests.arena.desk.test_sheets import robin
from tests.bots.cli.test_local import CRASHING, GOOD, rumrunner


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    Path("good.py").write_text(GOOD)
    Path("bad.py").write_text(CRASHING)
    return tmp_path


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_version_that_wins_everything_is_soon_better(desk, jobs):
    done = rumrunner("compare", "bad.py", "good.py", "--game", "gatsby", "--margin", "40", "--jobs", jobs, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["verdict"], told["score"], told["sets"]) == ("better", 1.0, 6)
    assert told["matches"] == 12
    assert told["ratio"] >= told["bound"] > 2.9


def test_a_version_that_fails_is_no_better_and_its_fault_is_shown(desk):
    done = rumrunner("compare", "good.py", "bad.py", "--game", "gatsby", "--margin", "40")
    assert done.exit_code == 1, done.output
    assert "it is not better" in done.output
    assert "IndexError" in done.output
    assert "sets won 0, level 0, lost 2" in done.output


def test_twins_are_left_open_when_the_sets_are_used_up(desk):
    done = rumrunner("compare", "good.py", "good.py", "--game", "gatsby", "--max", "2")
    assert done.exit_code == 1, done.output
    assert "still open after 2 sets; raise --max" in done.output


def test_versions_that_never_get_ready_are_not_called_even(desk):
    Path("broken.py").write_text("print(")
    done = rumrunner("compare", "broken.py", "broken.py", "--game", "gatsby")
    assert done.exit_code == 1, done.output
    assert "neither version gets ready" in done.output
    assert "SyntaxError" in done.output
    assert "1 set, 2 matches" in done.output


def test_the_game_is_the_one_that_the_bots_are_for(desk):
    rumrunner("new", "gatsby", "mine")
    done = rumrunner("compare", "bad.py", "mine", "--margin", "40", "--max", "1", "--json")
    assert json.loads(done.stdout)["game"] == "gatsby"
    done = rumrunner("compare", "bad.py", "good.py")
    assert done.exit_code == 2
    assert "neither names its game; add --game" in done.output


def test_a_set_that_the_host_failed_says_nothing():
    field, played = robin(2, seats=2, game="gatsby")
    contest = Contest(field, SequentialTest())
    contest.add([replace(match, record=replace(match.record, ending="host_fault")) for match in played])
    assert contest.scores == []
    contest.add(played)
    assert contest.scores == [1.0]
