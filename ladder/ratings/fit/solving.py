"""Solves the fit's linear systems: whole for small fields, by conjugate gradients for large ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ladder.ratings.fit.evidence import Floats, Ints

DRAW_TOLERANCE = 0.02  # a draw is noise: two hundredths more hurt nobody
DENSE_PLAYERS = 1500  # up to here a whole matrix is quicker than conjugate gradients


@dataclass(frozen=True)
class Precision:
    """What is known about all parameters (players, then places) as a precision matrix, never written out.

    A sum of `strength` times (gap)² over pairs of players, `border` and `corner` for places, and `own` on the diagonal.
    """

    one: Ints
    other: Ints
    strength: Floats
    border: Floats  # players x places
    corner: Floats  # places x places
    own: Floats  # of all parameters
    shared: Floats | None = None  # of all parameters, some columns: their products are subtracted

    @property
    def players(self) -> int:
        return len(self.border)

    @property
    def size(self) -> int:
        return len(self.own)

    @cached_property
    def _diagonal(self) -> Floats:
        n = self.players
        ties = np.bincount(self.one, self.strength, n) + np.bincount(self.other, self.strength, n)
        return np.asarray(self.own + np.concatenate([ties, np.diag(self.corner)]))

    @cached_property
    def matrix(self) -> Floats:
        """All of it; for small fields."""
        n = self.players
        whole = np.zeros((self.size, self.size))
        off = np.bincount(self.one * n + self.other, self.strength, n * n).reshape(n, n)
        whole[:n, :n] = -(off + off.T)
        whole[:n, n:], whole[n:, :n] = self.border, self.border.T
        whole[n:, n:] = self.corner
        np.fill_diagonal(whole, self._diagonal)
        return whole if self.shared is None else np.asarray(whole - self.shared @ self.shared.T)

    @cached_property
    def root(self) -> Floats:
        """A factor of the inverse, root @ root.T; for small fields."""
        return np.asarray(np.linalg.inv(np.linalg.cholesky(self.matrix)).T)

    @property
    def is_small(self) -> bool:
        return self.players <= DENSE_PLAYERS

    def times(self, x: Floats) -> Floats:
        """The matrix times a vector."""
        n = self.players
        plain = np.concatenate(
            [self._times_players(x[:n]) + self.border @ x[n:], self.border.T @ x[:n] + self._places @ x[n:]]
        )
        return plain if self.shared is None else np.asarray(plain - self.shared @ (self.shared.T @ x))

    def belief(self, away: Floats) -> Floats:
        """How strongly what was believed before the first match pulls back what is so far away."""
        pull = self.own * away
        return pull if self.shared is None else np.asarray(pull - self.shared @ (self.shared.T @ away))

    def _times_players(self, x: Floats) -> Floats:
        n = self.players
        pull = self.strength * (x[self.one] - x[self.other])
        return np.asarray(self.own[:n] * x + np.bincount(self.one, pull, n) - np.bincount(self.other, pull, n))

    @cached_property
    def _places(self) -> Floats:
        return np.asarray(self.corner + np.diag(self.own[self.players :]))

    def solve(self, b: Floats, *, tolerance: float = 1e-6) -> Floats:
        """What gives b when multiplied; by the factor where it has been made already."""
        if "root" in self.__dict__:
            return np.asarray(self.root @ (self.root.T @ b))
        return conjugate_gradients(self.times, b, self._diagonal, tolerance=tolerance)

    def draws(self, rng: np.random.Generator, count: int) -> Floats:
        """Random vectors with the inverse as covariance, a row each.

        In large fields the places are known so well that players are drawn as if they were certain.
        """
        if self.is_small:
            return np.asarray(rng.standard_normal((count, self.size)) @ self.root.T)
        drawn = np.empty((count, self.size), dtype=np.float32)
        drawn[:, self.players :] = rng.multivariate_normal(
            np.zeros(self.size - self.players), np.linalg.inv(self._places), count
        )
        for row in drawn:
            row[: self.players] = self._draw_players(rng)
        return drawn  # type: ignore[return-value]

    def _draw_players(self, rng: np.random.Generator) -> Floats:
        """Noise of the strength of each tie, carried through the system."""
        n = self.players
        pull = np.sqrt(self.strength) * rng.standard_normal(len(self.strength))
        score = np.sqrt(self.own[:n]) * rng.standard_normal(n)
        score += np.bincount(self.one, pull, n) - np.bincount(self.other, pull, n)
        return conjugate_gradients(self._times_players, score, self._diagonal[:n], tolerance=DRAW_TOLERANCE)


def conjugate_gradients(times: Callable[[Floats], Floats], b: Floats, diagonal: Floats, *, tolerance: float) -> Floats:
    """The solution of a positive definite system, to a tolerance relative to b."""
    x, rest = np.zeros_like(b), b.copy()
    enough = tolerance * float(np.linalg.norm(b))
    scaled = rest / diagonal
    way, power = scaled.copy(), float(rest @ scaled)
    for _ in range(len(b)):
        if float(np.linalg.norm(rest)) <= enough:
            break
        moved = times(way)
        step = power / float(way @ moved)
        x += step * way
        rest -= step * moved
        scaled = rest / diagonal
        power, before = float(rest @ scaled), power
        way = scaled + (power / before) * way
    return x
