"""How many matches until the top five are right: pairing by mu alone, and the ladder's own mix.

`python -m benchmarks.ratings.pairing` prints the table of docs/6-ladder.md; the seasons are the same for both ways, and
tables are chosen by the service's own function. The field is fitted anew whenever it has grown by a fifth; the service
does so more often.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path

import django
import numpy as np

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")
os.environ.setdefault("OMP_NUM_THREADS", "1")
django.setup()

from benchmarks.ratings.measures import Estimate, Measures, mean, measure  # noqa: E402
from benchmarks.ratings.seasons import ENDLESS, Season, new_season  # noqa: E402
from benchmarks.ratings.worlds import WORLDS  # noqa: E402
from ladder.matchmaking.doubt import Doubt  # noqa: E402
from ladder.matchmaking.pairing import BEST, Contender, choose_tables  # noqa: E402
from ladder.ratings.fit import Fit  # noqa: E402
from ladder.ratings.models import RANKED_MATCHES  # noqa: E402

FIRST_SEED = 300
MARKS = (10, 20, 40, 60, 80, 120)  # matches a bot after which it is measured
CASES = ("plain", "tight", "cycle")
AIMS = replace(ENDLESS, fewest_matches=RANKED_MATCHES)
WAYS = ("by mu", "mix")
REFIT = 1.2  # times the matches of the last fit make the next one due


@dataclass
class Pairing:
    """How the next table of a season is chosen, and what is known for it."""

    is_mix: bool
    doubt: Doubt | None = None
    fitted: int = 0  # matches that the last fit knew

    def go_on(self, season: Season, *, matches: float) -> None:
        """Play until there are so many matches, fitting the field as it grows."""
        while (played := _matches(season)) < matches:
            if self.is_mix and self.fitted and played >= REFIT * self.fitted:
                self.learn(season.fit(), played)
            season.play_set(self.table(season))

    def learn(self, fit: Fit, played: int) -> None:
        """Go on with what a new fit knows."""
        phi = fit.phi_set + fit.phi_between
        self.fitted, self.doubt = played, Doubt(range(len(fit.rating)), fit.draws, best=BEST, phi=phi)

    def table(self, season: Season) -> tuple[int, ...]:
        bots = [Contender(b, season.skills[b].mu, season.skills[b].sigma, season.played[b]) for b in season.active]
        doubt = self.doubt if self.is_mix else None
        return choose_tables(bots, seats=season.world.seats, count=1, aims=AIMS, rng=season.pairing, doubt=doubt)[0]


def _matches(season: Season) -> int:
    return sum(map(len, season.sets))


def play(world: str, way: str, seed: int) -> dict[int, Measures]:
    """One season, measured by the fit at every mark."""
    season, pairing, found = new_season(WORLDS[world], seed=seed), Pairing(is_mix=way == "mix"), {}
    truth = season.field.true_ratings()
    for mark in MARKS:
        pairing.go_on(season, matches=mark * len(season.played) / season.world.seats)
        fit = season.fit()
        claim = Estimate(fit.rating, fit.sd, fit.place_low.astype(float), fit.place_high.astype(float))
        found[mark] = measure(claim, truth)
        pairing.learn(fit, _matches(season))
    return found


def kept(path: Path | None) -> dict[tuple[str, str, int], dict[int, Measures]]:
    """Seasons that were played before."""
    lines = path.read_text().splitlines() if path and path.exists() else []
    return {
        (world, way, seed): {int(mark): Measures(**each) for mark, each in found.items()}
        for world, way, seed, found in map(json.loads, lines)
    }


def first_right(seasons: list[dict[int, Measures]]) -> str:
    """After how many matches a bot half of the seasons have the top five right."""
    for mark in MARKS:
        if np.mean([season[mark].top_five for season in seasons]) >= 0.5:
            return str(mark)
    return f"over {MARKS[-1]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--seasons", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=Path, help="a file in which seasons are kept; those in it are not played again")
    wanted = parser.parse_args()
    seeds = range(wanted.first_seed, wanted.first_seed + wanted.seasons)
    orders = [(world, way, seed) for seed, world, way in product(seeds, CASES, wanted.ways)]
    known = kept(wanted.keep)
    missing = [order for order in orders if order not in known]
    with ProcessPoolExecutor(wanted.processes) as pool:
        for order, found in zip(missing, pool.map(play, *zip(*missing, strict=True)) if missing else (), strict=True):
            known[order] = found
            if wanted.keep:
                with wanted.keep.open("a") as file:
                    file.write(json.dumps([*order, {mark: asdict(each) for mark, each in found.items()}]) + "\n")
    cells: dict[tuple[str, str], list[dict[int, Measures]]] = defaultdict(list)
    for world, way in product(CASES, wanted.ways):
        cells[world, way] = [known[world, way, seed] for seed in seeds]
    print_table(cells, wanted.seasons)


def print_table(cells: dict[tuple[str, str], list[dict[int, Measures]]], seasons: int) -> None:
    """A line for each world and way; then how much better the second way is over all of them."""
    print(f"{seasons} seasons of 50 bots a line\n")
    marks = ", ".join(map(str, MARKS[1:]))
    print(f"| world | pairing | half right after | top five right after {marks} | of the true five found | off by |")
    print("|---|---|---|---|---|---|")
    for (world, way), found in cells.items():
        at = [mean([season[mark] for season in found]) for mark in MARKS[1:]]
        right, five = (
            ", ".join(f"{100 * value:.0f}" for value in column)
            for column in ([each.top_five for each in at], [each.of_five for each in at])
        )
        off = ", ".join(f"{each.rmse:.2f}" for each in at)
        print(f"| {world} | {way} | {first_right(found)} | {right} % | {five} % | {off} |")
    if len({way for _, way in cells}) == 2:
        for name in ("top_five", "of_five", "rmse"):
            print(f"{name}: {gained(cells, name)}")


def gained(cells: dict[tuple[str, str], list[dict[int, Measures]]], name: str) -> str:
    """How much more of a measure the second way has, over all worlds and marks, with its standard error by seasons."""
    worlds = {world for world, _ in cells}
    one, other = (
        np.array(
            [[[getattr(season[mark], name) for mark in MARKS[1:]] for season in cells[world, way]] for world in worlds]
        )
        for way in WAYS
    )
    by_season = (other - one).mean(axis=2).ravel()
    return f"{by_season.mean():+.3f} ± {by_season.std() / max(len(by_season) - 1, 1) ** 0.5:.3f}"


if __name__ == "__main__":
    main()
