"""`python -m benchmarks.arena.before REVISION`: what a start and a ply cost now and at an earlier commit, in turn.

Both are measured against their own floor in the same minutes on the same machine, so a busy one spoils neither; what is
compared are the ratios to the floor, and the milliseconds over a bare start.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """The tree of a commit, with a runtime folder of its own; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="rumrunner-before-") as folder:
        tree = Path(folder) / "tree"
        os.chmod(folder, 0o755)  # noqa: S103 bots' users read here
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", tree, revision], cwd=ROOT, check=True)
        try:
            run(tree, "arena.sandbox.runtime")
            yield tree
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)


def run(tree: Path, module: str, *words: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    environment.pop("RUMRUNNER_RUNTIME", None)
    subprocess.run([sys.executable, "-m", module, *words], cwd=tree, env=environment, check=True, capture_output=True)


def figures_of(tree: Path, seconds: float) -> dict[str, Any]:
    module = "benchmarks.arena" if (tree / "benchmarks" / "arena").is_dir() else "arena.bench"
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        run(tree, module, "--seconds", str(seconds), "--json", file.name)
        found: dict[str, Any] = json.loads(Path(file.name).read_bytes())
        return found


def shown(name: str, now: list[float], before: list[float], unit: str) -> str:
    one, other = statistics.median(now), statistics.median(before)
    return f"{name}: {one:.2f}{unit} now, {other:.2f}{unit} before, {100 * (one / other - 1):+.1f} %"


def main() -> None:
    """Measure both in turn and print how they differ."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.arena.before", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("revision")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5.0, help="time for each measurement of a round")
    wanted = parser.parse_args()
    now: list[dict[str, Any]] = []
    before: list[dict[str, Any]] = []
    with checked_out(wanted.revision) as tree:
        for _ in range(wanted.rounds):
            now.append(figures_of(ROOT, wanted.seconds))
            before.append(figures_of(tree, wanted.seconds))
    over, over_before = ([one["start"]["over_ms"] for one in some] for some in (now, before))
    print(shown("start of a Python bot over a bare one", over, over_before, " ms"))
    for place, match in enumerate(now[0]["matches"]):
        for key, name in (("ply_ratio", "ply"), ("match_ratio", "match")):
            ratios, earlier = ([one["matches"][place][key] for one in some] for some in (now, before))
            print(shown(f"{match['game']}, {name} to its floor", ratios, earlier, ""))


if __name__ == "__main__":
    main()
