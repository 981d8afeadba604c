"""Looking at processes that end while they are looked at."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from tests.service.processes import family, survivors


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends when its input does, and is a zombie from then on: nobody asks for its exit code."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    yield process
    process.kill()
    process.wait()


def end(child: subprocess.Popen[bytes]) -> None:
    """Let it become a zombie."""
    assert child.stdin is not None
    if not child.stdin.closed:
        child.stdin.close()
    while psutil.Process(child.pid).status() != psutil.STATUS_ZOMBIE:
        pass


def ends_before(method: str, child: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """The child becomes a zombie the moment it is asked this."""
    ask = getattr(psutil.Process, method)

    def end_and_ask(self: psutil.Process) -> object:
        if self.pid == child.pid:
            monkeypatch.setattr(psutil.Process, method, ask)
            end(child)
        return ask(self)

    monkeypatch.setattr(psutil.Process, method, end_and_ask)


def test_a_process_that_lives_is_a_survivor(child: subprocess.Popen[bytes]) -> None:
    assert len(survivors(family(child.pid))) == 1


@pytest.mark.parametrize("method", ["create_time", "status", "cmdline"])
def test_a_process_that_becomes_a_zombie_between_two_looks_is_no_survivor(
    child: subprocess.Popen[bytes], method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = family(child.pid)
    ends_before(method, child, monkeypatch)
    assert survivors(seen) == []


@pytest.mark.parametrize("method", ["create_time", "status"])
def test_a_process_that_ends_while_its_family_is_looked_at_does_no_harm(
    child: subprocess.Popen[bytes], method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends_before(method, child, monkeypatch)
    assert set(family(child.pid)) <= {child.pid}
