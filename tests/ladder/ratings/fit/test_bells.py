"""Fields that are no single bell: two camps keep their distance, and a field that is a bell is not touched."""

from __future__ import annotations

import numpy as np
import pytest

from ladder.ratings.fit import Fit, bells, mixture
from ladder.ratings.fit.bells import Bells, better_bells, first_bells, guesses
from tests.ladder.ratings.fit.matches import FitMatch, fit

BETA = 25 / 6
IN_CAMPS = np.repeat([17.0, 33.0], 12)


def fitted(skills: np.ndarray, *, across: int, seed: int = 5) -> Fit:
    """Sets between random players that are near each other, and some across the whole field."""
    rng = np.random.default_rng(seed)
    skills = skills + rng.normal(0, 1.5, len(skills))
    half = len(skills) // 2
    sets = []
    for number in range(300):
        one, other = rng.choice(half, 2, replace=False) + half * (number % 2)
        if number < across:
            other = (other + half) % len(skills)
        shown = rng.normal(skills[[one, other]], BETA, (2, 2))
        sets.append(
            [
                FitMatch((one, other), (0, 1), (1, 2) if shown[0][0] > shown[0][1] else (2, 1)),
                FitMatch((other, one), (0, 1), (2, 1) if shown[1][0] > shown[1][1] else (1, 2)),
            ]
        )
    return fit(players=len(skills), sets=sets, seed=1)


def gap(found: Fit) -> tuple[float, float]:
    """How far the camps lie apart, and the standard deviation of that."""
    apart = found.draws[:, 12:].mean(axis=1) - found.draws[:, :12].mean(axis=1)
    return float(apart.mean()), float(apart.std())


def test_two_camps_are_not_drawn_together(monkeypatch: pytest.MonkeyPatch) -> None:
    size, sd = gap(fitted(IN_CAMPS, across=60))
    assert abs(size - 16) < 1.96 * sd
    monkeypatch.setattr(mixture, "FEWEST_PLAYERS", 10**6)
    size, sd = gap(fitted(IN_CAMPS, across=60))
    assert size + 1.96 * sd < 16  # one bell is sure that they are nearer


def test_a_field_that_is_a_bell_is_rated_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    skills = np.random.default_rng(3).normal(25, 6, 24)
    found = fitted(skills, across=150)
    monkeypatch.setattr(mixture, "FEWEST_PLAYERS", 10**6)
    alone = fitted(skills, across=150)
    assert found.rating == pytest.approx(alone.rating, abs=0.15)
    assert found.sd == pytest.approx(alone.sd, rel=0.1)


def test_players_of_a_bell_share_the_doubt_about_its_middle() -> None:
    member = np.repeat(np.eye(2), [3, 2], axis=0)
    some = Bells(member, np.array([2.0, 5.0]), np.array([0.6, 0.4]))
    covariance = np.linalg.inv(np.diag(some.own) - some.shared @ some.shared.T)
    expected = np.diag(member @ some.sd**2) + bells.MIDDLE_SD**2 * member @ member.T
    assert covariance == pytest.approx(expected)
    belong = 3 * np.log(0.6) + 2 * np.log(0.4)
    assert some.log_belief == pytest.approx(belong - np.linalg.slogdet(expected)[1] / 2)


def test_who_belongs_where_is_found_from_a_guess() -> None:
    x = IN_CAMPS + np.linspace(-1, 1, 24)
    camp, outside = guesses(x)
    assert camp.tolist() == [False] * 12 + [True] * 12
    assert 0 < outside.sum() < 12
    found = first_bells(camp, x, np.ones(24))
    for _ in range(5):
        found = better_bells(found, x, np.ones(24))
    assert found.member[:12, 0] == pytest.approx(1, abs=1e-3)
    assert found.member[12:, 1] == pytest.approx(1, abs=1e-3)
    assert (found.sd < 2.5).all()
