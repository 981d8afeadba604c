"""The same arguments make the same game in any process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engines.playing import ALL_SETUPS, Setup, digest

ROOT = Path(__file__).parents[2]


def told_by_another_process(hash_seed: str) -> dict[str, str]:
    told = subprocess.run(
        [sys.executable, "-m", "tests.engines.playing"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    ).stdout
    return dict(line.rsplit(" ", 1) for line in told.splitlines())


@pytest.mark.slow
def test_whole_games_are_the_same_in_processes_with_different_hash_seeds() -> None:
    here = {str(setup): digest(setup, 11) for setup in ALL_SETUPS}
    assert told_by_another_process("1") == here
    assert told_by_another_process("4242") == here


@pytest.mark.parametrize("setup", ALL_SETUPS, ids=str)
def test_another_seed_makes_another_game(setup: Setup) -> None:
    assert len({digest(setup, seed) for seed in (31, 32, 33)}) == 3
