"""Two seats are rated without the library's graph, and come out as if by it."""

from __future__ import annotations

import random

import pytest

from ladder.ratings import skill
from ladder.ratings.skill import Manner, Skill, rate, rate_any

RANKS = ([1, 2], [2, 1], [1, 1])


@pytest.mark.parametrize("draw_probability", [0.005, 0.05, 0.3])
def test_two_seats_are_rated_as_by_the_library_to_the_last_bit(draw_probability: float) -> None:
    rng, manner = random.Random(7), Manner(draw_probability, tau=0.008)
    for _ in range(150):
        skills = [Skill(rng.uniform(0, 50), rng.uniform(0.3, 25 / 3)) for _ in range(2)]
        for ranks in RANKS:
            assert rate(skills, ranks, manner) == rate_any(skills, ranks, manner)


@pytest.mark.parametrize("ranks", RANKS)
def test_players_too_far_apart_for_doubles_are_left_to_the_library(ranks: list[int]) -> None:
    far, manner = [Skill(400.0, 0.5), Skill(-400.0, 0.5)], Manner(0.02, tau=0.008)
    assert rate(far, ranks, manner) == rate_any(far, ranks, manner)


def test_two_seats_do_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skill, "rate_any", None)
    better, worse = rate([Skill(), Skill()], [1, 2], Manner(0.02, tau=0.008))
    assert better.mu > 25 > worse.mu
