"""The rows of choices."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from engines.choices import by_number
from engines.gatsby.choices import CHOICES, NUMBERS, TAKE
from engines.gatsby.game import GAME

A_GAME = """
import sys; sys.path.insert(0, sys.argv[1])
import json, engines, random
from engines import GAMES
assert engines.__file__.startswith(sys.argv[1])
for seed in range(12):
    state, rng = GAMES["gatsby"].new(seed=seed), random.Random(seed)
    while state.to_act is not None:
        state.apply(rng.choice(state.legal_actions()))
        if state.ply % 9 == 0:
            state = GAMES["gatsby"].restore(state.snapshot())
            state = GAMES["gatsby"].imagine(state.observe(state.turn), rng)
        print(json.dumps([state.observe(0), state.observe(1), state.public(), state.legal_actions()]))
"""


def test_rows_may_stand_in_any_order() -> None:
    assert by_number(*reversed(CHOICES)) == CHOICES
    assert tuple(row.take for row in CHOICES) == TAKE
    assert [NUMBERS[row.name] for row in CHOICES] == list(range(len(CHOICES)))


@pytest.mark.parametrize("kind", ["SETUP_PICK", "INFLUENCE", "OVER"])
def test_a_row_put_between_two_others_shifts_nothing(tmp_path: Path, kind: str) -> None:
    """The same games from a copy of the engines in which a new kind of choice comes before that one."""
    shutil.copytree(GAME.folder.parent, tmp_path / "engines", ignore=shutil.ignore_patterns("__pycache__"))
    position, choices = (tmp_path / "engines" / "gatsby" / name for name in ("position.py", "choices.py"))
    insert(position, f"    {kind},\n", "    ENCORE,\n")
    replace(position, f"KINDS = {len(CHOICES)}", f"KINDS = {len(CHOICES) + 1}")
    insert(choices, f"    {kind},\n", "    ENCORE,\n")
    insert(choices, "    _step(INFLUENCE,", '    _step(ENCORE, "encore", "a song", _anywhere, _put_anywhere),\n')
    assert played_by(tmp_path) == played_by(GAME.folder.parents[1])


def insert(path: Path, mark: str, text: str) -> None:
    replace(path, mark, text + mark)


def replace(path: Path, old: str, new: str) -> None:
    source = path.read_text()
    assert source.count(old) == 1, f"{old!r} in {path.name}"
    path.write_text(source.replace(old, new))


@cache
def played_by(root: Path) -> bytes:
    run = subprocess.run([sys.executable, "-c", A_GAME, str(root)], capture_output=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr.decode()
    assert len(run.stdout) > 100_000
    return run.stdout
