"""What beliefs leave open: the fit under each spread, shape and step that is probable, weighed together."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ladder.ratings.fit.bells import FEWEST_PLAYERS, better_bells, first_bells, guesses
from ladder.ratings.fit.evidence import Floats, Ints
from ladder.ratings.fit.model import FIELD_SD, MEAN, Model
from ladder.ratings.fit.sampling import MOST_PLAYERS, Sample, centred, sample
from ladder.ratings.fit.solving import Precision
from ladder.ratings.fit.symmetry import swaps_of

FEW_PLAYERS = 200  # of more, the spread is known well enough
NARROWER, WIDER = 1.0, 0.4  # how uncertain the belief about a field's spread is to either side, in logarithms
STRIDE = 0.7  # from one spread to the next, in standard deviations of what is known of it
NEGLIGIBLE = 4.0  # a spread less probable than the best by this much in logarithms ends the walk
MOST_STRIDES = 30
BELL_STEPS = 8  # towards who belongs to which
TWO_BELLS = -4.0  # in logarithms: two bells are less usual than one, and have more to be chosen


@dataclass(frozen=True, slots=True)
class End:
    """Where a fit came to under some beliefs, and the weight of those."""

    weight: float
    x: Floats  # players, then places
    precision: Precision
    sample: Sample | None = None  # of what is probable, where players are few


@dataclass(frozen=True)
class Mixture:
    """Ends whose weights sum to 1, each moved so that the fixed players have a mean of 25 and places one of 0."""

    ends: list[End]
    fixed: Ints

    @cached_property
    def middles(self) -> Floats:
        means = (self._centred(end.x[None, :])[0] if end.sample is None else end.sample.mean() for end in self.ends)
        return np.array([mean + self._location for mean in means])

    @property
    def _location(self) -> Floats:
        return np.where(np.arange(self.best.size) < self.best.players, MEAN, 0.0)

    @cached_property
    def weights(self) -> Floats:
        return np.array([end.weight for end in self.ends])

    @cached_property
    def middle(self) -> Floats:
        return np.asarray(self.weights @ self.middles)

    @property
    def best(self) -> Precision:
        return max(self.ends, key=lambda end: end.weight).precision

    def sd(self) -> Floats:
        """Of each rating, by the whole covariance; for small fields."""
        n = self.best.players
        within = np.array([self._sd(end) ** 2 for end in self.ends])
        return np.asarray(np.sqrt(self.weights @ (within + (self.middles[:, :n] - self.middle[:n]) ** 2)))

    def _sd(self, end: End) -> Floats:
        if end.sample is None:
            return _sd_without_location(end.precision, self.fixed)
        return end.sample.sd()[: end.precision.players]

    def draws(self, rng: np.random.Generator, count: int) -> Floats:
        """Joint draws around the middle, each end having its share of them."""
        upto = np.floor(np.cumsum(self.weights) / self.weights.sum() * count + 0.5).astype(np.int64)
        pieces = []
        for end, middle, share in zip(self.ends, self.middles, np.diff(upto, prepend=0).tolist(), strict=True):
            if end.sample is not None:
                pieces.append(end.sample.draws(rng, share) + self._location)
                continue
            noise = self._centred(end.precision.draws(rng, share))
            noise += middle.astype(noise.dtype)
            pieces.append(noise)
        return np.asarray(rng.permutation(np.concatenate(pieces)))

    def _centred(self, rows: Floats) -> Floats:
        return centred(rows, self.best.players, self.fixed)


def mixture_of(model: Model, fixed: Ints) -> Mixture:
    """Where a settled model ends under all probable steps of versions and, among few players, spreads."""
    start, ends = model.x.copy(), []
    steps = model.steps if model.steps.size else [model.step]
    for model.step in steps:
        model.x = start.copy()
        is_open = model.evidence.players <= FEW_PLAYERS and (model.free.any() or _is_tiny(model))
        found = _spreads(model, fixed) if is_open else [_end(model)]
        if is_open and np.count_nonzero(model.free) >= FEWEST_PLAYERS:
            found += _two_bells(model, start)
        ends += _shared(found, 1 / len(steps))
    model.step, model.x = steps[len(steps) // 2], max(ends, key=lambda end: end.weight).x.copy()
    return Mixture(ends, fixed)


def _shared(ends: list[End], whole: float) -> list[End]:
    """Ends with logarithms as weights, which become parts of a whole."""
    best = max(end.weight for end in ends)
    weights = [math.exp(end.weight - best) for end in ends]
    return [replace(end, weight=whole * weight / sum(weights)) for end, weight in zip(ends, weights, strict=True)]


def _end(model: Model) -> End:
    precision = model.climb()
    return End(0.0, model.x.copy(), precision)


def _spreads(model: Model, fixed: Ints) -> list[End]:
    """The fit under every spread of the field that is probable, walked to both sides of the best guess."""
    swaps = swaps_of(model, fixed) if _is_tiny(model) else None
    settled, start = model.beliefs, model.x.copy()
    stride = STRIDE / math.sqrt(2 * max(model.determined, 1.0))
    ends: list[End] = []
    for way in (1, -1):
        model.x = start.copy()
        for at in range(int(way < 0), MOST_STRIDES):
            model.beliefs = replace(settled, field_sd=settled.field_sd * math.exp(way * at * stride))
            ends.append(_weighed(model, fixed, swaps))
            if ends[-1].weight < max(end.weight for end in ends) - NEGLIGIBLE:
                break
    model.beliefs = settled
    return ends


def _two_bells(model: Model, start: Floats) -> list[End]:
    """The fit where the field is two bells, from each guess who belongs to the second."""
    ends: list[End] = []
    for is_second in guesses(start[np.flatnonzero(model.free)]):
        model.x = start.copy()
        model.bells = first_bells(is_second, *_known(model, model.climb()))
        for _ in range(BELL_STEPS):
            model.bells = better_bells(model.bells, *_known(model, model.climb()))
        precision = model.climb()
        ends.append(End(model.log_evidence(precision) + TWO_BELLS, model.x.copy(), precision))
        model.bells = None
    return ends


def _known(model: Model, precision: Precision) -> tuple[Floats, Floats]:
    """Where the free players are, and with what variance."""
    free = np.flatnonzero(model.free)
    return model.x[free], _sd_without_location(precision, free)[free] ** 2


def _weighed(model: Model, fixed: Ints, swaps: Ints | None) -> End:
    precision = model.climb()
    far = math.log(model.beliefs.field_sd / FIELD_SD)
    belief = -((far / (WIDER if far > 0 else NARROWER)) ** 2) / 2
    tried = None if swaps is None else sample(model, precision, fixed=fixed, swaps=swaps)
    return End(model.log_evidence(precision) + belief, model.x.copy(), precision, tried)


def _is_tiny(model: Model) -> bool:
    return model.evidence.players <= MOST_PLAYERS and not len(model.step)


def _sd_without_location(precision: Precision, fixed: Ints) -> Floats:
    """The deviation of each rating from the mean of the fixed ones."""
    root = precision.root[: precision.players]
    return np.asarray(np.linalg.norm(root - root[fixed].mean(axis=0), axis=1))
