"""Matches in a process of its own, with trouble on its core: `python -m tests.arena.blame_runner JSON`.

Reads the order of a match from each line, tells each progress in a line and the record in the last one of the match.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from arena import Limits, Progress, play
from arena.sandbox.leases import lease_core
from arena.sandbox.warm import close_all
from engines import GAMES
from tests.arena.countdown import Countdown
from tests.arena.table import Bot, order_of

CPU_GROUPS = Path("/sys/fs/cgroup/cpu")
BURNER = "while True: pass"
# Takes memory page by page, gives it back, and reads and writes files as large, for as long as it lives; with whatever
# time nobody else wants of a core, so that it presses memory and not the match.
HOG = """
import os, tempfile
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
try:
    open("/proc/self/autogroup", "w").write("19")
except OSError:
    pass
size = min(int(next(l for l in open("/proc/meminfo") if "MemAvailable" in l).split()[1]) * 512, 2 << 30)
paper = tempfile.TemporaryFile()
while True:
    hoard = bytearray(size)
    hoard[::4096] = b"x" * len(hoard[::4096])
    paper.seek(0)
    for at in range(0, size // 8, 1 << 20):
        paper.write(memoryview(hoard)[at : at + (1 << 20)])
    del hoard
"""


def die_with_parent() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


@contextmanager
def programs(*, burners: int, hogs: int, cores: set[int]) -> Iterator[None]:
    """Foreign programs, burners on our own core and hogs on any; each a session, because the kernel shares by those."""
    pinned = os.sched_getaffinity(0)
    running = [_start(BURNER) for _ in range(burners)]
    os.sched_setaffinity(0, cores)
    running += [_start(HOG) for _ in range(hogs)]
    os.sched_setaffinity(0, pinned)
    try:
        yield
    finally:
        for program in running:
            program.kill()
            program.wait()


def _start(text: str) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-I", "-S", "-c", text]
    return subprocess.Popen(words, start_new_session=True, preexec_fn=die_with_parent)


@contextmanager
def before_others() -> Iterator[None]:
    """All that this process starts from here on gets the core first, as on a machine with nothing else to do."""
    group = CPU_GROUPS / f"rumrunner-blame-{os.getpid()}"
    group.mkdir()
    (group / "cpu.shares").write_text("262144")
    (group / "cgroup.procs").write_text(str(os.getpid()))
    try:
        yield
    finally:
        (CPU_GROUPS / "cgroup.procs").write_text(str(os.getpid()))
        close_all()
        _remove(group)


def _remove(group: Path) -> None:
    """As soon as the last of its programs is gone."""
    for _ in range(100):
        with suppress(OSError):
            group.rmdir()
            return
        time.sleep(0.05)


def told(progress: Progress) -> None:
    print("asked", progress.ply, flush=True)


def play_one(wanted: dict[str, Any], core: int) -> None:
    """Play the bots of an order and tell how it went."""
    bots = [Bot(Path(folder), Path(folder).name) for folder in wanted["bots"]]
    order = order_of(*bots, limits=Limits(**wanted["limits"]))
    record = play(order, {bot.digest: bot.folder for bot in bots}, core=core, on_progress=told)
    print(json.dumps(record.as_json()), flush=True)


def main() -> None:
    """Make the trouble that the argument says, and play."""
    GAMES["countdown"] = Countdown()
    trouble = json.loads(sys.argv[1])
    cores = os.sched_getaffinity(0)
    first = before_others() if trouble["before_others"] else nullcontext()
    with first, lease_core() as core, programs(burners=trouble["burners"], hogs=trouble["hogs"], cores=cores):
        for line in sys.stdin:
            play_one(json.loads(line), core)


if __name__ == "__main__":
    main()
