"""The floor of the match benchmark: the same bots in the same arena, with no queue and no database around it."""

from __future__ import annotations

import sys
import time

import django

django.setup()

import arena  # noqa: E402
from arena import MatchOrder  # noqa: E402
from benchmarks.arena.starts import cpu_ms  # noqa: E402
from benchmarks.ladder.bots import GAME  # noqa: E402
from engines import GAMES  # noqa: E402
from ladder.submissions.bundles import unpacked  # noqa: E402


def main(digests: list[str], seconds: float) -> tuple[int, float]:
    """Play for so long; returns how many matches that were, and the processor time of all of it in ms."""
    folders = {digest: unpacked(digest) for digest in digests}
    order = MatchOrder(GAME, GAMES[GAME].rules_version, 0, tuple(digests))
    arena.play(order, folders)
    print("warm", flush=True)
    sys.stdin.readline()
    played, before, ends = 0, cpu_ms(), time.monotonic() + seconds
    while time.monotonic() < ends:
        order = MatchOrder(GAME, GAMES[GAME].rules_version, played, tuple(digests))
        assert not arena.play(order, folders).is_host_fault
        played += 1
    return played, cpu_ms() - before


if __name__ == "__main__":
    print(*main(sys.argv[2:], float(sys.argv[1])))
