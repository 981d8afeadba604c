"""How many matches until the top five are right: pairing by mu alone, and the ladder's own mix.

`python -m benchmarks.ratings.pairing` prints the table of docs/6-ladder.md; the seasons are the same for both ways, and
tables are chosen by the service's own function. The field is fitted anew whenever it has grown by a fifth; the service
does so more often.
"""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import product

import django
import numpy as np

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")
os.environ.setdefault("OMP_NUM_THREADS", "1")
django.setup()

from benchmarks.ratings.measures import Measures, claim_of_fit, mean, measure  # noqa: E402
from benchmarks.ratings.playing import parser_of, played  # noqa: E402
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
        found[mark] = measure(claim_of_fit(fit), truth)
        pairing.learn(fit, _matches(season))
    return found


def first_right(seasons: list[dict[int, Measures]]) -> str:
    """After how many matches a bot half of the seasons have the top five right."""
    for mark in MARKS:
        if np.mean([season[mark].top_five for season in seasons]) >= 0.5:
            return str(mark)
    return f"over {MARKS[-1]}"


def main() -> None:
    parser = parser_of(__doc__, seasons=20)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED)
    wanted = parser.parse_args()
    seeds = range(wanted.first_seed, wanted.first_seed + wanted.seasons)
    orders = [(world, way, seed) for seed, world, way in product(seeds, CASES, wanted.ways)]
    known = played(play, orders, wanted)
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
