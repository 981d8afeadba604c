"""Versions of one bot: what their results say about how far its author goes from one to the next."""

import numpy as np
import pytest

from ladder.ratings.fit.families import Families
from tests.ladder.ratings.fit.matches import FitMatch, fit

FIELD, VERSIONS = 12, 12
BETA = 25 / 6


def season(step: float, *, seed: int) -> tuple[np.ndarray, list[list[FitMatch]], dict[int, int]]:
    """A field that knows itself, and a bot with many versions, each so far above or below the one before."""
    rng = np.random.default_rng(seed)
    ways = rng.choice([-1, 1], VERSIONS)
    skill = np.concatenate([rng.normal(25, 5, FIELD), 25 + step * np.cumsum(ways)])
    sets = []

    def play(one: int, other: int) -> None:
        gap = skill[one] - skill[other] + rng.normal(0, BETA * np.sqrt(2), 2)
        ranks = [(1, 2) if each > 0 else (2, 1) for each in gap]
        sets.append([FitMatch((one, other), (0, 1), ranks[0]), FitMatch((other, one), (0, 1), ranks[1][::-1])])

    for one, other in [(a, b) for a in range(FIELD) for b in range(a)] * 2:
        play(one, other)
    for version in range(FIELD, FIELD + VERSIONS):
        for other in rng.integers(0, FIELD, 10):
            play(version, int(other))
    return skill, sets, {version: version - 1 for version in range(FIELD + 1, FIELD + VERSIONS)}


def test_a_family_whose_versions_are_alike_is_drawn_together_and_one_that_changes_is_not():
    spreads, steps = [], []
    for step in (0.0, 4.0):
        skill, sets, links = season(step, seed=3)
        found = fit(players=len(skill), sets=sets, links=links, seed=1)
        spreads.append(np.ptp(found.rating[FIELD:]))
        steps.append(found.link_sd)
    assert steps[0] < 0.5 < 2 < steps[1]
    assert spreads[0] < 2 < 8 < spreads[1]


def test_an_author_who_changes_much_keeps_intervals_that_hold_beside_one_who_changes_nothing():
    held = []
    for seed in range(4):
        skill, sets, links = season(3.0, seed=seed)
        found = fit(players=len(skill), sets=sets, links=links, seed=1)
        truth = skill - skill[: FIELD + 1].mean() + 25
        held += list((found.low <= truth) & (truth <= found.high))
    assert np.mean(held) > 0.9


def test_families_are_found_in_chains_and_in_branches():
    families = Families(7, np.array([3, 4, 5, 6]), np.array([0, 3, 3, 1]))
    assert families.root_of.tolist() == [0, 1, 2, 0, 0, 0, 1]
    assert [group[0].tolist() for group in families.by_size] == [[[1, 6]], [[0, 3, 4, 5]]]


@pytest.mark.parametrize("bots", [2, 3, 5])
def test_few_bots_that_hardly_differ_are_not_told_apart(bots: int):
    turns = [(1, 2), (2, 1)]
    sets = [
        [FitMatch((a, b), (0, 1), turns[number % 2]), FitMatch((b, a), (0, 1), turns[number % 2])]
        for number in range(20)
        for a in range(bots)
        for b in range(a)
    ]
    found = fit(players=bots, sets=sets, seed=1)
    assert np.ptp(found.rating) < 1.5
    assert found.place_low.max() == 1
    assert found.place_high.min() == bots
