"""The model: how probable results are under ratings and beliefs, and the way to the most probable ones."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ladder.ratings.fit.bells import Bells
from ladder.ratings.fit.dispersion import FLOOR, Grouping, Scores, chemistry, phi_of_sets
from ladder.ratings.fit.evidence import Evidence, Floats, Ints
from ladder.ratings.fit.families import PARTS, Families
from ladder.ratings.fit.solving import Precision

MEAN = 25.0
BETA = 25.0 / 6
LOGISTIC = 1.65  # a logistic curve this steep is the normal one to within 0.015
PLACE_SD = BETA  # of what a place in turn order may be worth, before a match was played
FIELD_SD, FIELD_WEIGHT = 6.0, 1.0  # what is believed of a field's spread, worth so many players
LINK_SD = 1.5  # from one version to the next, before anything is known
MOVED_SD, MOVED_WEIGHT = 1.5, 5.0  # how far players are from where they were last known, worth so many players
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
class Beliefs:
    """How strongly results count, and how far players and versions lie apart."""

    phi_set: float = 1.0
    phi_between: float = 0.0
    field_sd: float = FIELD_SD
    moved_sd: float = MOVED_SD  # of players that were known before, since then
    chemistry: float = 0.0  # variance of a pair's gap that no rating holds
    draw_margin: float = 0.0  # how near two performances are when nobody wins, on the logistic curve

    @property
    def slope(self) -> float:
        """How steep the curve is, which chemistry flattens."""
        return LOGISTIC / math.sqrt(2 * BETA**2 + self.chemistry)

    @property
    def phi(self) -> float:
        return max(FLOOR, self.phi_set + self.phi_between)


@dataclass(frozen=True, slots=True)
class Past:
    """Players that were known before the first of these matches: where each was, and how sure that was."""

    players: Ints
    mean: Floats
    sd: Floats

    def is_known(self, count: int) -> NDArray[np.bool_]:
        known = np.zeros(count, dtype=bool)
        known[self.players] = True
        return known


class Model:
    """The likelihood of all rows, the beliefs around it, and the most probable ratings under both."""

    def __init__(
        self, evidence: Evidence, links: tuple[Ints, Ints], past: Past, *, seed: int, start: Floats | None
    ) -> None:
        self.evidence = evidence
        self.past = past
        self.grouping = Grouping(evidence)
        self.rng = np.random.default_rng(seed)
        self.beliefs = Beliefs()
        self.bells: Bells | None = None  # one, as wide as is believed, unless it says otherwise
        self.determined = 0.0  # how many players' ratings follow from results, as a sum of shares
        self._new, self._old = links
        self._families = Families(evidence.players, *links)
        self.steps = np.full((len(PARTS), len(self._new)), LINK_SD)  # that are probable, for each link
        self.step = self.steps[len(PARTS) // 2]
        self.roots = np.ones(evidence.players, dtype=bool)
        self.roots[self._new] = False
        self.free = self.roots & ~past.is_known(evidence.players)  # only the field is known of these
        self.home = np.zeros(evidence.players + evidence.places)  # where everybody is believed to be
        self.home[: evidence.players] = MEAN
        self.home[past.players] = past.mean
        self.x = self.home.copy()
        if start is not None:
            self.x[: evidence.players] = start

    def settle(self) -> None:
        """Fit, then scatter and spread, then fit again, until beliefs and ratings agree."""
        for _ in range(ROUNDS):
            precision = self.climb()
            drawn = precision.draws(self.rng, self._probes())[:, : self.evidence.players]
            self._spread(drawn)
            self._scatter(drawn)

    def log_evidence(self, precision: Precision) -> float:
        """How probable results are under the present beliefs, as a logarithm, by Laplace's method; for small fields."""
        steps = (self.x[self._new] - self.x[self._old]) / self.step
        away = self.x - self.home
        beliefs = float(away @ precision.belief(away)) + float(steps @ steps)
        volume = float(np.log(np.diag(precision.root)).sum())
        return self._log_likelihood() / self.beliefs.phi - beliefs / 2 + volume + self._log_belief()

    def _log_belief(self) -> float:
        """What the belief about free players is divided by, as a logarithm: the wider, the less it says of each."""
        if self.bells is not None:
            return self.bells.log_belief
        return -int(self.free.sum()) * math.log(self.beliefs.field_sd)

    def _log_likelihood(self) -> float:
        e = self.evidence
        return float(e.weight @ self._log_shares(self._gaps(), e.won))

    def _log_shares(self, gap: Floats, won: Floats) -> Floats:
        margin = self.beliefs.draw_margin
        share = (_logistic(gap - margin) + _logistic(gap + margin)) / 2
        return np.asarray(won * np.log(share) + (1 - won) * np.log1p(-share))

    def log_posterior(self, tried: Floats, precision: Precision) -> Floats:
        """How probable each row of parameters is, as a logarithm, but for a constant; for few players without links."""
        ends, won, weight = self._kinds
        gap = tried[:, ends[0]] - tried[:, ends[1]] + tried[:, ends[2]] - tried[:, ends[3]]
        shares = self._log_shares(np.clip(self.beliefs.slope * gap, -FAR, FAR), won)
        return np.asarray(shares @ weight / self.beliefs.phi - (tried - self.home) ** 2 @ precision.own / 2)

    @cached_property
    def _kinds(self) -> tuple[Ints, Floats, Floats]:
        """Rows that say the same, told once: the parameters that are compared, the result, and its whole weight."""
        e = self.evidence
        columns = (e.one, e.other, e.players + e.one_place, e.players + e.other_place, np.rint(2 * e.won))
        kinds, place = np.unique(np.stack(columns).astype(np.int64), axis=1, return_inverse=True)
        return kinds[:4], kinds[4] / 2, np.bincount(place.ravel(), e.weight, kinds.shape[1]).astype(np.float64)

    def climb(self) -> Precision:
        """Newton's way to the most probable parameters; the precision there."""
        for _ in range(NEWTON_STEPS):
            scores = self.scores()
            precision = self._precision_at(scores)
            step = precision.solve(self._gradient(scores, precision))
            # a step of more than a few beta leaves the region where the curve is known
            self.x += step * min(1.0, 3 * BETA / max(float(np.abs(step).max()), 1e-12))
            if not np.isfinite(self.x).all():
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

    def chances(self) -> tuple[Floats, Floats]:
        """For each row how probable it is that the first wins, and that it does not lose."""
        gap, margin = self._gaps(), self.beliefs.draw_margin
        return _logistic(gap - margin), _logistic(gap + margin)

    def _gaps(self) -> Floats:
        """How far the first of each row stands above the second, on the logistic curve."""
        e, x = self.evidence, self.x
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
        gradient -= precision.belief(self.x - self.home)
        step = (self.x[self._new] - self.x[self._old]) / self.step**2
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
        links = self.step**-2.0
        return Precision(
            one=np.concatenate([one, self._new]),
            other=np.concatenate([other, self._old]),
            strength=np.concatenate([np.bincount(pair_of, h, len(one)), links]),
            border=np.asarray(border, dtype=np.float64),
            corner=np.asarray(np.diag(ends) - cross - cross.T, dtype=np.float64),
            own=np.concatenate([self._own(), np.full(k, PLACE_SD**-2)]),
            shared=self._shared(),
        )

    def _shared(self) -> Floats | None:
        """What first versions have in common by the bells that they belong to."""
        if self.bells is None:
            return None
        shared = np.zeros((len(self.x), len(self.bells.sd)))
        shared[: self.evidence.players][self.free] = self.bells.shared
        return shared

    def _own(self) -> Floats:
        """How precisely each first version is known before a match was played; others by the version before."""
        own = self.roots / self.beliefs.field_sd**2
        if self.bells is not None:
            own[self.free] = self.bells.own
        own[self.past.players] = 1 / (self.past.sd**2 + self.beliefs.moved_sd**2)
        return np.asarray(own)

    def _spread(self, drawn: Floats) -> None:
        """How far players, and versions of one bot, lie apart, by what the data say beyond the belief."""
        n, roots = self.evidence.players, self.roots
        variance = np.mean(drawn**2, axis=0)[roots]
        away = float(((self.x[:n] - MEAN)[roots] ** 2).sum())
        known = self._known_of_families()
        field = _spread_of(away, variance, known, self.beliefs.field_sd)
        self.determined = float(_determined(variance, known, field)[self.free[roots]].sum())
        self.beliefs = replace(self.beliefs, field_sd=field, moved_sd=self._moved(drawn))
        if len(self._new):
            self.steps = self._probable_steps()
            self.step = self.steps[len(PARTS) // 2]

    def _known_of_families(self) -> Floats:
        """What matches alone tell of each first version at most, with all that its later versions tell."""
        e, n, information = self.evidence, self.evidence.players, self.scores().information / self.beliefs.phi
        own = np.bincount(e.one, information, n) + np.bincount(e.other, information, n)
        return np.asarray(np.bincount(self._families.root_of, own, n)[self.roots])

    def _moved(self, drawn: Floats) -> float:
        """How far players moved since they were last known, by what the data say beyond the belief."""
        past, moved = self.past, self.beliefs.moved_sd
        squares = (self.x[past.players] - past.mean) ** 2 + np.mean(drawn[:, past.players] ** 2, axis=0)
        for _ in range(SPREAD_STEPS):
            share = moved**2 / (past.sd**2 + moved**2)  # of the way that is movement, not an error of before
            expected = float((share**2 * squares + share * past.sd**2).sum())
            moved = math.sqrt((MOVED_WEIGHT * MOVED_SD**2 + expected) / (MOVED_WEIGHT + len(past.players)))
        return moved

    def _probable_steps(self) -> Floats:
        e, n, scores = self.evidence, self.evidence.players, self.scores()
        home = self.home[self._families.root_of]
        pull, information = scores.pull / self.beliefs.phi, scores.information / self.beliefs.phi
        known = np.bincount(e.one, information, n) + np.bincount(e.other, information, n)
        pulled = np.bincount(e.one, pull, n) - np.bincount(e.other, pull, n) + known * (self.x[:n] - home)
        return self._families.steps(pulled.astype(np.float64), known.astype(np.float64), self._own())

    @property
    def link_sd(self) -> float:
        """The usual step from one version to the next."""
        return float(np.sqrt(np.mean(self.step**2))) if len(self.step) else LINK_SD

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


def _logistic(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-x)))


def _spread_of(squares: float, variance: Floats, known: Floats, before: float) -> float:
    """A standard deviation by MacKay's rule: squares over the number of values that the data determine."""
    sd = before
    for _ in range(SPREAD_STEPS):
        determined = float(_determined(variance, known, sd).sum())
        sd = math.sqrt((FIELD_WEIGHT * FIELD_SD**2 + squares) / (FIELD_WEIGHT + determined))
        variance = variance * min(1.0, (sd / before) ** 2)  # less spread, less doubt
        before = sd
    return sd


def _determined(variance: Floats, known: Floats, sd: float) -> Floats:
    """What part of each value follows from the data: of one who met nobody, nothing, whatever noisy variances say."""
    return np.asarray(np.clip(1 - variance / sd**2, 0, known / (known + sd**-2)))
