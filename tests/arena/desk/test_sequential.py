"""The sequential test of a new version: its errors, its speed and its edges, on simulated sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from arena.desk.sequential import SequentialTest, Verdict

RUNS = 200
MANY_RUNS = 20_000
PAIRS = (0.0, 0.25, 0.5, 0.75, 1.0)  # what a set of two matches with draws can give
TABLE = tuple(place / 12 for place in range(13))  # four seats: one against three, four times
WIDE = (1, 2, 4, 7, 10, 13, 14, 13, 10, 7, 4, 2, 1)


def simulate(
    values: tuple[float, ...], weights: tuple[int, ...], *, margin: float = 0.05, runs: int = RUNS
) -> tuple[Counter[str], float]:
    """The verdicts of many contests with sets drawn like this, and how many sets one took on average."""
    rng, test = Random(1923), SequentialTest(margin)
    verdicts: Counter[str] = Counter()
    played = 0
    for _ in range(runs):
        counts: Counter[float] = Counter()
        verdict = Verdict.OPEN
        while verdict is Verdict.OPEN:
            counts[rng.choices(values, weights)[0]] += 1
            verdict = test.verdict(test.ratio_of(counts))
        verdicts[verdict.value] += 1
        played += counts.total()
    return verdicts, played / runs


@pytest.mark.parametrize(
    ("values", "weights", "truth"),
    [
        (PAIRS, (6, 10, 68, 10, 6), "no better"),
        (TABLE, WIDE, "no better"),
        (PAIRS, (3, 7, 64, 19, 7), "better"),  # mean 0.55
        ((0.0, 0.5, 1.0), (15, 50, 35), "better"),  # mean 0.6
        ((0.0, 0.5, 1.0), (30, 50, 20), "no better"),  # mean 0.45
    ],
)
def test_a_wrong_verdict_comes_in_about_one_contest_of_twenty_at_most(
    values: tuple[float, ...], weights: tuple[int, ...], truth: str
) -> None:
    verdicts, _ = simulate(values, weights)
    assert RUNS - verdicts[truth] <= 0.08 * RUNS  # 5 %, and what chance does to 200 contests


@pytest.mark.soak
@pytest.mark.parametrize(
    ("weights", "truth"), [((6, 10, 68, 10, 6), "no better"), ((3, 7, 64, 19, 7), "better")], ids=["equal", "better"]
)
def test_either_error_stays_below_its_promise_in_many_contests(
    weights: tuple[int, ...], truth: str, record_property: Callable[[str, object], None]
) -> None:
    """The two hypotheses themselves: no better at all, and better by the margin."""
    verdicts, sets = simulate(PAIRS, weights, runs=MANY_RUNS)
    wrong = 1 - verdicts[truth] / MANY_RUNS
    record_property(f"wrong where the truth is {truth}", f"{wrong:.2%}, {sets:.0f} sets a contest")
    assert wrong <= 0.055


def test_what_is_far_better_is_seen_sooner_than_what_is_close() -> None:
    close, far = (simulate((0.0, 0.5, 1.0), weights)[1] for weights in ((18, 50, 32), (5, 50, 45)))
    assert far < close / 2
    assert simulate((0.0, 0.5, 1.0), (25, 50, 25), margin=0.2)[1] < 40


def test_scores_that_are_all_the_same_are_judged_too() -> None:
    test = SequentialTest()
    assert test.verdict(test.ratio([1.0] * 40)) is Verdict.BETTER
    assert test.verdict(test.ratio([0.0] * 40)) is Verdict.NO_BETTER
    assert test.verdict(test.ratio([0.5] * 60)) is Verdict.NO_BETTER
    assert test.verdict(test.ratio([1.0] * 3)) is Verdict.OPEN
    assert test.ratio([]) == pytest.approx(0, abs=0.01)


def test_evidence_adds_up_and_its_sign_says_for_what_it_speaks() -> None:
    test = SequentialTest()
    mixed = [0.0, 0.5, 0.5, 1.0, 1.0, 1.0]
    assert 0 < test.ratio(mixed) < test.ratio(mixed * 3)
    assert test.ratio([1 - score for score in mixed]) < 0
    assert test.ratio(mixed) == test.ratio_of(Counter(mixed))


def test_halfway_between_both_hypotheses_there_is_hardly_any_evidence() -> None:
    assert SequentialTest(0.1).ratio([0.1, 1.0] * 20) == pytest.approx(0, abs=0.2)
    assert SequentialTest(0.1).ratio([0.0, 0.9] * 20) < -0.4
