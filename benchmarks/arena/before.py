"""`python -m benchmarks.arena.before REVISION`: what a start and a ply cost at the last commit and at an earlier one.

Both are checked out afresh and measured in turn, starts and matches against their own floor, so that a busy machine
spoils neither; a ply is measured in a long match. Starts are cold, as earlier commits know no others, unless
RUMRUNNER_STARTS says.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.revisions import checked_out

PLIES = Path(__file__).with_name("plies.py")


@contextmanager
def with_runtime(revision: str) -> Iterator[Path]:
    """The tree of a commit, with a sandbox folder of its own."""
    with checked_out(revision) as tree:
        run(tree, "arena.sandbox.runtime")
        yield tree


def run(tree: Path, module: str, *words: str) -> None:
    _told(tree, "-m", module, *words)


def _told(tree: Path, *words: str) -> str:
    """What Python prints in this tree."""
    environment = {"RUMRUNNER_STARTS": "cold", **os.environ, "PYTHONPATH": str(tree)}
    environment.pop("RUMRUNNER_RUNTIME", None)
    done = subprocess.run([sys.executable, *words], cwd=tree, env=environment, check=True, capture_output=True)
    return done.stdout.decode()


def figures_of(tree: Path, seconds: float) -> dict[str, Any]:
    """What the tree's own benchmark prints, and `ply_us`, which is measured by the same lines for every tree."""
    module = "benchmarks.arena" if (tree / "benchmarks" / "arena").is_dir() else "arena.bench"
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        run(tree, module, "--seconds", str(seconds), "--json", file.name)
        found: dict[str, Any] = json.loads(Path(file.name).read_bytes())
    return found | {"ply_us": float(_told(tree, str(PLIES)))}


def shown(name: str, now: list[float], before: list[float]) -> str:
    """Both medians, and how many times the one is the other: over the rounds, the median, the least and the most."""
    one, other = statistics.median(now), statistics.median(before)
    ratios = [later / earlier for later, earlier in zip(now, before, strict=True)]
    middle = statistics.median(ratios)
    spread = f"{min(ratios):.3f} to {max(ratios):.3f} over {len(ratios)} rounds"
    return f"{name}: {one:.2f} now, {other:.2f} before, {middle:.3f} times ({spread})"


def main() -> None:
    """Measure both in turn and print how they differ."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.arena.before", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("revision")
    parser.add_argument("--minutes", type=float, default=2.5, help="for how long rounds are begun; at least two are")
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each measurement of a round")
    wanted = parser.parse_args()
    now: list[dict[str, Any]] = []
    before: list[dict[str, Any]] = []
    with with_runtime("HEAD") as latest, with_runtime(wanted.revision) as earlier:
        until = time.monotonic() + 60 * wanted.minutes
        while len(now) < 2 or time.monotonic() < until:
            now.append(figures_of(latest, wanted.seconds))
            before.append(figures_of(earlier, wanted.seconds))
    starts, starts_before = (
        [one["start"]["sandbox_ms"] / one["start"]["bare_ms"] for one in some] for some in (now, before)
    )
    print(shown("start of a Python bot to a bare one", starts, starts_before))
    print(shown("ply, µs of cpu", *([one["ply_us"] for one in some] for some in (now, before))))
    for place, match in enumerate(now[0]["matches"]):
        ratios, ratios_before = ([one["matches"][place]["match_ratio"] for one in some] for some in (now, before))
        print(shown(f"{match['game']}, match to its floor", ratios, ratios_before))


if __name__ == "__main__":
    main()
