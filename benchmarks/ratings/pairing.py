"""How many matches until the top five are right: the ladder's pairing, by chance, and half of the tables by gain.

`python -m benchmarks.ratings.pairing` prints the table of docs/6-ladder.md; the seasons are the same for every way.
Two gains are tried: of a pair on its own (`gain`), and of all ratings through what they have in common, planned anew
after each table (`plan`).
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path
from random import Random

import django
import numpy as np

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")
os.environ.setdefault("OMP_NUM_THREADS", "1")
django.setup()

from benchmarks.ratings.measures import Estimate, Measures, mean, measure  # noqa: E402
from benchmarks.ratings.seasons import ENDLESS, Season, new_season  # noqa: E402
from benchmarks.ratings.worlds import WORLDS, Floats  # noqa: E402
from ladder.matchmaking.pairing import Contender, choose_tables  # noqa: E402
from ladder.ratings.fit import Fit  # noqa: E402
from ladder.ratings.models import BETA  # noqa: E402

FIRST_SEED = 300
MARKS = (10, 20, 30, 40, 60, 80, 100, 120)  # matches a bot; the field is fitted anew at each
TOP = 10
AMONG = 5  # opponents by gain are drawn among so many of the best, so that no pair meets for ever
CASES = ("plain", "tight", "cycle")


@dataclass
class PairingRule:
    """How the next table of a season is chosen: shares by gain and by chance, the others by the ladder's rule."""

    gain: float = 0.0
    chance: float = 0.0
    is_planned: bool = False
    fit: Fit | None = None
    met: Counter[tuple[int, int]] = field(default_factory=Counter)  # sets since the last fit
    covariance: Floats = field(default_factory=lambda: np.zeros((0, 0)))  # as it will be when these are played

    def learn(self, fit: Fit) -> None:
        """Go on with what a new fit knows."""
        self.fit, self.met, self.covariance = fit, Counter(), np.cov(fit.draws.T)

    def table(self, season: Season, rng: Random) -> tuple[int, ...]:
        luck = rng.random()
        if luck < self.chance:
            return tuple(rng.sample(season.active, 2))
        if self.fit is not None and luck < self.chance + self.gain:
            return self._planned(self.fit, rng) if self.is_planned else self._by_gain(self.fit, rng)
        bots = [Contender(b, season.skills[b].mu, season.skills[b].sigma, season.played[b]) for b in season.active]
        return choose_tables(bots, seats=2, count=1, aims=ENDLESS, rng=rng)[0]

    def _by_gain(self, fit: Fit, rng: Random) -> tuple[int, ...]:
        """Who has the most to gain, and one of those against whom."""
        one = int(np.argmax(fit.sd * self._stake(fit)))
        worth = self._worth(fit, one)
        best = np.argsort(-worth)[:AMONG].tolist()
        other = int(rng.choice([bot for bot in best if bot != one]))
        self.met[one, other] += 1
        self.met[other, one] += 1
        return (one, other)

    def _planned(self, fit: Fit, rng: Random) -> tuple[int, ...]:
        """The pair whose set takes away the most doubt of all ratings together, each weighed by what is at stake."""
        now, far = self.covariance, (fit.rating[:, None] - fit.rating) / BETA
        known = 2 * np.exp(-(far**2) / 2) / (np.pi * BETA**2)  # by a set of two matches
        doubt = np.add.outer(np.diag(now), np.diag(now)) - 2 * now
        felt = (now * open_places(fit)) @ now
        worth = known * (np.add.outer(np.diag(felt), np.diag(felt)) - 2 * felt) / (1 + known * doubt)
        one, other = np.unravel_index(int(np.argmax(worth)), worth.shape)
        way = now[:, one] - now[:, other]
        self.covariance = now - np.outer(way, way) * known[one, other] / (1 + known[one, other] * doubt[one, other])
        return tuple(rng.sample([int(one), int(other)], 2))

    def _stake(self, fit: Fit) -> Floats:
        """More where it is open who is among the best; less for who has met many since the last fit."""
        seen = np.zeros(len(fit.rating))
        for (one, _), sets in self.met.items():
            seen[one] += sets
        return np.asarray(open_places(fit) / (1 + seen))

    def _worth(self, fit: Fit, one: int) -> Floats:
        """log(1 + information x variance of the gap), less what was played since the fit."""
        gap = fit.draws - fit.draws[:, [one]]
        far = (fit.rating - fit.rating[one]) / BETA
        information = np.exp(-(far**2) / 2) / (np.pi * BETA**2)
        played = np.array([self.met[one, other] for other in range(len(far))])
        return np.asarray(np.log1p(information * gap.var(axis=0) / (1 + played)))


def open_places(fit: Fit) -> Floats:
    """How much each rating matters: five times as much where a place among the best is wholly open."""
    in_top = np.mean(fit.draws >= np.sort(fit.draws, axis=1)[:, [-TOP]], axis=0)
    return np.asarray(1 + 4 * 4 * in_top * (1 - in_top))


WAYS: dict[str, Callable[[], PairingRule]] = {
    "ladder": PairingRule,
    "chance": lambda: PairingRule(chance=1.0),
    "gain": lambda: PairingRule(gain=0.5, chance=0.1),
    "plan": lambda: PairingRule(gain=0.5, chance=0.1, is_planned=True),
}


def play(world: str, way_name: str, seed: int) -> dict[int, Measures]:
    """One season, measured by the fit at every mark."""
    season, way, rng, found = new_season(WORLDS[world], seed=seed), WAYS[way_name](), Random(seed), {}
    truth = season.field.true_ratings()
    for mark in MARKS:
        while sum(season.played) < mark * len(season.played):
            season.play_set(way.table(season, rng))
        fit = season.fit()
        claim = Estimate(fit.rating, fit.sd, fit.place_low.astype(float), fit.place_high.astype(float))
        found[mark] = measure(claim, truth)
        way.learn(fit)
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
    """A line for each world and way."""
    print(f"{seasons} seasons of 50 bots a line\n")
    print("| world | pairing | half of the seasons right after | right after 40, 80, 120 | off by after 40, 80, 120 |")
    print("|---|---|---|---|---|")
    for (world, way), found in cells.items():
        at = [mean([season[mark] for season in found]) for mark in (40, 80, 120)]
        right = ", ".join(f"{each.top_five:.0%}" for each in at)
        print(f"| {world} | {way} | {first_right(found)} | {right} | {', '.join(f'{each.rmse:.2f}' for each in at)} |")


if __name__ == "__main__":
    main()
