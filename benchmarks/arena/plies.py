"""`python benchmarks/arena/plies.py`: cpu of runner and bots for a ply, in a match so long that its start is nothing.

Run by its path it measures whichever tree is first on PYTHONPATH, so that an earlier commit, which has no such file,
is measured by the same lines (see before.py).
"""

from __future__ import annotations

import os
import resource
import tempfile
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from arena.match import play
from arena.order import MatchOrder
from arena.sandbox.leases import lease_core

GAMES_A_MATCH = 150  # about 3,200 plies
HERE = "arena.bench" if find_spec("arena.bench") else "benchmarks.arena"  # where the tree keeps its benchmark


def cpu_s() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


def main() -> None:
    """Print the microseconds of cpu a ply."""
    program, games = import_module(f"{HERE}.__main__").BOT, import_module(f"{HERE}.games")
    digest = sha256(program.encode()).hexdigest()
    with tempfile.TemporaryDirectory(prefix="rumrunner-plies-") as folder:
        os.chmod(folder, 0o755)  # noqa: S103 bots' users read here
        Path(folder, "main.py").write_text(program)
        order = MatchOrder(game="connect_four", rules_version=1, seed=1, seats=(digest, digest))
        with games.on_the_table(games.ConnectFour(GAMES_A_MATCH)), lease_core():
            before = cpu_s()
            record = play(order, {digest: Path(folder)})
            took = cpu_s() - before
    if record.faults:
        raise SystemExit(f"the benchmark's own bot failed: {record.faults}")
    print(took / len(record.actions) * 1e6)


if __name__ == "__main__":
    main()
