"""One match in a process of its own, with trouble on its core: `python -m tests.arena.blame_runner JSON`.

Tells each progress in a line and the record in the last one.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena import Limits, Progress, play
from arena.sandbox.leases import lease_core
from engines import GAMES
from tests.arena.countdown import Countdown
from tests.arena.table import Bot, order_of

BURNER = "while True: pass"
# Takes memory page by page, gives it back, and reads and writes files as large, for as long as it lives.
HOG = """
import os, tempfile
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


def told(progress: Progress) -> None:
    print("asked", progress.ply, flush=True)


def main() -> None:
    """Play what the argument says and tell it."""
    GAMES["countdown"] = Countdown()
    wanted = json.loads(sys.argv[1])
    bots = [Bot(Path(folder), Path(folder).name) for folder in wanted["bots"]]
    order = order_of(*bots, limits=Limits(**wanted["limits"]))
    cores = os.sched_getaffinity(0)
    with lease_core() as core, programs(burners=wanted["burners"], hogs=wanted["hogs"], cores=cores):
        record = play(order, {bot.digest: bot.folder for bot in bots}, core=core, on_progress=told)
    print(json.dumps(record.as_json()), flush=True)


if __name__ == "__main__":
    main()
