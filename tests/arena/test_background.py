"""A program in the background of a core takes nothing from a bot that works, and helps none to a void match."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena import MatchRecord, play
from arena.sandbox.leases import lease_core
from tests.arena.table import SHORT, make_bot, order_of

LIMITS = replace(SHORT, bank_ms=400, idle_act_ms=2_000, idle_match_ms=20_000)
BACKGROUND = (
    "import os\nos.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))\nprint(flush=True)\nwhile True: pass"
)


@pytest.fixture
def core() -> Iterator[int]:
    """A core of ours on which a program works whenever nobody else does."""
    with lease_core() as core:
        words = [sys.executable, "-I", "-S", "-c", BACKGROUND]
        with subprocess.Popen(words, start_new_session=True, stdout=subprocess.PIPE) as program:
            os.sched_setaffinity(program.pid, {core})
            try:
                assert program.stdout is not None
                program.stdout.readline()
                yield core
            finally:
                program.kill()


def play_against(name: str, core: int, tmp_path: Path) -> MatchRecord:
    bots = make_bot(tmp_path, "good"), make_bot(tmp_path, name)
    return play(order_of(*bots, limits=LIMITS), {bot.digest: bot.folder for bot in bots}, core=core)


@pytest.mark.parametrize("name", ["yields", "fakes_waits", "rests_in_time"])
def test_no_bot_gains_a_void_match_by_leaving_its_core_to_the_background(name: str, core: int, tmp_path: Path) -> None:
    if play_against("burns", core, tmp_path).host.wait_ms > 0.25 * LIMITS.bank_ms:
        pytest.skip("the core is busy indeed: who works does not get it either")
    record = play_against(name, core, tmp_path)
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(1, "timeout")], record.host
