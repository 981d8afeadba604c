"""The fit: ratings of all players at once, how sure they are, and how much the places in turn order matter."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arena.intervals import Z95
from ladder.ratings.fit.evidence import Evidence, Floats, Ints, InvalidMatches
from ladder.ratings.fit.intransitivity import p_intransitive
from ladder.ratings.fit.mixture import mixture_of
from ladder.ratings.fit.model import Model, Past

Priors = Mapping[int, tuple[float, float]]  # by player: a rating and its standard deviation


@dataclass(frozen=True, slots=True)
class Fit:
    """Everything by player unless it says otherwise; the draws are joint, a row each."""

    rating: Floats
    sd: Floats
    low: Floats
    high: Floats
    place_low: Ints
    place_high: Ints
    p_first: Floats
    draws: Floats
    place_effects: Floats  # by place in turn order
    place_effects_sd: Floats
    phi_set: float
    phi_between: float
    p_intransitive: float
    field_sd: float
    link_sd: float
    moved_sd: float  # of players with a prior, since then
    matches: Ints


def fit_evidence(
    evidence: Evidence,
    *,
    links: Mapping[int, int] | None = None,
    anchors: Sequence[int] = (),
    seed: int = 0,
    draws: int = 400,
    start: Floats | None = None,
    priors: Priors | None = None,
) -> Fit:
    """Fit all matches at once; `start` are ratings to begin from. Raises InvalidMatches or FitFailed.

    `priors` are what was known of players before, such as by the last season; how far they moved since is estimated.
    """
    past = _past(evidence.players, priors or {}, links or {})
    model = Model(evidence, _link_columns(evidence.players, links or {}), past, seed=seed, start=start)
    _check_players(evidence.players, anchors, "anchor")
    if draws < 2:
        raise InvalidMatches(f"{draws} draws tell no interval; ask for at least 2")
    model.settle()
    return _result(model, anchors=np.array(sorted(set(anchors)), dtype=np.int64), draws=draws)


def _check_players(players: int, named: Sequence[int], what: str) -> None:
    for player in named:
        if not 0 <= player < players:
            raise InvalidMatches(f"{what} {player} is not a player; players are 0 to {players - 1}")


def _link_columns(players: int, links: Mapping[int, int]) -> tuple[Ints, Ints]:
    """New and old versions; raises InvalidMatches where a version would follow itself."""
    _check_players(players, [*links.keys(), *links.values()], "linked player")
    settled: set[int] = set()
    for newest in links:
        chain, at = set(), newest
        while at in links and at not in settled:
            if at in chain:
                raise InvalidMatches(f"player {at} follows itself in the links")
            chain.add(at)
            at = links[at]
        settled |= chain
    new, old = np.array(list(links.keys()), dtype=np.int64), np.array(list(links.values()), dtype=np.int64)
    return new, old


def _past(players: int, priors: Priors, links: Mapping[int, int]) -> Past:
    """What was known before as columns; raises InvalidMatches where it can't be."""
    _check_players(players, list(priors), "a prior's player")
    for player, (mean, sd) in priors.items():
        if not (math.isfinite(mean) and math.isfinite(sd) and sd > 0):
            raise InvalidMatches(f"the prior of player {player} is {mean} ± {sd}; it needs finite numbers, sd above 0")
        if player in links:
            raise InvalidMatches(f"player {player} has a prior and a version before it; leave one of them out")
    columns = np.array(list(priors.values()), dtype=np.float64).reshape(-1, 2)
    return Past(np.array(list(priors), dtype=np.int64), columns[:, 0], columns[:, 1])


def _result(model: Model, *, anchors: Ints, draws: int) -> Fit:
    """What the leaderboard wants to know; anchors (or else the field) have a mean of 25 in every draw."""
    n = model.evidence.players
    mixture = mixture_of(model, anchors if len(anchors) else np.flatnonzero(model.roots))
    drawn = mixture.draws(model.rng, draws)
    drawn, places = drawn[:, :n], drawn[:, n:]
    rating, effects = mixture.middle[:n], mixture.middle[n:]
    sd = mixture.sd() if mixture.best.is_small else drawn.std(axis=0)
    low, high, first = places_of_draws(drawn)
    return Fit(
        rating=rating, sd=sd, low=rating - Z95 * sd, high=rating + Z95 * sd,
        place_low=low, place_high=high, p_first=first, draws=drawn,
        place_effects=effects, place_effects_sd=places.std(axis=0),
        phi_set=model.beliefs.phi_set, phi_between=model.beliefs.phi_between,
        p_intransitive=p_intransitive(model, mixture.best),
        field_sd=model.beliefs.field_sd, link_sd=model.link_sd, moved_sd=model.beliefs.moved_sd,
        matches=model.evidence.matches,
    )  # fmt: skip


def places_of_draws(drawn: Floats) -> tuple[Ints, Ints, Floats]:
    """The place of each player in 95 of 100 draws, and how often it is first."""
    count, n = drawn.shape
    places = np.empty((count, n), dtype=np.int32)
    for row, values in zip(places, drawn, strict=True):
        row[np.argsort(-values, kind="stable")] = np.arange(1, n + 1)
    places.sort(axis=0)
    first = np.count_nonzero(places == 1, axis=0) / count
    cut = 0.025 * (count - 1)
    return places[math.floor(cut)].astype(np.int64), places[math.ceil(count - 1 - cut)].astype(np.int64), first
