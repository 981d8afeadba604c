"""`python -m arena.bench`: what a match costs, measured against its floor in the same run, turn by turn.

The floor is the least that such a match can cost: the same two bots as plain processes on the same core, the same
lines through blocking pipes, the same JSON library, the same engine, and no referee, clock, sandbox or record.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
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
    cpu, wall = _cpu_s(), time.perf_counter()
    plies = run()
    return Cost(_cpu_s() - cpu, time.perf_counter() - wall, plies)


def _cpu_s() -> float:
    mine, theirs = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime


def order_for(game: str, digest: str, seed: int) -> MatchOrder:
    seats = (digest,) * GAMES[game].seats.start
    return MatchOrder(game=game, rules_version=GAMES[game].rules_version, seed=seed, seats=seats)


def play_in_sandbox(order: MatchOrder, folder: Path) -> int:
    record = play(order, {order.seats[0]: folder})
    if record.faults or record.is_host_fault:
        raise SystemExit(f"the benchmark's own bot failed: {record.faults} {record.host.problem}")
    return len(record.actions)


def play_on_the_floor(order: MatchOrder, sandbox: Sandbox, folder: Path) -> int:
    """The same match with nothing that a floor could do without."""
    python, site = (
        sandbox.runtime.root / "usr/bin" / sandbox.runtime.python,
        sandbox.runtime.root / "opt/rumrunner/site",
    )
    program = f"import sys; sys.path.append({str(site)!r}); exec(open({str(folder / 'main.py')!r}).read())"
    words = [str(python), "-I", "-S", "-c", program]
    bots = [subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={}) for _ in order.seats]
    pipes = [(bot.stdin.fileno(), bot.stdout.fileno()) for bot in bots if bot.stdin and bot.stdout]
    for seat, (to, back) in enumerate(pipes):
        os.write(to, start_line(order, {}, seat, seat + 1))
        os.read(back, 65536)
    plies = _floor_loop(order, pipes)
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
    """Medians over all rounds; ratio is the median of the rounds' own ratios."""

    game: str
    rounds: int
    plies: float
    cpu_us_per_ply: float
    floor_us_per_ply: float
    ratio: float
    matches_per_core_second: float
    floor_matches_per_core_second: float


def measure_matches(game: str, sandbox: Sandbox, folder: Path, seconds: float) -> MatchFigures:
    """Sandbox and floor in turn, on the same core, with the same seeds, until the time is up."""
    digest = sha256(BOT.encode()).hexdigest()
    ours: list[Cost] = []
    floor: list[Cost] = []
    until = time.monotonic() + seconds
    with lease_core() as core:
        while time.monotonic() < until or len(ours) < 3:
            order = order_for(game, digest, len(ours))
            ours.append(measured(lambda order=order: play_in_sandbox(order, folder)))  # type: ignore[misc]
            floor.append(measured(lambda order=order: play_on_the_floor(order, sandbox, folder)))  # type: ignore[misc]
    assert core is not None
    ratios = [one.cpu_us_per_ply / other.cpu_us_per_ply for one, other in zip(ours, floor, strict=True)]
    return MatchFigures(
        game=game,
        rounds=len(ours),
        plies=statistics.mean(cost.plies for cost in ours),
        cpu_us_per_ply=statistics.median(cost.cpu_us_per_ply for cost in ours),
        floor_us_per_ply=statistics.median(cost.cpu_us_per_ply for cost in floor),
        ratio=statistics.median(ratios),
        matches_per_core_second=1 / statistics.median(cost.cpu_s for cost in ours),
        floor_matches_per_core_second=1 / statistics.median(cost.cpu_s for cost in floor),
    )


@dataclass(frozen=True, slots=True)
class StartFigures:
    """Milliseconds from the call to the first line, medians and fastest."""

    rounds: int
    sandbox_ms: float
    bare_ms: float
    over_ms: float
    fastest_over_ms: float


def measure_start(sandbox: Sandbox, folder: Path, seconds: float) -> StartFigures:
    """A Python bot that says hello: behind the wall and bare, in turn."""
    inside: list[float] = []
    bare: list[float] = []
    until = time.monotonic() + seconds
    with lease_core():
        while time.monotonic() < until or len(inside) < 5:
            inside.append(_start_inside(sandbox, folder))
            bare.append(_start_bare(sandbox, folder))
    over = [one - other for one, other in zip(inside, bare, strict=True)]
    return StartFigures(
        rounds=len(inside),
        sandbox_ms=statistics.median(inside) * 1e3,
        bare_ms=statistics.median(bare) * 1e3,
        over_ms=statistics.median(over) * 1e3,
        fastest_over_ms=(min(inside) - min(bare)) * 1e3,
    )


def _start_inside(sandbox: Sandbox, folder: Path) -> float:
    with lease_user() as user:
        cell = Cell(folder, "python", "hello.py", 512, 60, user if is_root() else None)
        began = time.perf_counter()
        bot = launch(sandbox.wall, sandbox.runtime, cell)
        os.set_blocking(bot.stdout, True)
        os.read(bot.stdout, 100)
        took = time.perf_counter() - began
        bot.end()
    return took


def _start_bare(sandbox: Sandbox, folder: Path) -> float:
    python = sandbox.runtime.root / "usr/bin" / sandbox.runtime.python
    began = time.perf_counter()
    bot = subprocess.Popen([str(python), "-I", "-S", str(folder / "hello.py")], stdout=subprocess.PIPE, env={})
    assert bot.stdout is not None
    os.read(bot.stdout.fileno(), 100)
    took = time.perf_counter() - began
    bot.communicate()
    return took


def measure_kaggle(seconds: float) -> float | None:
    """Cpu microseconds a ply of kaggle-environments' connectx with its own random agents; None if not installed."""
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
    parser = argparse.ArgumentParser(prog="python -m arena.bench", description=(__doc__ or "").splitlines()[0])
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
        matches = [measure_matches(game, sandbox, folder, wanted.seconds) for game in ("speak_easy", "gatsby")]
    kaggle = measure_kaggle(wanted.seconds)
    _print(start, matches, kaggle)
    if wanted.json:
        figures = {"start": asdict(start), "matches": [asdict(one) for one in matches], "kaggle_us_per_ply": kaggle}
        wanted.json.write_text(json.dumps(figures, indent=1) + "\n")
    return 0


def _print(start: StartFigures, matches: list[MatchFigures], kaggle: float | None) -> None:
    print(
        f"start of a Python bot: {start.sandbox_ms:.1f} ms in the sandbox, {start.bare_ms:.1f} ms bare, "
        f"{start.over_ms:.1f} ms over (fastest {start.fastest_over_ms:.1f}), {start.rounds} rounds"
    )
    for one in matches:
        print(
            f"{one.game}: {one.cpu_us_per_ply:.0f} us of cpu a ply, floor {one.floor_us_per_ply:.0f}, "
            f"ratio {one.ratio:.2f}; {one.matches_per_core_second:.1f} matches a core-second "
            f"(floor {one.floor_matches_per_core_second:.1f}); {one.plies:.0f} plies, {one.rounds} rounds"
        )
    if kaggle is None:
        print("kaggle-environments: not installed")
    else:
        ours = max(one.cpu_us_per_ply for one in matches)
        print(f"kaggle-environments: {kaggle:.0f} us of cpu a ply, {kaggle / ours:.1f} times ours")


if __name__ == "__main__":
    raise SystemExit(main())
