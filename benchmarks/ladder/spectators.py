"""What watchers of one match cost the stream, how late they see a ply, and what telling of a ply costs its worker.

`python -m benchmarks.ladder.spectators [watchers] [seconds]` plays a match on paper at four plies a second, in a data
folder of its own: the stream's share of a core with none, one and 300 watchers, how long after its worker had a ply
the last of them had it, and the processor time of a worker that broadcasts beside the same that does not.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PLIES_A_SECOND = 4
PLY = re.compile(rb'"ply":(\d+)')
TOLD = 4_000  # plies of the worker whose cost is measured, and how often it waits for a beat among them
BEATS = 8


def cpu_s(pid: int) -> float:
    """The processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Watchers:
    """Browsers that read all they get, count the events with frames, and note when they first had each ply."""

    def __init__(self, port: int, match_id: int) -> None:
        self.port, self.match_id = port, match_id
        self.frames = 0
        self.had_at: dict[int, list[float]] = {}

    async def watch(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"GET /matches/{self.match_id} HTTP/1.1\r\n\r\n".encode())
        while line := await reader.readline():
            if line.startswith(b"event: frames"):
                self.frames += 1
            elif line.startswith(b"data: [") and (plies := PLY.findall(line)):
                self.had_at.setdefault(int(plies[-1]), []).append(time.monotonic())

    def lateness_ms(self, told_at: dict[int, float]) -> list[float]:
        """For every ply that was told of alone: how long until the last watcher had it, in order of size."""
        known = self.had_at.keys() & told_at.keys()
        return sorted(1_000 * (max(self.had_at[ply]) - told_at[ply]) for ply in known)


async def measure(pid: int, watchers: Watchers, count: int, seconds: float, play: Callable[[], None]) -> float:
    """The share of a core that the stream used while so many watched."""
    tasks = [asyncio.create_task(watchers.watch()) for _ in range(count)]
    await asyncio.sleep(3)
    began, before = time.monotonic(), cpu_s(pid)
    while time.monotonic() - began < seconds:
        await asyncio.to_thread(play)
        await asyncio.sleep(1 / PLIES_A_SECOND)
    share = (cpu_s(pid) - before) / (time.monotonic() - began)
    for task in tasks:
        task.cancel()
    return share


def main(count: int = 300, seconds: float = 20.0) -> None:
    """Set a service up in a folder of its own, measure, and print."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"RUMRUNNER_DATA": folder, "DJANGO_SETTINGS_MODULE": "ladder.settings", "RUMRUNNER_DEMO": "false"}
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command

        from ladder.broker import server_command
        from ladder.live.reports import last_report

        broker = subprocess.Popen(server_command(settings.DATA), stdout=subprocess.DEVNULL)
        stream = None
        try:
            time.sleep(1)
            call_command("migrate", verbosity=0)
            running = _match()
            stream = subprocess.Popen([sys.executable, str(settings.BASE_DIR / "manage.py"), "stream"])
            while (report := last_report()) is None:
                time.sleep(0.2)
            for watching in (0, 1, count):
                watchers, paper = Watchers(report.port, running.match.pk), Paper(running)
                share = asyncio.run(measure(stream.pid, watchers, watching, seconds, paper.play))
                late = watchers.lateness_ms(paper.told_at)
                seen = (
                    f", the last has a ply {late[len(late) // 2]:.0f} ms late, at most {late[-1]:.0f}" if late else ""
                )
                print(f"{watching:>4} watchers: {100 * share:5.1f} % of a core, {watchers.frames} events{seen}")
            print(f"broadcasting costs a worker {broadcast_us():.1f} us of processor time a ply")
        finally:
            for process in (stream, broker):
                if process is not None:
                    process.terminate()
                    process.wait()


class Paper:
    """A match on paper that remembers when its worker had each ply."""

    def __init__(self, running: Any) -> None:
        self.running = running
        self.told_at: dict[int, float] = {}

    def play(self) -> None:
        """One ply, told at once: a worker tells at its next beat, up to a quarter of a second later."""
        moment = time.monotonic()
        self.running.play()
        self.told_at[len(self.running.told.texts)] = moment


def broadcast_us() -> float:
    """What a ply costs more, in processor time of all threads, when it is told of."""
    from ladder.matches.broadcast import BEAT_S, broadcast

    def played(texts: list[str]) -> float:
        began = time.process_time()
        for ply in range(TOLD):
            texts.append("at exchange_office1")
            if ply % (TOLD // BEATS) == 0:
                time.sleep(BEAT_S)
        return time.process_time() - began

    with broadcast("benchmark") as texts:
        told = played(texts)
    return 1e6 * (told - played([])) / TOLD


def _match() -> Any:
    from tests.ladder.cast import make_ladder
    from tests.ladder.live.paper import queue_set, take

    queue_set(make_ladder("capone", 4))
    return take()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
