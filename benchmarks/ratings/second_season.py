"""The first matches of a second season: do intervals hold that begin with what the last season knew?"""

from __future__ import annotations

import os
from collections import defaultdict
from itertools import product

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")
os.environ.setdefault("OMP_NUM_THREADS", "1")
django.setup()

from benchmarks.ratings.measures import Measures, claim_of_fit, mean, measure  # noqa: E402
from benchmarks.ratings.playing import parser_of, played  # noqa: E402
from benchmarks.ratings.seasons import new_season  # noqa: E402
from benchmarks.ratings.worlds import WORLDS  # noqa: E402
from ladder.ratings.seasons import RULES_SD  # noqa: E402

FIRST_SEED = 100
FIRST_MATCHES = 40  # a bot, in the first season
MARKS = (2, 5, 10, 20, 40)
BOTS, NEWCOMERS = 40, 10
Case = tuple[str, float, float]  # a world, how far bots move between seasons, and how far new rules are believed to
CASES: tuple[Case, ...] = (
    ("plain", 0.0, 0.0),
    ("plain", 1.5, 0.0),
    ("plain", 3.0, 0.0),
    ("plain", 3.0, RULES_SD),
    ("plain", 6.0, RULES_SD),
    ("tight", 0.0, 0.0),
    ("cycle", 0.0, 0.0),
    ("fault", 0.0, 0.0),
    ("four seats", 0.0, 0.0),
    ("camps", 0.0, 0.0),
)
TwoMeasures = tuple[Measures, Measures]  # with priors, and as if everybody were new


def play(case: Case, seed: int) -> dict[int, TwoMeasures]:
    """One second season, measured at every mark with and without what was known before."""
    world, moved, widened = case
    season, found = new_season(WORLDS[world], seed=seed, bots=BOTS), {}
    season.play(matches_a_bot=FIRST_MATCHES)
    season.close(moved=moved, newcomers=NEWCOMERS, widened=widened)
    truth, priors = season.field.true_ratings(), season.priors
    for mark in MARKS:
        season.play(matches_a_bot=mark)
        both = []
        for season.priors in (priors, {}):
            both.append(measure(claim_of_fit(season.fit()), truth))
        found[mark] = (both[0], both[1])
    return found


def main() -> None:
    wanted = parser_of(__doc__, seasons=20).parse_args()
    orders = list(product(CASES, range(FIRST_SEED, FIRST_SEED + wanted.seasons)))
    cells: dict[tuple[Case, int], list[TwoMeasures]] = defaultdict(list)
    for (case, _), found in played(play, orders, wanted).items():
        for mark, pair in found.items():
            cells[case, mark].append(pair)
    print(
        f"{wanted.seasons} second seasons a line: {BOTS} known bots, {NEWCOMERS} new; if all were new → with priors\n"
    )
    print("| world | moved | new rules | matches a bot | coverage | places | width | off by |")
    print("|---|---|---|---|---|---|---|---|")
    for ((world, moved, widened), mark), pairs in cells.items():
        ours, fresh = mean([pair[0] for pair in pairs]), mean([pair[1] for pair in pairs])
        print(
            f"| {world} | {moved:g} | {'yes' if widened else ''} | {mark} | {fresh.coverage:.1%} → {ours.coverage:.1%} "
            f"| {fresh.places:.1%} → {ours.places:.1%} | {fresh.width:.1f} → {ours.width:.1f} "
            f"| {fresh.rmse:.2f} → {ours.rmse:.2f} |"
        )


if __name__ == "__main__":
    main()
