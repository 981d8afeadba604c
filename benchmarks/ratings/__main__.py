"""Seasons in every world, and the table of docs/14-ratings.md."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from copy import deepcopy
from dataclasses import dataclass
from itertools import product

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")
os.environ.setdefault("OMP_NUM_THREADS", "1")
django.setup()

from benchmarks.ratings.measures import (  # noqa: E402
    Measures,
    claim_of_fit,
    claim_of_trueskill,
    mean,
    measure,
    newcomers_rmse,
)
from benchmarks.ratings.playing import parser_of, played  # noqa: E402
from benchmarks.ratings.seasons import new_season  # noqa: E402
from benchmarks.ratings.worlds import WORLDS  # noqa: E402

FIRST_SEED = 100  # no choice in the fit was made by looking at these seasons
SEASONS = 30
GOALS = {"cycle": "≥ 92", "fault": "≥ 90", "four seats": "≥ 90"} | dict.fromkeys(
    ("wild", "taste", "clones", "camps", "tails"), ""
)
Of = dict[int, tuple[Measures, Measures]]  # by matches a bot: TrueSkill's own, the fit's


@dataclass(frozen=True, slots=True)
class MeasuredSeason:
    """One season as it was measured."""

    found: Of
    newcomers: tuple[float, float] | None  # how far off new versions were (in the plain world)


def play(world_name: str, seed: int) -> MeasuredSeason:
    """One season: measured at every mark, then with new versions (in the plain world)."""
    world = WORLDS[world_name]
    season, found = new_season(world, seed=seed), Of()
    newcomers = None
    for mark in world.marks:
        season.play(matches_a_bot=mark)
        truth = season.field.true_ratings()
        found[mark] = (measure(claim_of_trueskill(season), truth), measure(claim_of_fit(season.fit()), truth))
        if world_name == "plain" and mark == 78:
            newcomers = newcomers_rmse(deepcopy(season))
    return MeasuredSeason(found, newcomers)


def main() -> int:
    parser = parser_of(__doc__, seasons=SEASONS)
    parser.add_argument("worlds", nargs="*", help=f"of {', '.join(WORLDS)}; all unless said")
    wanted = parser.parse_args()
    if unknown := set(wanted.worlds) - set(WORLDS):
        print(f"There is no world {', '.join(sorted(unknown))}; choose from {', '.join(WORLDS)}.", file=sys.stderr)
        return 2
    orders = list(product(wanted.worlds or WORLDS, range(FIRST_SEED, FIRST_SEED + wanted.seasons)))
    seasons = played(play, orders, wanted)
    cells: dict[tuple[str, int], list[tuple[Measures, Measures]]] = defaultdict(list)
    for name, seed in orders:
        for mark, pair in seasons[name, seed].found.items():
            cells[name, mark].append(pair)
    print_table(cells, wanted.seasons)
    if newcomers := [each.newcomers for each in seasons.values() if each.newcomers]:
        own, ours = (sum(side) / len(newcomers) for side in zip(*newcomers, strict=True))
        print(f"\nA new version after 18 matches is off by {ours:.2f} (goal 1.6; TrueSkill's own {own:.2f}).")
    return 0


def print_table(cells: dict[tuple[str, int], list[tuple[Measures, Measures]]], seasons: int) -> None:
    """TrueSkill's own before ours in each column."""
    print(f"{seasons} seasons of 50 bots a line; TrueSkill's own → the fit's\n")
    print("| world | matches a bot | goal | coverage | places | width | off by | scale | top five right |")
    print("|---|---|---|---|---|---|---|---|---|")
    for (name, mark), pairs in cells.items():
        own, ours = mean([pair[0] for pair in pairs]), mean([pair[1] for pair in pairs])
        goal = "≥ 90" if mark == 20 else GOALS.get(name, "93 to 97")
        print(
            f"| {name} | {mark} | {goal} | {own.coverage:.1%} → {ours.coverage:.1%} "
            f"| {own.places:.1%} → {ours.places:.1%} "
            f"| {own.width:.1f} → {ours.width:.1f} | {own.rmse:.2f} → {ours.rmse:.2f} "
            f"| {own.scale:.2f} → {ours.scale:.2f} | {own.top_five:.0%} → {ours.top_five:.0%} |",
            flush=True,
        )


if __name__ == "__main__":
    raise SystemExit(main())
