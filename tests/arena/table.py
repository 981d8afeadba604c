"""What the arena tests share: bots on disk, matches between them, and the look from outside."""

from __future__ import annotations

import json
import os
import resource
import secrets
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from arena import Limits, MatchOrder, MatchRecord, PlayedAction, Progress, pack, play, require_sandbox, verify
from arena.accounting import QUIET_SHARE
from arena.sandbox.counters import CoreCounters, CoreTimes
from arena.sandbox.launcher import launch
from arena.sandbox.leases import lease_user
from arena.sandbox.places import is_root
from arena.sandbox.process import BotProcess
from arena.sandbox.profile import Cell
from arena.sandbox.tmpfs import staging_home
from arena.sandbox.walls import Sandbox
from arena.sandbox.warm import parents_ms

BOTS = Path(__file__).parent / "bots"
# Short, so that a bot that must be waited for is waited for briefly.
SHORT = Limits(
    start_ms=300, turn_ms=50, bank_ms=200, memory_mib=128, idle_act_ms=300, idle_match_ms=1_500, wall_ms=30_000
)
# For bots that are to be refused and not to be caught by the clock, on however busy a machine.
PATIENT = replace(SHORT, start_ms=3_000, bank_ms=5_000, idle_act_ms=3_000, idle_match_ms=10_000)


@dataclass(frozen=True)
class Bot:
    """A bundle folder whose entry has a name of its own, so that its processes can be told from all others."""

    folder: Path
    mark: str

    @property
    def digest(self) -> str:
        return sha256(self.mark.encode()).hexdigest()


def make_bot(tmp_path: Path, source: Path | str, *, files: dict[str, str] | None = None) -> Bot:
    """A Python bundle of one hostile bot (by its file's stem) or of any source file."""
    path = source if isinstance(source, Path) else BOTS / "hostile" / f"{source}.py"
    mark = f"m{secrets.token_hex(8)}"
    folder = tmp_path / mark
    folder.mkdir()
    shutil.copy(path, folder / f"{mark}.py")
    for name in ("seat.py", "shelter.py"):
        shutil.copy(BOTS / "hostile" / name, folder / name)
    (folder / "bot.toml").write_text(f'name = "{path.stem}"\ngame = "countdown"\nentry = "{mark}.py"\n')
    for name, text in (files or {}).items():
        (folder / name).write_text(text)
    return Bot(folder, mark)


def make_scripted(tmp_path: Path, **script: Any) -> Bot:
    return make_bot(tmp_path, BOTS / "scripted.py", files={"script.json": json.dumps(script)})


def start(bot: Bot, **changes: Any) -> BotProcess:
    """The bot as the launcher starts it, without a match."""
    sandbox = require_sandbox()
    for folder in (bot.folder, *list(bot.folder.parents)[:-2]):
        folder.chmod(folder.stat().st_mode | 0o055)
    with lease_user() as user:
        cell = Cell(bot.folder, "python", f"{bot.mark}.py", 128, 10, user if is_root() else None)
        return launch(sandbox.wall, sandbox.folder, replace(cell, **changes))


def order_of(*bots: Bot, limits: Limits = SHORT, seed: int = 7) -> MatchOrder:
    return MatchOrder(game="countdown", rules_version=1, seed=seed, seats=tuple(b.digest for b in bots), limits=limits)


def play_bots(
    *bots: Bot,
    limits: Limits = SHORT,
    sandbox: Sandbox | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    on_action: Callable[[PlayedAction], None] = lambda played: None,
) -> MatchRecord:
    """One match, played again when the host was too busy to be fair, as a ladder does."""
    bundles = {bot.digest: bot.folder for bot in bots}
    for _ in range(3):
        order = order_of(*bots, limits=limits)
        record = play(order, bundles, sandbox=sandbox, on_progress=on_progress, on_action=on_action)
        if "too busy" not in record.host.problem:
            break
    return record


def processes_of(bot: Bot) -> list[int]:
    """The living processes that run this bot, seen in the host's process table."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                words = Path(f"/proc/{name}/cmdline").read_bytes()
            except OSError:
                continue
            if bot.mark.encode() in words and int(name) != os.getpid():
                found.append(int(name))
    return found


def assert_no_survivor(*bots: Bot) -> None:
    until = time.monotonic() + 120.0
    while any(processes_of(bot) for bot in bots):
        assert time.monotonic() < until, f"still alive long after the match: {[processes_of(b) for b in bots]}"
        time.sleep(0.02)


def files_of(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Everything that could have been changed about the files of a folder."""
    return {
        str(path): (path.stat().st_mode, path.stat().st_mtime_ns, path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def peak_kib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def staged() -> set[str]:
    """The folders of matches that this process has now."""
    return {name for name in os.listdir(staging_home()) if f"-{os.getpid()}-" in name}


class Watch:
    """The host before a match, to be compared with the host after it."""

    def __init__(self, *bots: Bot) -> None:
        self.bots = bots
        self.files = [files_of(bot.folder) for bot in bots]
        self.peak = peak_kib()
        self.cores = core_times()
        self.used_ms = used_ms()

    def assert_unharmed(self, record: MatchRecord) -> None:
        """Nothing survived, nothing was written, the runner stayed small, and the record is true."""
        assert_no_survivor(*self.bots)
        assert [files_of(bot.folder) for bot in self.bots] == self.files
        assert peak_kib() - self.peak < 64 * 1024
        assert verify(record).problems == ()
        assert len(pack(record)) < 64 * 1024

    def was_busy(self, record: MatchRecord) -> bool:
        """Whether others had more of the core than a quiet one has for them: on such, dawdling is partly excused."""
        if "too busy" in record.host.problem:
            return True
        assert record.host.core is not None
        now, before = core_times()[record.host.core], self.cores[record.host.core]
        known_ms = now.idle_ms - before.idle_ms + now.irq_ms - before.irq_ms + used_ms() - self.used_ms
        passed_ms = now.all_ms - before.all_ms
        return passed_ms - known_ms > max(QUIET_SHARE * passed_ms, 30.0)


def used_ms() -> float:
    """Cpu of this program, of the programs it has started and that are gone, and of its warm parents."""
    used = [resource.getrusage(whom) for whom in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return 1000 * sum(one.ru_utime + one.ru_stime for one in used) + parents_ms()


def core_times() -> dict[int, CoreTimes]:
    """What the kernel has counted of each core that we may use."""
    found = {}
    for core in os.sched_getaffinity(0):
        counters = CoreCounters(core)
        found[core] = counters.read()
        counters.close()
    return found


def words_of(record: MatchRecord, seat: int = 0) -> str:
    return record.seats[seat].stderr
