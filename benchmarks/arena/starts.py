"""`python -m benchmarks.arena.starts`: bots forked from a warm parent beside bots begun anew, turn by turn in one run.

Matches between house `random` bots, with all cpu of runner, bots and warm parent counted; and the start of one kit bot
beside its floor: an empty child forked into the same namespaces with the same filter, from a parent that has loaded
what the warm parent has, and from one that has loaded nothing.
"""

from __future__ import annotations

import argparse
import operator
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from arena.house import house_bots
from arena.match import play
from arena.order import MatchOrder
from arena.sandbox import SandboxUnavailable, nursery, require_sandbox, seccomp
from arena.sandbox.launcher import launch
from arena.sandbox.leases import lease_core, lease_user
from arena.sandbox.places import is_root
from arena.sandbox.profile import Cell
from arena.sandbox.staging import new_folder
from arena.sandbox.walls import Sandbox
from arena.sandbox.warm import nursery_for, parents_ms
from engines import GAMES

IN_A_ROW = 20  # starts, so that neither they nor their floor pay for what others left in the caches
PLAYED = ("gatsby", "speak_easy")
KIT_BOT = "from bots.kit import Bot, Turn, run\nprint('hello', flush=True)\nimport sys\nsys.stdin.read()\n"
# One round: a child in namespaces of its own, with the filter, that does nothing. It says what all of it cost.
FLOOR = """
import ctypes, os, resource, sys
libc = ctypes.PyDLL(None, use_errno=True)
class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))
steps = sys.stdin.buffer.read()
program = Program(len(steps) // 8, steps)
flags = 0x10000000 | 0x20000 | 0x4000000 | 0x8000000 | 0x20000000 | 0x40000000 | 0x2000000 | 17
def used():
    both = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(one.ru_utime + one.ru_stime for one in both)
rounds = int(sys.argv[1])
if sys.argv[2:]:
    import gc, importlib.util
    sys.path += sys.argv[3:]
    spec = importlib.util.spec_from_file_location("nursery", sys.argv[2])
    parent = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(parent)
    parent.load()
    gc.collect()
    gc.freeze()
before = used()
for _ in range(rounds):
    child = libc.syscall(ctypes.c_long(56), ctypes.c_long(flags), None, None, None, None)
    if child == 0:
        libc.prctl(38, 1, 0, 0, 0)
        libc.prctl(22, 2, ctypes.byref(program), 0, 0)
        os._exit(0)
    assert child > 0, os.strerror(ctypes.get_errno())
    os.waitpid(child, 0)
print((used() - before) / rounds * 1e3)
"""


def cpu_ms() -> float:
    """All that this process, the warm parent and the children it has waited for have used."""
    return sum(parts_ms())


def parts_ms() -> tuple[float, float, float]:
    """The same, each by itself."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return (own.ru_utime + own.ru_stime) * 1e3, parents_ms(), (children.ru_utime + children.ru_stime) * 1e3


def cost_ms(run: Callable[[], object]) -> float:
    before = cpu_ms()
    run()
    return cpu_ms() - before


def play_house(game: str, folder: Path, seed: int, sandbox: Sandbox) -> None:
    """One match between two house bots that play anything."""
    digest = sha256(game.encode()).hexdigest()
    seats = (digest,) * GAMES[game].seats.start
    order = MatchOrder(game=game, rules_version=GAMES[game].rules_version, seed=seed, seats=seats)
    record = play(order, {digest: folder}, sandbox=sandbox)
    assert record.ending == "finished", (record.ending, record.host.problem)


def start_kit_bot(folder: Path, sandbox: Sandbox) -> None:
    """From nothing to its first line, and gone again."""
    with lease_user() as user:
        cell = Cell(folder, "python", "kit_bot.py", 512, 60, user if is_root() else None)
        bot = launch(sandbox.wall, sandbox.folder, cell)
        os.set_blocking(bot.stdout, True)
        os.read(bot.stdout, 100)
        bot.end()


def start_kit_bots(folder: Path, sandbox: Sandbox) -> None:
    for _ in range(IN_A_ROW):
        start_kit_bot(folder, sandbox)


def floor_ms(*, loaded: bool = False) -> float:
    """An empty child, of a parent that has loaded what the warm one has, or nothing."""
    places = [nursery.__file__, *filter(None, sys.path)] if loaded else []
    words = [sys.executable, "-I", "-S", "-c", FLOOR, str(IN_A_ROW), *places]
    return float(subprocess.run(words, input=seccomp.assemble(), capture_output=True, check=True).stdout)


def make_bundle(game: str, folder: Path) -> Path:
    folder.mkdir()
    shutil.copy(house_bots(game)["random"], folder / "main.py")
    (folder / "bot.toml").write_text(f'name = "random"\ngame = "{game}"\nentry = "main.py"\n')
    return folder


def measure_matches(game: str, folder: Path, both: tuple[Sandbox, Sandbox], seconds: float) -> None:
    costs: tuple[list[float], list[float]] = ([], [])
    until, seed = time.monotonic() + seconds, 0
    while time.monotonic() < until or seed < 3:
        seed += 1
        for sandbox, found in zip(both, costs, strict=True):
            found.append(cost_ms(lambda s=sandbox, n=seed: play_house(game, folder, n, s)))  # type: ignore[misc]
    warm, cold = (1e3 / statistics.mean(found) for found in costs)
    print(f"{game}: {warm:.1f} matches a core-second warm, {cold:.1f} cold, {warm / cold:.1f} times, {seed} rounds")


def start_parts_ms(folder: Path, sandbox: Sandbox) -> tuple[float, ...]:
    """What one start cost the runner, the warm parent and the child."""
    before = parts_ms()
    start_kit_bots(folder, sandbox)
    return tuple((now - then) / IN_A_ROW for now, then in zip(parts_ms(), before, strict=True))


def measure_start(folder: Path, both: tuple[Sandbox, Sandbox], seconds: float) -> None:
    (folder / "kit_bot.py").write_text(KIT_BOT)
    warm_sandbox, cold_sandbox = both
    start_kit_bots(folder, warm_sandbox)  # its source is compiled once, which belongs to no start
    parts: list[tuple[float, ...]] = []
    costs: tuple[list[float], ...] = ([], [], [])
    until = time.monotonic() + seconds
    while time.monotonic() < until or len(parts) < 3:
        parts.append(start_parts_ms(folder, warm_sandbox))
        for found, cost in zip(costs, (floor_ms(loaded=True), floor_ms()), strict=False):
            found.append(cost)
        costs[2].append(sum(start_parts_ms(folder, cold_sandbox)))
    floor, bare, cold = map(statistics.median, costs)
    starts = [sum(one) for one in parts]
    to_floor, to_bare = (statistics.median(map(operator.truediv, starts, found)) for found in costs[:2])
    runner, parent, child = (statistics.median(found) for found in zip(*parts, strict=True))
    print(
        f"start of a kit bot, cpu from call to its end: {statistics.median(starts):.1f} ms warm "
        f"(runner {runner:.1f}, parent {parent:.1f}, child {child:.1f}), {cold:.1f} cold; "
        f"an empty child of a parent that has loaded as much {floor:.1f}: {to_floor:.2f} times, "
        f"of one that has loaded nothing {bare:.1f}: {to_bare:.2f} times, {len(parts)} rounds"
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.arena.starts", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--seconds", type=float, default=10.0, help="time for each measurement")
    parser.add_argument("--only-starts", action="store_true", help="measure no matches")
    wanted = parser.parse_args()
    os.environ["RUMRUNNER_STARTS"] = "warm"
    try:
        sandbox = require_sandbox()
    except SandboxUnavailable as error:
        print(error, file=sys.stderr)
        return 1
    if not sandbox.wall.is_warm:
        print("This machine has no warm starts.", file=sys.stderr)
        return 1
    nursery_for(sandbox.wall, sandbox.folder)  # what it costs to load belongs to no match
    both = sandbox, Sandbox(replace(sandbox.wall, is_warm=False), sandbox.folder)
    with new_folder("bench-") as folder, lease_core():
        measure_start(folder, both, wanted.seconds)
        for game in () if wanted.only_starts else PLAYED:
            measure_matches(game, make_bundle(game, folder / game), both, wanted.seconds)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
