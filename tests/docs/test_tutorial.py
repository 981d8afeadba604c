"""docs/3-tutorial.md can be followed word by word."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bots.cli.main import COMMANDS
from bots.cli.output import Code

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "3-tutorial.md").read_text(encoding="utf-8")


def blocks(mark: str) -> list[str]:
    """The fenced blocks of the page with this mark behind their language."""
    return re.findall(rf"```\w+ {mark}\n(.*?)\n```", PAGE, re.DOTALL)


def commands(mark: str) -> list[list[str]]:
    return [line.split() for block in blocks(mark) for line in block.splitlines()]


def rumrunner(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as the page writes it, with this checkout's code."""
    assert words[0] == "rumrunner"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "RUMRUNNER_CONFIG": str(folder / "config")}
    return subprocess.run(
        [sys.executable, "-m", "bots.cli", *words[1:]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.slow
def test_every_local_command_of_the_tutorial_works_in_its_order(tmp_path: Path) -> None:
    for words in commands("local"):
        done = rumrunner(words, tmp_path)
        assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}\n{done.stderr}"
    assert (tmp_path / "game.html").read_text(encoding="utf-8").startswith("<!")


@pytest.mark.parametrize("words", commands("local") + commands("server"), ids=" ".join)
def test_every_command_of_the_tutorial_exists(words: list[str]) -> None:
    assert words[0] == "rumrunner"
    assert words[1] in COMMANDS


@pytest.mark.slow
def test_the_searching_bot_of_the_tutorial_plays(tmp_path: Path) -> None:
    (program,) = blocks("search")
    (tmp_path / "thinker.py").write_text(program)
    done = rumrunner(["rumrunner", "play", "gatsby", "thinker.py", "house:random", "--json"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert '"faults": []' in done.stdout


def test_the_page_lists_every_exit_code() -> None:
    listed = re.findall(r"\| (\d) \| `(\w+)` \|", PAGE)
    assert [(int(number), name) for number, name in listed] == [(code.value, code.name) for code in Code]
