"""The fit: ratings of all players at once, how sure they are, and how much the places in turn order matter."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ladder.ratings.fit.dispersion import FLOOR, Grouping, Scores, chemistry, phi_of_sets
from ladder.ratings.fit.evidence import Evidence, FitMatch, Floats, Ints, InvalidMatches, evidence_of
from ladder.ratings.fit.intransitivity import p_intransitive
from ladder.ratings.fit.solving import Precision

MEAN = 25.0
BETA = 25.0 / 6
LOGISTIC = 1.65  # a logistic curve this steep is the normal one to within 0.015
NORMAL_95 = 1.959964
PLACE_SD = BETA  # of what a place in turn order may be worth, before a match was played
FIELD_SD, FIELD_WEIGHT = 6.0, 3.0  # what is believed of a field's spread, worth so many players
LINK_SD, LINK_WEIGHT = 1.5, 3.0  # and of the step from one version to the next
MOST_MARGIN = 3.0  # 90 % draws between equals: where nearly all is drawn, draws tell nothing of a margin
MARGIN_STEPS = 3
FAR = 30.0  # nothing is less likely than this
ROUNDS = 4  # of scatter and spread, each with a fit of its own
SPREAD_STEPS = 4
NEWTON_STEPS = 50
NEWTON_ENOUGH = 1e-6


class FitFailed(ArithmeticError):
    """The fit came to no finite end."""


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
    matches: Ints


@dataclass(frozen=True, slots=True)
class Beliefs:
    """How strongly results count, and how far players and versions lie apart."""

    phi_set: float = 1.0
    phi_between: float = 0.0
    field_sd: float = FIELD_SD
    link_sd: float = LINK_SD
    chemistry: float = 0.0  # variance of a pair's gap that no rating holds
    draw_margin: float = 0.0  # how near two performances are when nobody wins, on the logistic curve

    @property
    def slope(self) -> float:
        """How steep the curve is, which chemistry flattens."""
        return LOGISTIC / math.sqrt(2 * BETA**2 + self.chemistry)

    @property
    def phi(self) -> float:
        return max(FLOOR, self.phi_set + self.phi_between)


def fit(
    *,
    players: int,
    sets: Sequence[Sequence[FitMatch]],
    links: Mapping[int, int] | None = None,
    anchors: Sequence[int] = (),
    seed: int = 0,
    draws: int = 400,
    start: Floats | None = None,
) -> Fit:
    """Fit all matches at once; `start` are ratings to begin from. Raises InvalidMatches or FitFailed."""
    evidence = evidence_of(players, sets)
    return fit_evidence(evidence, links=links, anchors=anchors, seed=seed, draws=draws, start=start)


def fit_evidence(
    evidence: Evidence,
    *,
    links: Mapping[int, int] | None = None,
    anchors: Sequence[int] = (),
    seed: int = 0,
    draws: int = 400,
    start: Floats | None = None,
) -> Fit:
    """The same from columns."""
    model = Model(evidence, _link_columns(evidence.players, links or {}), seed=seed, start=start)
    _check_players(evidence.players, anchors, "anchor")
    if draws < 2:
        raise InvalidMatches(f"{draws} draws tell no interval; ask for at least 2")
    model.settle()
    return model.result(anchors=np.array(sorted(set(anchors)), dtype=np.int64), draws=draws)


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


class Model:
    """The likelihood of all rows, the beliefs around it, and the most probable ratings under both."""

    def __init__(self, evidence: Evidence, links: tuple[Ints, Ints], *, seed: int, start: Floats | None) -> None:
        self.evidence = evidence
        self.grouping = Grouping(evidence)
        self.rng = np.random.default_rng(seed)
        self.beliefs = Beliefs()
        self._new, self._old = links
        self._roots = np.ones(evidence.players, dtype=bool)
        self._roots[self._new] = False
        self._x = np.zeros(evidence.players + evidence.places)
        self._x[: evidence.players] = MEAN if start is None else start

    def settle(self) -> None:
        """Fit, then scatter and spread, then fit again, until beliefs and ratings agree."""
        for _ in range(ROUNDS):
            precision = self._climb()
            drawn = precision.draws(self.rng, self._probes())[:, : self.evidence.players]
            self._spread(drawn)
            self._scatter(drawn)
        self._precision = self._climb()

    def _climb(self) -> Precision:
        """Newton's way to the most probable parameters; the precision there."""
        for _ in range(NEWTON_STEPS):
            scores = self.scores()
            precision = self._precision_at(scores)
            step = precision.solve(self._gradient(scores, precision))
            # a step of more than a few beta leaves the region where the curve is known
            self._x += step * min(1.0, 3 * BETA / max(float(np.abs(step).max()), 1e-12))
            if not np.isfinite(self._x).all():
                raise FitFailed(f"ratings of {self.evidence.players} players ran away")
            if float(np.abs(step).max()) < NEWTON_ENOUGH * BETA:
                return precision
        raise FitFailed(f"no end after {NEWTON_STEPS} steps over {self.evidence.rows} pairs")

    def scores(self) -> Scores:
        """Of every row at the present parameters."""
        e, slope, margin = self.evidence, self.beliefs.slope, self.beliefs.draw_margin
        gap = self._gaps()
        if not margin:
            share = _logistic(gap)
            return Scores(slope * e.weight * (e.won - share), slope**2 * e.weight * share * (1 - share))
        win, no_loss = _logistic(gap - margin), _logistic(gap + margin)
        share = (win + no_loss) / 2
        growth = slope * (win * (1 - win) + no_loss * (1 - no_loss)) / 2
        sure = e.weight * growth / (share * (1 - share))
        return Scores(sure * (e.won - share), sure * growth)

    def _gaps(self) -> Floats:
        """How far the first of each row stands above the second, on the logistic curve."""
        e, x = self.evidence, self._x
        gap = x[e.one] - x[e.other] + x[e.players + e.one_place] - x[e.players + e.other_place]
        return np.asarray(np.clip(self.beliefs.slope * gap, -FAR, FAR))

    def _draw_margin(self) -> float:
        """The margin with which as many draws are expected as there were, by a few steps of Newton's."""
        e, gap, margin = self.evidence, self._gaps(), self.beliefs.draw_margin
        drawn = float(e.weight[e.won == 0.5].sum())
        if not drawn:
            return 0.0
        for _ in range(MARGIN_STEPS):
            win, no_loss = _logistic(gap - margin), _logistic(gap + margin)
            missing = drawn - float(e.weight @ (no_loss - win))
            margin += missing / float(e.weight @ (no_loss * (1 - no_loss) + win * (1 - win)))
            margin = min(max(margin, 0.0), MOST_MARGIN)
        return margin

    def _gradient(self, scores: Scores, precision: Precision) -> Floats:
        e, pull = self.evidence, scores.pull / self.beliefs.phi
        n, k = e.players, e.places
        by_player = np.bincount(e.one, pull, n) - np.bincount(e.other, pull, n)
        by_place = np.bincount(e.one_place, pull, k) - np.bincount(e.other_place, pull, k)
        gradient = np.concatenate([by_player, by_place], dtype=np.float64)
        away = self._x.copy()
        away[:n] -= MEAN
        gradient -= precision.own * away
        step = (self._x[self._new] - self._x[self._old]) / self.beliefs.link_sd**2
        gradient[:n] -= np.bincount(self._new, step, n) - np.bincount(self._old, step, n)
        return np.asarray(gradient)

    def _precision_at(self, scores: Scores) -> Precision:
        e, h = self.evidence, scores.information / self.beliefs.phi
        n, k = e.players, e.places
        pair_of, one, other = self.grouping.pairs
        border = (
            np.bincount(e.one * k + e.one_place, h, n * k)
            - np.bincount(e.one * k + e.other_place, h, n * k)
            - np.bincount(e.other * k + e.one_place, h, n * k)
            + np.bincount(e.other * k + e.other_place, h, n * k)
        ).reshape(n, k)
        cross = np.bincount(e.one_place * k + e.other_place, h, k * k).reshape(k, k)
        ends = np.bincount(e.one_place, h, k) + np.bincount(e.other_place, h, k)
        links = np.full(len(self._new), self.beliefs.link_sd**-2)
        return Precision(
            one=np.concatenate([one, self._new]),
            other=np.concatenate([other, self._old]),
            strength=np.concatenate([np.bincount(pair_of, h, len(one)), links]),
            border=np.asarray(border, dtype=np.float64),
            corner=np.asarray(np.diag(ends) - cross - cross.T, dtype=np.float64),
            own=np.concatenate([self._roots / self.beliefs.field_sd**2, np.full(k, PLACE_SD**-2)]),
        )

    def _spread(self, drawn: Floats) -> None:
        """How far players, and versions of one bot, lie apart, by what the data say beyond the belief."""
        n = self.evidence.players
        variance = np.mean(drawn**2, axis=0)
        away = float(((self._x[:n] - MEAN)[self._roots] ** 2).sum())
        field = _spread_of(away, variance[self._roots], self.beliefs.field_sd, FIELD_SD, FIELD_WEIGHT)
        steps = float(((self._x[self._new] - self._x[self._old]) ** 2).sum())
        apart = np.mean((drawn[:, self._new] - drawn[:, self._old]) ** 2, axis=0)
        link = _spread_of(steps, apart, self.beliefs.link_sd, LINK_SD, LINK_WEIGHT)
        self.beliefs = replace(self.beliefs, field_sd=field, link_sd=link)

    def _scatter(self, drawn: Floats) -> None:
        scores = self.scores()
        found = chemistry(self.grouping, scores, drawn)
        self.beliefs = replace(
            self.beliefs,
            phi_set=phi_of_sets(self.grouping, scores, drawn),
            phi_between=found.phi,
            chemistry=found.variance,
            draw_margin=self._draw_margin(),
        )

    def _probes(self) -> int:
        """Draws that stand for the covariance: many where they are cheap."""
        return int(np.clip(2_000_000 // max(self.evidence.rows, 1), 8, 400))

    def result(self, *, anchors: Ints, draws: int) -> Fit:
        """What the leaderboard wants to know; anchors (or else the field) have a mean of 25 in every draw."""
        n, precision = self.evidence.players, self._precision
        fixed = anchors if len(anchors) else np.flatnonzero(self._roots)
        rating = self._x[:n] - (self._x[fixed].mean() - MEAN if n else 0.0)
        noise = precision.draws(self.rng, draws)
        places = noise[:, n:] - noise[:, n:].mean(axis=1, keepdims=True)
        noise = noise[:, :n] - noise[:, fixed].mean(axis=1, keepdims=True)
        sd = _sd_without_location(precision, fixed) if precision.is_small else noise.std(axis=0)
        drawn = rating + noise
        low, high, first = places_of_draws(drawn)
        effects = self._x[n:] - self._x[n:].mean()
        return Fit(
            rating=rating, sd=sd, low=rating - NORMAL_95 * sd, high=rating + NORMAL_95 * sd,
            place_low=low, place_high=high, p_first=first, draws=drawn,
            place_effects=effects, place_effects_sd=places.std(axis=0),
            phi_set=self.beliefs.phi_set, phi_between=self.beliefs.phi_between,
            p_intransitive=p_intransitive(self.grouping, self.scores(), precision, self.rng),
            field_sd=self.beliefs.field_sd, link_sd=self.beliefs.link_sd, matches=self.evidence.matches,
        )  # fmt: skip


def _logistic(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-x)))


def _spread_of(squares: float, variance: Floats, before: float, believed: float, weight: float) -> float:
    """A standard deviation by MacKay's rule: squares over the number of values that the data determine."""
    sd = before
    for _ in range(SPREAD_STEPS):
        determined = float(np.clip(1 - variance / sd**2, 0, 1).sum())
        sd = math.sqrt((weight * believed**2 + squares) / (weight + determined))
        variance = variance * min(1.0, (sd / before) ** 2)  # less spread, less doubt
        before = sd
    return sd


def _sd_without_location(precision: Precision, fixed: Ints) -> Floats:
    """The deviation of each rating from the mean of the fixed ones."""
    n = precision.players
    root = precision.root[:n]
    return np.asarray(np.linalg.norm(root - root[fixed].mean(axis=0), axis=1))


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
