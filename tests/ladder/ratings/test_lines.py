"""From draws to lines of a table: who is ranked, places, storeys; triangles and predictions at their edges."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from types import SimpleNamespace

import numpy as np
import pytest

from arena.intervals import Z95, wilson
from ladder.ratings.calibration import BINS, Prediction, calibration_of
from ladder.ratings.cycles import FEWEST_SETS, cycles_of, pair_scores
from ladder.ratings.lines import FittedLine, lines_of, missing_matches, storeys_of
from ladder.ratings.models import BELOW_ALL, RANKED_MATCHES, RANKED_SD

WELL = 0.5 * RANKED_SD


def fit_of(ratings: list[float], *, sd: float = WELL, matches: int = 100, spread: float = 0.01) -> SimpleNamespace:
    """A fit of players who are known like this; what is drawn scatters a little around it."""
    rng = np.random.default_rng(7)
    draws = np.array(ratings) + spread * rng.standard_normal((400, len(ratings)))
    return SimpleNamespace(
        rating=np.array(ratings), sd=np.full(len(ratings), sd), matches=np.full(len(ratings), matches), draws=draws
    )


def lines(fit: SimpleNamespace, listed: set[int] | None = None) -> list[FittedLine]:
    of_version = {100 + player: player for player in range(len(fit.rating))}
    return lines_of(fit, of_version, set(of_version) if listed is None else listed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("matches", "sd", "missing"),
    [
        (RANKED_MATCHES, RANKED_SD, 0),
        (RANKED_MATCHES - 1, RANKED_SD, 1),
        (0, RANKED_SD, RANKED_MATCHES),
        (RANKED_MATCHES, 2 * RANKED_SD, 3 * RANKED_MATCHES),
        (10 * RANKED_MATCHES, 0.1, 0),
    ],
)
def test_a_newcomer_lacks_matches_or_certainty(matches: int, sd: float, missing: int) -> None:
    assert missing_matches(matches, sd) == missing


def test_a_provisional_line_stands_below_every_ranked_one() -> None:
    line = FittedLine(version=1, player=0, matches=1, rating=40.0, sd=1.0, missing=5)
    assert line.is_provisional
    assert line.board_key == 40.0 - BELOW_ALL
    assert replace(line, missing=0).board_key == 40.0


def test_lines_come_best_first_with_their_places() -> None:
    told = lines(fit_of([20.0, 30.0, 25.0]))
    assert [line.version for line in told] == [101, 102, 100]
    assert [(line.place_low, line.place_high, line.storey) for line in told] == [(1, 1, 1), (2, 2, 2), (3, 3, 3)]
    assert [line.p_first for line in told] == [1.0, 0.0, 0.0]


def test_equals_share_a_storey_and_their_places_overlap() -> None:
    told = lines(fit_of([25.0, 25.0, 10.0], spread=1.0))
    assert [line.storey for line in told] == [1, 1, 2]
    assert {(line.place_low, line.place_high) for line in told[:2]} == {(1, 2)}
    assert sum(line.p_first or 0 for line in told) == pytest.approx(1)


def test_who_is_not_listed_takes_nobody_s_place() -> None:
    told = {line.version: line for line in lines(fit_of([30.0, 20.0]), listed={101})}
    assert (told[100].place_low, told[100].storey) == (None, None)
    assert told[101].place_low == 1


def test_who_has_hardly_played_has_no_place() -> None:
    told = lines(fit_of([30.0, 20.0, 10.0], matches=1))
    assert all(line.is_provisional and line.place_low is None for line in told)


def test_who_always_wins_is_ranked_though_nobody_knows_by_how_much() -> None:
    told = lines(fit_of([60.0, 25.0, 24.0, 23.0], sd=5 * RANKED_SD))
    assert not told[0].is_provisional
    assert told[0].place_low == told[0].place_high == 1


def test_two_bots_are_not_ranked_by_their_place_alone() -> None:
    assert all(line.is_provisional for line in lines(fit_of([60.0, 20.0], sd=5 * RANKED_SD, spread=30.0)))


def test_one_bot_alone_or_none_makes_no_trouble() -> None:
    assert [line.place_low for line in lines(fit_of([25.0]))] == [1]
    assert lines(fit_of([])) == []


def test_equal_ratings_are_listed_by_the_older_version() -> None:
    assert [line.version for line in lines(fit_of([25.0, 25.0, 25.0]))] == [100, 101, 102]


@pytest.mark.parametrize(
    ("columns", "storeys"),
    [
        ([[3, 3, 3, 3]], [1]),
        ([[3, 3, 3, 3], [1, 1, 1, 1]], [1, 2]),
        ([[3, 3, 3, 3], [3, 1, 1, 1]], [1, 1]),
        ([[9, 9, 9, 9], [5, 5, 5, 5], [5, 4, 4, 4], [1, 1, 1, 1]], [1, 2, 2, 3]),
    ],
)
def test_a_storey_ends_where_its_first_is_almost_surely_better(columns: list[list[int]], storeys: list[int]) -> None:
    assert storeys_of(np.array(columns, dtype=float).T) == storeys


ROCK = {(1, 2): [1.0] * 60, (2, 3): [1.0] * 60, (1, 3): [0.0] * 60}


def test_rock_paper_scissors_is_one_triangle_told_from_its_smallest_number() -> None:
    found = cycles_of(ROCK)
    assert (found.triangles, len(found.holding)) == (1, 1)
    (triangle,) = found.holding
    assert [(edge.winner, edge.loser) for edge in triangle] == [(1, 2), (2, 3), (3, 1)]


@pytest.mark.parametrize("order", list(permutations([1, 2, 3])))
def test_a_triangle_is_found_whatever_its_bots_are_called(order: tuple[int, ...]) -> None:
    name = dict(zip((1, 2, 3), order, strict=True))
    scores = {}
    for (one, other), points in ROCK.items():
        pair, turned = (name[one], name[other]), (name[other], name[one])
        scores[min(pair, turned)] = points if pair < turned else [1 - point for point in points]
    assert len(cycles_of(scores).holding) == 1


def test_pairs_that_hardly_met_draw_no_edge() -> None:
    few = {pair: points[: FEWEST_SETS - 1] for pair, points in ROCK.items()}
    assert cycles_of(few).triangles == 0
    assert cycles_of({}).holding == ()


def test_an_order_has_triangles_and_none_that_goes_round() -> None:
    strict = {(1, 2): [1.0] * 60, (2, 3): [1.0] * 60, (1, 3): [1.0] * 60}
    assert (cycles_of(strict).triangles, cycles_of(strict).holding) == (1, ())


def test_even_pairs_have_no_winner() -> None:
    assert cycles_of({pair: [0.5] * 60 for pair in ROCK}).holding == ()


def test_points_of_a_pair_are_the_mean_of_a_set_from_the_first_one_s_side() -> None:
    tables = [(1, (7, 3), (1, 2)), (1, (3, 7), (2, 1)), (2, (7, 3), (1, 1)), (2, (3, 7), (1, 2))]
    assert pair_scores(tables) == {(3, 7): [0.0, 0.75]}


def test_a_bot_that_meets_itself_is_no_pair() -> None:
    assert pair_scores([(1, (3, 3), (1, 2))]) == {}
    assert pair_scores([]) == {}


@pytest.mark.parametrize(
    ("expected", "low", "high"), [(0.0, 0.0, 0.1), (0.05, 0.0, 0.1), (0.95, 0.9, 1.0), (1.0, 0.9, 1.0)]
)
def test_the_ends_belong_to_the_outer_bins(expected: float, low: float, high: float) -> None:
    (one,) = calibration_of([Prediction(expected, 1.0, 1)]).bins
    assert (one.low, one.high) == (pytest.approx(low), pytest.approx(high))
    assert BINS == 10


def test_the_brier_score_of_certainty_is_nothing_or_all() -> None:
    right, wrong = calibration_of([Prediction(1.0, 1.0, 1)]), calibration_of([Prediction(1.0, 0.0, 1)])
    assert (right.brier, right.gap, right.brier_even) == (0.0, 0.0, 0.25)
    assert (wrong.brier, wrong.gap) == (1.0, 1.0)


def test_a_draw_that_was_foreseen_costs_nothing() -> None:
    told = calibration_of([Prediction(0.5, 0.5, number) for number in range(20)])
    assert (told.brier, told.brier_even, told.holding) == (0.0, 0.0, 1)


def test_nothing_predicted_is_nothing_to_tell() -> None:
    assert calibration_of([]) is None


@pytest.mark.parametrize(("share", "count"), [(0.5, 10), (0.0, 3), (1.0, 3), (0.3, 1000)])
def test_an_interval_holds_its_share_and_narrows_with_certainty(share: float, count: int) -> None:
    low, high = wilson(share, count)
    assert 0 <= low <= share <= high <= 1
    wide = wilson(share, count, 2 * Z95)
    assert wide[0] <= low
    assert high <= wide[1]
