"""A bot's process as the runner holds it: when it counts as stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.sandbox.cgroups import freezer_home
from arena.sandbox.process import BotProcess


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
    until = time.monotonic() + 30.0
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
