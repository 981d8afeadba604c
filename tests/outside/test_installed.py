"""A game that somebody else wrote, installed as a package: found, checked, and played behind the wall."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = Path(__file__).parent / "nickel-dice"
Run = Callable[..., "subprocess.CompletedProcess[str]"]
# A bot that searches with the engine of the game itself, which it can only import if the sandbox folder has it.
BOT = """
from bots.kit import Bot, Turn, run
from engines import GAMES

class Doubter(Bot):
    def act(self, turn: Turn) -> str:
        world = GAMES["nickel_dice"].imagine(turn.observation, turn.rng)
        assert [world.format(action) for action in world.legal_actions()] == turn.legal
        return "doubt" if "doubt" in turn.legal else turn.legal[0]

run(Doubter())
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A program of ours in an environment where the package is installed."""
    folder = tmp_path_factory.mktemp("outside")
    shutil.copytree(SOURCE, folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    target = folder / "site"
    flags = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    words = [sys.executable, "-m", "pip", "install", *flags, "--target", str(target), str(folder / "source")]
    subprocess.run(words, check=True, capture_output=True, timeout=300)
    path = os.pathsep.join((str(ROOT), str(target)))
    environment = {**os.environ, "PYTHONPATH": path, "RUMRUNNER_RUNTIME": str(folder / "runtime")}

    def run(*words: str, cwd: Path = folder) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *words]
        return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=600)

    return run


def told(run: Run, *words: str) -> object:
    done = run("-m", "bots.cli", *words, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_it_is_listed_after_ours_with_the_package_it_comes_from(run: Run) -> None:
    listed = told(run, "games")
    assert isinstance(listed, dict)
    assert listed["left_out"] == []
    assert [(game["name"], game["from"]) for game in listed["games"]][3:] == [
        ("cotton_club", None),
        ("nickel_dice", "nickel-dice"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("word", ["nickel_dice", "nickel-dice", "nickel_dice.game:GAME"])
def test_it_keeps_every_promise(run: Run, word: str) -> None:
    checked = told(run, "check-game", word, "--all")
    assert isinstance(checked, dict)
    assert (checked["game"], checked["broken"]) == ("nickel_dice", [])


@pytest.mark.slow
def test_a_random_game_of_it_is_told_on_the_terminal(run: Run) -> None:
    done = run("-m", "engines", "play", "nickel_dice", "--seats", "3")
    assert done.returncode == 0, done.stderr
    assert "doubts" in done.stdout
    assert "under the cup" in done.stdout


@pytest.mark.slow
def test_bots_play_it_behind_the_wall_with_its_own_engine(run: Run, tmp_path: Path) -> None:
    (tmp_path / "doubter.py").write_text(BOT)
    made = run("-m", "arena.sandbox.runtime")
    assert made.returncode == 0, made.stderr
    doubter = str(tmp_path / "doubter.py")
    played = told(run, "play", "nickel_dice", doubter, "house:random", "--games", "2", "--seed", "5")
    assert isinstance(played, dict)
    assert played["faults"] == []
    assert sorted(line["name"] for line in played["results"]) == ["doubter", "random"]


@pytest.mark.slow
def test_the_digest_of_the_sandbox_folder_covers_it(run: Run) -> None:
    words = ("-c", "from arena.sandbox.sandbox_folder import code_digest; print(code_digest())")
    with_it = run(*words).stdout.strip()
    path = run("-c", "import nickel_dice; print(nickel_dice.__file__)").stdout.strip()
    before = Path(path).read_text()
    try:
        Path(path).write_text(before + "# changed\n")
        assert run(*words).stdout.strip() != with_it
    finally:
        Path(path).write_text(before)
    without = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    ).stdout.strip()
    assert len(with_it) == len(without) == 64
    assert with_it != without


@pytest.fixture(scope="module")
def evening(run: Run, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the ladder showed after an evening of the game."""
    bot = tmp_path_factory.mktemp("evening") / "doubter.py"
    bot.write_text(BOT)
    assert run("-m", "arena.sandbox.runtime").returncode == 0
    done = run("-m", "tests.outside.on_the_ladder", str(bot))
    assert "ANSWER" in done.stdout, done.stdout + done.stderr
    return dict(json.loads(done.stdout.partition("ANSWER")[2]))


@pytest.mark.slow
def test_its_bots_qualify_meet_and_are_rated_on_the_ladder(evening: dict[str, Any]) -> None:
    assert evening["statuses"] == ["qualified", "qualified"]
    assert evening["endings"] == ["finished"]
    assert [name for name, matches in evening["rows"] if matches >= 2] == ["doubter", "random"]
    assert evening["verdict"]["ok"]


@pytest.mark.slow
def test_the_site_shows_it_by_the_plain_table_in_its_own_words(evening: dict[str, Any]) -> None:
    assert set(evening["codes"].values()) <= {200, 302}
    assert 'data-drawing="plain"' in evening["page"]
    first, second = evening["frames"]["results"][:2]
    assert first["table"].startswith("Bid: none")
    assert second["said"].endswith("under the cup.")
    assert evening["how_it_ended"] in evening["page"]
