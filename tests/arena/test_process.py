"""A bot's process as the runner holds it: when it counts as stopped, and why it ended."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena import Limits
from arena.clock import SeatClock
from arena.players import Player
from arena.sandbox.cgroups import freezer_home
from arena.sandbox.process import BotProcess
from tests.arena.table import make_bot, start


@pytest.fixture
def sleeper() -> Iterator[BotProcess]:
    child = subprocess.Popen(["/bin/sleep", "100"])
    nowhere = [os.open("/dev/null", os.O_RDWR) for _ in range(3)]
    process = BotProcess(child, child.pid, os.pidfd_open(child.pid), *nowhere)
    yield process
    process.end()


def letter_of(process: BotProcess) -> str:
    return Path(f"/proc/{process.pid}/stat").read_text().rpartition(") ")[2][0]


def wait_until_stopped(process: BotProcess) -> None:
    until = time.monotonic() + 300.0
    while not process.is_stopped():
        assert time.monotonic() < until, letter_of(process)
        time.sleep(0.01)


def test_a_process_is_stopped_once_its_signal_has_landed(sleeper: BotProcess) -> None:
    assert not sleeper.is_stopped()
    sleeper.pause()
    wait_until_stopped(sleeper)
    assert letter_of(sleeper) == "T"
    sleeper.resume()
    assert not sleeper.is_stopped()


@pytest.mark.skipif(freezer_home() is None, reason="this machine lets us have no control group")
def test_a_process_that_freezes_before_its_stop_lands_is_stopped_too(sleeper: BotProcess) -> None:
    sleeper.freeze()
    wait_until_stopped(sleeper)
    sleeper.pause()
    wait_until_stopped(sleeper)
    assert letter_of(sleeper) != "T"  # the signal waits behind the freezer
    sleeper.resume()
    assert not sleeper.is_stopped()
    signal.pidfd_send_signal(sleeper.pidfd, 0)  # it lives on


@pytest.mark.parametrize("starts", ["warm", "cold"])
def test_a_bot_that_burned_while_nobody_looked_was_out_of_time(
    starts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A runner that is frozen for long finds it dead: the kernel has ended it for all the cpu time it used."""
    monkeypatch.setenv("RUMRUNNER_STARTS", starts)
    player = Player(seat=0, clock=SeatClock(Limits()), bot_seed=0, memory_mib=128, cpu_s=1)
    player.process = start(make_bot(tmp_path, "burns_at_start"), cpu_s=player.cpu_s)
    assert select.select([player.process.pidfd], [], [], 300.0)[0]
    player.leave()
    fault = player.death()
    assert (fault.kind, fault.reason) == ("timeout", "it used up all the cpu time of the match")
