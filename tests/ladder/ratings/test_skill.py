from __future__ import annotations

import math
import random

import pytest
from openskill.models import PlackettLuce

from ladder.ratings.skill import Manner, Skill, rate

MANNER = Manner(draw_probability=0.05, tau=0.008)


def test_the_winner_gains_what_the_loser_loses_between_equals() -> None:
    winner, loser = rate([Skill(), Skill()], [1, 2], MANNER)
    assert winner.mu - 25 == pytest.approx(25 - loser.mu)
    assert winner.sigma == pytest.approx(loser.sigma)
    assert winner.sigma < 25 / 3


def test_ranks_are_by_seat() -> None:
    after = rate([Skill()] * 4, [3, 1, 4, 2], MANNER)
    assert sorted(range(4), key=lambda seat: -after[seat].mu) == [1, 3, 0, 2]


def test_a_draw_brings_two_players_together() -> None:
    strong, weak = rate([Skill(30, 4), Skill(20, 4)], [1, 1], MANNER)
    assert strong.mu < 30
    assert weak.mu > 20


@pytest.mark.parametrize("mus", [(-300, 300), (-500, 500, 0, 10), (0, 90, 180, 270)])
def test_gaps_that_underflow_doubles_are_rated_all_the_same(mus: tuple[int, ...]) -> None:
    skills = [Skill(mu, 1.0) for mu in mus]
    after = rate(skills, list(range(1, len(mus) + 1)), MANNER)
    assert all(math.isfinite(skill.mu) and 0 < skill.sigma < 1.01 for skill in after)
    assert after[0].mu > mus[0]


def test_with_a_small_tau_sigma_goes_on_falling() -> None:
    one, other = Skill(), Skill()
    for game in range(400):
        one, other = rate([one, other], [1, 2] if game % 2 else [2, 1], MANNER)
    assert one.sigma < 0.8  # the default tau keeps it above


def test_the_order_agrees_with_another_rating_system() -> None:
    rng, model = random.Random(4), PlackettLuce()
    truth = [rng.gauss(25, 6) for _ in range(8)]
    ours, theirs = [Skill()] * 8, [model.rating() for _ in range(8)]
    for _ in range(600):
        a, b = rng.sample(range(8), 2)
        ranks = [1, 2] if rng.gauss(truth[a], 4.2) > rng.gauss(truth[b], 4.2) else [2, 1]
        ours[a], ours[b] = rate([ours[a], ours[b]], ranks, MANNER)
        (theirs[a],), (theirs[b],) = model.rate([[theirs[a]], [theirs[b]]], ranks=ranks)
    by_ours = sorted(range(8), key=lambda i: ours[i].mu)
    by_theirs = sorted(range(8), key=lambda i: theirs[i].mu)
    assert sum(abs(by_ours.index(i) - by_theirs.index(i)) for i in range(8)) <= 4
