"""`python -m benchmarks.arena`: what a match costs, measured against its floor in the same run, turn by turn.

The floor is the least that such a match can cost: the same two bots as plain processes on the same core, the same
lines through blocking pipes, the same JSON library, the same engine, and no referee, clock, sandbox or record.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

import orjson

from arena.match import play
from arena.order import MatchOrder
from arena.protocol import act_line, start_line
from arena.sandbox import SandboxUnavailable, require_sandbox
from arena.sandbox.launcher import launch
from arena.sandbox.leases import lease_core, lease_user
from arena.sandbox.places import is_root
from arena.sandbox.profile import Cell
from arena.sandbox.staging import new_folder
from arena.sandbox.walls import Sandbox
from benchmarks.arena.games import ConnectFour, NoPlies, on_the_table
from benchmarks.arena.starts import cpu_ms
from engines import GAMES

BOT = """
import sys
import orjson
read, write = sys.stdin.buffer.readline, sys.stdout.buffer
seed = orjson.loads(read())["bot_seed"]
write.write(b'{"type":"ready"}\\n'); write.flush()
while True:
    message = orjson.loads(read() or b'{"type":"end"}')
    if message["type"] == "end":
        break
    seed = (seed * 6364136223846793005 + 1442695040888963407) % (1 << 64)
    legal = message["legal"]
    write.write(b'{"action":"%s"}\\n' % legal[(seed >> 33) % len(legal)].encode()); write.flush()
"""
PLAYED = ("speak_easy", "gatsby", "connect_four")
HELLO = "print('hello', flush=True)\n"


@dataclass(frozen=True, slots=True)
class Cost:
    """What one match took, all processes together."""

    cpu_s: float
    wall_s: float
    plies: int

    @property
    def cpu_us_per_ply(self) -> float:
        return self.cpu_s / self.plies * 1e6


def measured(run: Callable[[], int]) -> Cost:
    """The cost of a run that returns its number of plies."""
    cpu, wall = cpu_ms(), time.perf_counter()
    plies = run()
    return Cost((cpu_ms() - cpu) / 1e3, time.perf_counter() - wall, plies)


def order_for(game: str, digest: str, seed: int) -> MatchOrder:
    seats = (digest,) * GAMES[game].seats.start
    return MatchOrder(game=game, rules_version=GAMES[game].rules_version, seed=seed, seats=seats)


def play_in_sandbox(order: MatchOrder, folder: Path) -> int:
    record = play(order, {order.seats[0]: folder})
    if record.faults or record.is_host_fault:
        raise SystemExit(f"the benchmark's own bot failed: {record.faults} {record.host.problem}")
    return len(record.actions)


def start_in_sandbox(order: MatchOrder, folder: Path) -> int:
    """Everything of a match but its plies."""
    with on_the_table(NoPlies()):
        return 1 + play_in_sandbox(replace(order, game="no_plies", rules_version=1), folder)


def play_on_the_floor(order: MatchOrder, sandbox: Sandbox, folder: Path, *, plays: bool = True) -> int:
    """The same match with nothing that a floor could do without."""
    python, site = (
        sandbox.folder.root / "usr/bin" / sandbox.folder.python,
        sandbox.folder.root / "opt/rumrunner/site",
    )
    program = f"import sys; sys.path.append({str(site)!r}); exec(open({str(folder / 'main.py')!r}).read())"
    words = [str(python), "-I", "-S", "-c", program]
    bots = [subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={}) for _ in order.seats]
    pipes = [(bot.stdin.fileno(), bot.stdout.fileno()) for bot in bots if bot.stdin and bot.stdout]
    for seat, (to, back) in enumerate(pipes):
        os.write(to, start_line(order, {}, seat, seat + 1))
        os.read(back, 65536)
    plies = _floor_loop(order, pipes) if plays else 1
    for bot in bots:
        bot.communicate(b'{"type":"end"}\n')
    return plies


def _floor_loop(order: MatchOrder, pipes: list[tuple[int, int]]) -> int:
    state = GAMES[order.game].new(seats=len(order.seats), seed=order.seed)
    plies = 0
    while (seat := state.to_act) is not None:
        texts = [state.format(action) for action in state.legal_actions()]
        to, back = pipes[seat]
        os.write(to, act_line(plies, state.observe(seat), texts, 100, 10_000))
        state.apply(state.parse(orjson.loads(os.read(back, 65536))["action"]))
        plies += 1
    return plies


@dataclass(frozen=True, slots=True)
class MatchFigures:
    """Medians over all rounds, cpu of all processes together; ratio is the median of the rounds' own ratios.

    The figures of a match include the start and end of its bots, those of a ply do not.
    """

    game: str
    rounds: int
    plies: float
    match_us_per_ply: float
    match_floor_us_per_ply: float
    match_ratio: float
    ply_us: float
    ply_floor_us: float
    ply_ratio: float
    matches_per_core_second: float
    floor_matches_per_core_second: float


@dataclass(frozen=True, slots=True)
class BothWays:
    """One match each way, and one start each way, with the same seed."""

    ours: Cost
    floor: Cost
    our_start: Cost
    floor_start: Cost

    @property
    def ply_us(self) -> float:
        return (self.ours.cpu_s - self.our_start.cpu_s) / self.ours.plies * 1e6

    @property
    def ply_floor_us(self) -> float:
        return (self.floor.cpu_s - self.floor_start.cpu_s) / self.floor.plies * 1e6


def measure_matches(game: str, sandbox: Sandbox, folder: Path, seconds: float) -> MatchFigures:
    """Sandbox and floor in turn, on the same core, with the same seeds, until the time is up."""
    rounds: list[BothWays] = []
    until = time.monotonic() + seconds
    with lease_core():
        while time.monotonic() < until or len(rounds) < 3:
            rounds.append(_round(order_for(game, sha256(BOT.encode()).hexdigest(), len(rounds)), sandbox, folder))
    middle = statistics.median
    return MatchFigures(
        game=game,
        rounds=len(rounds),
        plies=statistics.mean(one.ours.plies for one in rounds),
        match_us_per_ply=middle(one.ours.cpu_us_per_ply for one in rounds),
        match_floor_us_per_ply=middle(one.floor.cpu_us_per_ply for one in rounds),
        match_ratio=middle(one.ours.cpu_us_per_ply / one.floor.cpu_us_per_ply for one in rounds),
        ply_us=middle(one.ply_us for one in rounds),
        ply_floor_us=middle(one.ply_floor_us for one in rounds),
        ply_ratio=middle(one.ply_us / one.ply_floor_us for one in rounds),
        matches_per_core_second=1 / middle(one.ours.cpu_s for one in rounds),
        floor_matches_per_core_second=1 / middle(one.floor.cpu_s for one in rounds),
    )


def _round(order: MatchOrder, sandbox: Sandbox, folder: Path) -> BothWays:
    return BothWays(
        ours=measured(lambda: play_in_sandbox(order, folder)),
        floor=measured(lambda: play_on_the_floor(order, sandbox, folder)),
        our_start=measured(lambda: start_in_sandbox(order, folder)),
        floor_start=measured(lambda: play_on_the_floor(order, sandbox, folder, plays=False)),
    )


@dataclass(frozen=True, slots=True)
class StartFigures:
    """Milliseconds from the call to the first line (medians and fastest), and of cpu from start to end."""

    rounds: int
    sandbox_ms: float
    bare_ms: float
    over_ms: float
    fastest_over_ms: float
    cpu_over_ms: float


def measure_start(sandbox: Sandbox, folder: Path, seconds: float) -> StartFigures:
    """A Python bot that says hello: behind the wall and bare, in turn."""
    inside: list[float] = []
    bare: list[float] = []
    cpu: list[float] = []
    until = time.monotonic() + seconds
    with lease_core():
        while time.monotonic() < until or len(inside) < 5:
            before = cpu_ms()
            inside.append(_start_inside(sandbox, folder))
            between = cpu_ms()
            bare.append(_start_bare(sandbox, folder))
            cpu.append((between - before) - (cpu_ms() - between))
    over = [one - other for one, other in zip(inside, bare, strict=True)]
    return StartFigures(
        rounds=len(inside),
        sandbox_ms=statistics.median(inside) * 1e3,
        bare_ms=statistics.median(bare) * 1e3,
        over_ms=statistics.median(over) * 1e3,
        fastest_over_ms=(min(inside) - min(bare)) * 1e3,
        cpu_over_ms=statistics.median(cpu),
    )


def _start_inside(sandbox: Sandbox, folder: Path) -> float:
    with lease_user() as user:
        cell = Cell(folder, "python", "hello.py", 512, 60, user if is_root() else None)
        began = time.perf_counter()
        bot = launch(sandbox.wall, sandbox.folder, cell)
        os.set_blocking(bot.stdout, True)
        os.read(bot.stdout, 100)
        took = time.perf_counter() - began
        bot.end()
    return took


def _start_bare(sandbox: Sandbox, folder: Path) -> float:
    python = sandbox.folder.root / "usr/bin" / sandbox.folder.python
    began = time.perf_counter()
    bot = subprocess.Popen([str(python), "-I", "-S", str(folder / "hello.py")], stdout=subprocess.PIPE, env={})
    assert bot.stdout is not None
    os.read(bot.stdout.fileno(), 100)
    took = time.perf_counter() - began
    bot.communicate()
    return took


def measure_kaggle(seconds: float) -> float | None:
    """Cpu microseconds a ply of kaggle-environments' connect four with its own random agents; None if not installed."""
    try:
        from kaggle_environments import make
    except ImportError:
        return None
    costs: list[Cost] = []
    until = time.monotonic() + seconds
    while time.monotonic() < until or len(costs) < 2:
        environment = make("connectx")
        costs.append(measured(lambda env=environment: len(env.run(["random", "random"])) - 1))  # type: ignore[misc]
    return statistics.median(cost.cpu_us_per_ply for cost in costs)


def main() -> int:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arena", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=8.0, help="time for each measurement")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    wanted = parser.parse_args()
    try:
        sandbox = require_sandbox()
    except SandboxUnavailable as error:
        print(error, file=sys.stderr)
        return 1
    with new_folder("bench-") as folder:
        (folder / "main.py").write_text(BOT)
        (folder / "hello.py").write_text(HELLO)
        start = measure_start(sandbox, folder, wanted.seconds)
        with on_the_table(ConnectFour(games=20)):
            matches = [measure_matches(game, sandbox, folder, wanted.seconds) for game in PLAYED]
    kaggle = measure_kaggle(wanted.seconds)
    _print(start, matches, kaggle)
    if wanted.json:
        figures = {"start": asdict(start), "matches": [asdict(one) for one in matches], "kaggle_us_per_ply": kaggle}
        wanted.json.write_text(json.dumps(figures, indent=1) + "\n")
    return 0


def _print(start: StartFigures, matches: list[MatchFigures], kaggle: float | None) -> None:
    print(
        f"start of a Python bot: {start.sandbox_ms:.1f} ms in the sandbox, {start.bare_ms:.1f} ms bare, "
        f"{start.over_ms:.1f} ms over (fastest {start.fastest_over_ms:.1f}, of cpu {start.cpu_over_ms:.1f}), "
        f"{start.rounds} rounds"
    )
    for one in matches:
        print(
            f"{one.game}, {one.plies:.0f} plies, {one.rounds} rounds:\n"
            f"  whole match {one.match_us_per_ply:.0f} us of cpu a ply, floor {one.match_floor_us_per_ply:.0f}, "
            f"ratio {one.match_ratio:.2f}\n"
            f"  plies alone {one.ply_us:.0f} us, floor {one.ply_floor_us:.0f}, ratio {one.ply_ratio:.2f}\n"
            f"  {one.matches_per_core_second:.1f} matches a core-second, floor {one.floor_matches_per_core_second:.1f}"
        )
    if kaggle is None:
        print("kaggle-environments: not installed")
    else:
        ours = ", ".join(f"{kaggle / one.ply_us:.1f} times {one.game}" for one in matches)
        print(f"kaggle-environments (connect four, agents in the same process): {kaggle:.0f} us of cpu a ply, {ours}")


if __name__ == "__main__":
    raise SystemExit(main())
