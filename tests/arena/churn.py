"""What bots make the kernel do in nobody's name: `python -m tests.arena.churn`, as root, first on its core.

An act is void only when its bot worked for at most a third of the time and others had more of the core than itself: to
void it alone, a bot would have to make 100 ms of such time with every 100 ms of its own. This says how many it makes.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from arena import Limits, play
from arena.accounting import Stretch
from arena.match import RunningMatch
from arena.sandbox.leases import lease_core
from engines import GAMES
from tests.arena.blame_runner import before_others
from tests.arena.countdown import Countdown
from tests.arena.table import make_bot, order_of

BOTS = (
    "burns", "churns_threads", "churns_files", "churns_memory", "churns_pipes", "storms_futexes", "faults_pages",
    "flips_protection", "moves_memory", "multiplies", "writes_vectors", "reads_noise", "sets_alarms",
    "signals_itself", "yields", "asks_for_whole_pages", "floods_events", "breeds_threads", "tries_to_void",
)  # fmt: skip
LIMITS = Limits(start_ms=2_000, turn_ms=50, bank_ms=2_450, idle_act_ms=2_500, memory_mib=256, wall_ms=60_000)


def measured(name: str, core: int) -> Stretch:
    """The core over one match against a bot that is no trouble."""
    seen: list[Stretch] = []
    of_the_host = RunningMatch.host_facts

    def looked(match: RunningMatch, problem: str) -> object:
        seen.append(match.meter.counts().since(match.began))
        return of_the_host(match, problem)

    RunningMatch.host_facts = looked  # type: ignore[method-assign,assignment]
    try:
        with tempfile.TemporaryDirectory(prefix="rumrunner-churn-") as folder:
            Path(folder).chmod(0o755)
            bots = make_bot(Path(folder), "good"), make_bot(Path(folder), name)
            play(order_of(*bots, limits=LIMITS), {bot.digest: bot.folder for bot in bots}, core=core)
    finally:
        RunningMatch.host_facts = of_the_host  # type: ignore[method-assign]
    return seen[-1]


def main() -> None:
    """The least of several rounds, because nobody else's work is the bot's."""
    parser = argparse.ArgumentParser(prog="python -m tests.arena.churn", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    GAMES["countdown"] = Countdown()
    with before_others(), lease_core() as core:
        for name in BOTS:
            found = [measured(name, core) for _ in range(rounds)]
            least = min(found, key=lambda stretch: stretch.foreign_ms / stretch.wall_ms)
            own_ms = least.bot_ms + least.others_ms
            share, ratio = least.foreign_ms / least.wall_ms, least.foreign_ms / own_ms
            print(f"{name}: {least.foreign_ms:.0f} ms of {least.wall_ms:.0f}, {share:.1%}; {ratio:.2f} of its own time")


if __name__ == "__main__":
    main()
