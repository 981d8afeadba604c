"""What the fit costs on ladders of any size: cpu and peak memory, without the database."""

from __future__ import annotations

import os
import resource
import sys
import time

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy comes

import django
import numpy as np

django.setup()

from ladder.ratings.fit import Evidence, Seatings, evidence_of, fit_evidence  # noqa: E402

SIZES = ((1_000, 10_000), (1_000, 100_000), (10_000, 100_000), (100_000, 1_000_000))


def ladder_of(bots: int, matches: int) -> Evidence:
    """Sets of two matches between bots drawn at random."""
    rng = np.random.default_rng(1)
    skill, sets = rng.normal(25, 6, bots), matches // 2
    one = rng.integers(0, bots, sets)
    other = (one + rng.integers(1, bots, sets)) % bots
    players = np.stack([one, other, other, one], axis=1).reshape(-1, 2)
    is_won = skill[players[:, 0]] - skill[players[:, 1]] + rng.normal(0, 25 / 6 * np.sqrt(2), len(players)) > 0
    ranks = np.where(is_won[:, None], [1, 2], [2, 1])
    places = np.tile([0, 1], (len(players), 1))
    return evidence_of(bots, Seatings(players, places, ranks, np.repeat(np.arange(sets), 2)), sets=sets)


def main() -> None:
    """One line a size; each should have a process of its own, for the memory's sake."""
    given = [int(float(word)) for word in sys.argv[1:]]
    print("| bots | matches | cpu | peak memory |\n|---|---|---|---|")
    for bots, matches in [tuple(given)] if given else SIZES:
        began = time.process_time()
        fit_evidence(ladder_of(bots, matches), seed=1)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"| {bots:,} | {matches:,} | {time.process_time() - began:.1f} s | {peak:,.0f} MiB |", flush=True)


if __name__ == "__main__":
    main()
