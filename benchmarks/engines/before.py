"""`python -m benchmarks.engines.before REVISION`: what moves, `restore` and `imagine` cost now and earlier.

The last commit and the earlier one are checked out afresh and take turns, each turn a process of its own; what counts
is the cpu time of the fastest turn, so that a busy machine spoils neither. A first world is imagined from an
observation not seen before.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.engines import acts
from engines import GAMES
from engines.__main__ import number
from engines.compiled import SETTING

ROOT = Path(__file__).resolve().parents[2]
Figures = dict[str, dict[str, float]]  # by game and seats, and by what was done


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """The tree of a commit; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="rumrunner-before-") as folder:
        tree = Path(folder) / "tree"
        os.chmod(folder, 0o755)  # noqa: S103 bots' users read here
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", tree, revision], cwd=ROOT, check=True)
        try:
            yield tree
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)


def turn(tree: Path, names: list[str], passes: int) -> Figures:
    """The figures of the engines of one tree, in plain Python."""
    environment = {**os.environ, "PYTHONPATH": str(tree), SETTING: "pure"}
    command = [sys.executable, "-P", acts.__file__, *names, "--passes", str(passes)]
    done = subprocess.run(command, cwd=tree, env=environment, stdout=subprocess.PIPE, check=True)
    found: Figures = json.loads(done.stdout)
    return found


def fastest(turns: list[Figures]) -> Figures:
    return {table: {act: min(one[table][act] for one in turns) for act in turns[0][table]} for table in turns[0]}


def compared(now: Figures, before: Figures) -> str:
    """A table with both figures and how many times the one is the other."""
    lines = [f"{'game':15}{'what':15}{'before µs':>12}{'now µs':>12}{'times':>8}"]
    for table, figures in now.items():
        for act, later in figures.items():
            earlier = before[table][act]
            lines.append(f"{table:15}{act:15}{earlier:12,.2f}{later:12,.2f}{later / earlier:8.3f}")
    return "\n".join(lines)


def main(words: list[str] | None = None) -> None:
    """Let both take turns and print how they differ."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.engines.before", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("revision")
    parser.add_argument("--game", choices=sorted(GAMES), metavar="GAME", help="only this game")
    parser.add_argument("--turns", type=number(1, 1000), default=5, help="how many turns each takes (default 5)")
    parser.add_argument("--passes", type=number(1, 1000), default=3, help="over all positions in a turn (default 3)")
    wanted = parser.parse_args(words)
    names = [wanted.game] if wanted.game else list(GAMES)
    with checked_out("HEAD") as latest, checked_out(wanted.revision) as earlier:
        rounds = [[turn(tree, names, wanted.passes) for tree in (earlier, latest)] for _ in range(wanted.turns)]
    before, now = (fastest(list(turns)) for turns in zip(*rounds, strict=True))
    print(compared(now, before))


if __name__ == "__main__":
    main()
