"""Log files that stay small, while their writers hold them open and know nothing of it."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import pytest

from ladder.operations.logs import Rotation
from ladder.operations.supervisor import Part, Supervisor

SMALL = Rotation(most_bytes=1000, kept=2)


def test_a_log_grows_no_longer_for_ever(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    with log.open("ab", buffering=0) as writer:
        for number in range(10):
            writer.write(f"{number}".encode() * 600)
            SMALL.apply(log)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["web.log", "web.log.1", "web.log.2"]
    assert log.read_bytes() == b""
    assert (tmp_path / "web.log.1").read_bytes() == b"8" * 600 + b"9" * 600
    assert (tmp_path / "web.log.2").read_bytes() == b"6" * 600 + b"7" * 600


def test_a_log_of_the_size_it_may_have_is_left_alone(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    log.write_bytes(b"x" * 1000)
    SMALL.apply(log)
    assert [path.name for path in tmp_path.iterdir()] == ["web.log"]


def test_no_limit_means_none(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    log.write_bytes(b"x" * 10_000)
    Rotation(most_bytes=0, kept=2).apply(log)
    assert log.stat().st_size == 10_000


def test_a_log_that_cannot_be_put_aside_is_told_and_stops_nothing(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    log.write_bytes(b"x" * 2000)
    (tmp_path / "web.log.1" / "in the way").mkdir(parents=True)
    (tmp_path / "web.log.2" / "in the way").mkdir(parents=True)
    assert "web.log" in (SMALL.apply(log) or "")
    assert log.stat().st_size == 2000


@pytest.mark.slow
def test_the_supervisor_puts_aside_what_a_part_writes_while_it_runs(tmp_path: Path) -> None:
    chatter = "import time\nwhile True: print('x' * 500, flush=True); time.sleep(0.01)"
    supervisor = Supervisor(tmp_path, lambda text: None, rotation=SMALL)
    supervisor.start(Part("chatter", [sys.executable, "-c", chatter], lambda: True))
    watching = threading.Thread(target=supervisor.watch)
    watching.start()
    try:
        deadline = time.monotonic() + 120
        while not (tmp_path / "chatter.log.2").exists():
            assert time.monotonic() < deadline
            time.sleep(0.1)
    finally:
        supervisor.stop(())
        watching.join()
    assert (tmp_path / "chatter.log").read_bytes().count(b"\0") == 0
