"""How right a table of ratings is, when the truth is known."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from arena.intervals import Z95
from benchmarks.ratings.seasons import Season
from benchmarks.ratings.worlds import MEAN, Floats
from ladder.ratings.fit import Fit

TOP = 5
DRAWS = 1000


@dataclass(frozen=True, slots=True)
class Measures:
    """Of one season, or the mean of several; shares from 0 to 1."""

    coverage: float  # of the 95 % intervals
    places: float  # true places in their 95 % interval
    width: float  # of the place intervals, in places
    rmse: float
    scale: float  # how much a true point is worth
    top_five: float  # whether the best five are the true ones
    of_five: float = 0.0  # how many of the true five are among them, as a share


def mean(many: list[Measures]) -> Measures:
    return Measures(*(float(np.mean([getattr(one, each.name) for one in many])) for each in fields(Measures)))


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a way of rating says of everyone."""

    rating: Floats
    sd: Floats
    place_low: Floats
    place_high: Floats


def claim_of_fit(found: Fit) -> Estimate:
    return Estimate(found.rating, found.sd, found.place_low.astype(float), found.place_high.astype(float))


def claim_of_trueskill(season: Season) -> Estimate:
    """Places from draws of its own normals, as if they were independent, which is what TrueSkill believes."""
    mu, sigma = season.trueskill()
    drawn = np.random.default_rng(len(season.sets)).normal(mu, sigma, (DRAWS, len(mu)))
    places = (-drawn).argsort(axis=1).argsort(axis=1) + 1
    low, high = np.quantile(places, (0.025, 0.975), axis=0, method="nearest")
    return Estimate(mu - mu.mean() + MEAN, sigma, low.astype(float), high.astype(float))


def measure(claim: Estimate, truth: Floats) -> Measures:
    place = (-truth).argsort().argsort() + 1
    five = set(np.argsort(-claim.rating)[:TOP]) & set(np.argsort(-truth)[:TOP])
    away = claim.rating - truth
    return Measures(
        coverage=float(np.mean(np.abs(away) <= Z95 * claim.sd)),
        places=float(np.mean((claim.place_low <= place) & (place <= claim.place_high))),
        width=float(np.mean(claim.place_high - claim.place_low)),
        rmse=float(np.sqrt(np.mean(away**2))),
        scale=float(np.polyfit(truth, claim.rating, 1)[0]),
        top_five=float(len(five) == TOP),
        of_five=len(five) / TOP,
    )


def newcomers_rmse(season: Season, *, count: int = 10, matches: int = 18) -> tuple[float, float]:
    """How far off new versions are after so many matches: TrueSkill's own, the fit's."""
    news = season.release(list(range(count)))
    season.play_newcomers(news, matches=matches)
    truth = season.field.true_ratings()
    mu, _ = season.trueskill()
    found = season.fit().rating
    away = [(rating - rating.mean() - truth + truth.mean())[news] for rating in (mu, found)]
    own, ours = (float(np.sqrt(np.mean(each**2))) for each in away)
    return own, ours
