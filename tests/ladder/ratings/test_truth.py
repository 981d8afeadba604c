"""A ladder's page of truth: predictions, triangles, drift, and what it says while little is known."""

from __future__ import annotations

from random import Random

import pytest
from django.test import Client

from ladder.accounts.permissions import HOUSE
from ladder.ladders.models import Ladder
from ladder.ratings.calibration import Prediction, calibration_of
from ladder.ratings.cycles import cycles_of, pair_scores
from ladder.ratings.fits import fit_ladder
from ladder.ratings.models import RatingStep, Standing
from ladder.ratings.queries import shown_fit
from ladder.ratings.services import rate_all
from ladder.ratings.truth import truth_of
from tests.ladder.cast import enrol, make_ladder, make_user, play


def test_true_predictions_stand_on_the_diagonal() -> None:
    rng = Random(1923)
    chances = [rng.random() for _ in range(4000)]
    found = calibration_of([Prediction(p, float(rng.random() < p), at) for at, p in enumerate(chances)])
    assert found is not None
    assert (len(found.bins), found.pairs) == (10, 4000)
    assert found.holding >= 9
    assert found.gap < 0.03
    assert found.brier < found.brier_even == 0.25


def test_boasting_predictions_do_not() -> None:
    rng = Random(1923)
    chances = [rng.choice([0.05, 0.95]) for _ in range(2000)]
    found = calibration_of(
        [Prediction(p, float(rng.random() < 0.5 + (p - 0.5) / 3), at) for at, p in enumerate(chances)]
    )
    assert found is not None
    assert found.holding == 0
    assert found.gap == pytest.approx(0.3, abs=0.04)


def test_sets_not_matches_make_an_interval_narrow() -> None:
    alone = calibration_of([Prediction(0.5, at % 2, at) for at in range(100)])
    shared = calibration_of([Prediction(0.5, at % 2, at // 10) for at in range(100)])
    assert alone is not None
    assert shared is not None
    width = [each.bins[0].observed_high - each.bins[0].observed_low for each in (alone, shared)]
    assert width[1] > 2 * width[0]
    assert calibration_of([]) is None


def test_a_triangle_holds_when_all_three_edges_do() -> None:
    strong = {(1, 2): [1.0] * 20, (2, 3): [1.0] * 20, (1, 3): [0.0] * 20}
    found = cycles_of(strong)
    assert found.triangles == 1
    ((first, second, third),) = found.holding
    assert [(edge.winner, edge.loser) for edge in (first, second, third)] == [(1, 2), (2, 3), (3, 1)]
    assert min(edge.low for edge in (first, second, third)) > 0.5
    assert cycles_of({**strong, (1, 3): [0.0, 1.0] * 10}).holding == ()  # one edge is not shown
    assert cycles_of({**strong, (1, 3): [1.0] * 20}).holding == ()  # an order
    assert cycles_of({**strong, (1, 3): [0.0] * 4}).triangles == 0  # met too rarely


def test_chance_alone_makes_hardly_a_triangle() -> None:
    """Twenty equal bots in fifty fields: 5 % of the fields may show one."""
    rng = Random(7)
    fields = 0
    for _ in range(50):
        scores = {(a, b): [float(rng.random() < 0.5) for _ in range(12)] for a in range(20) for b in range(a)}
        fields += bool(cycles_of(scores).holding)
    assert fields <= 5


def test_matches_of_a_set_are_one_score_of_a_pair() -> None:
    tables = [(1, (7, 3), (1, 2)), (1, (3, 7), (1, 2)), (2, (7, 3), (1, 1)), (3, (3, 7), (1, 2))]
    assert pair_scores(tables) == {(3, 7): [0.5, 0.5, 1.0]}
    assert pair_scores([(1, (5, 2, 9), (1, 2, 3))]) == {(2, 5): [0.0], (2, 9): [1.0], (5, 9): [1.0]}


@pytest.fixture
def ladder(db: None) -> Ladder:
    return make_ladder("gatsby", 2)


def season(ladder: Ladder, rounds: int = 12) -> None:
    """A house bot and two others that beat each other in a circle, fitted twice."""
    house, one, other = enrol(ladder, 3)
    house.bot.owner = make_user(HOUSE)
    house.bot.save()
    for at in range(rounds):
        for first, second in ((house, one), (one, other), (other, house)):
            play(ladder, first, second, ranks=(1, 2) if at % 6 else (2, 1))
        if at in (rounds // 2, rounds - 1):
            rate_all()
            ladder.refresh_from_db()
            assert fit_ladder(ladder)


def test_predictions_are_those_made_before_the_match(ladder: Ladder) -> None:
    season(ladder)
    truth = truth_of(ladder, shown_fit(ladder))
    assert (truth.matches, truth.predicted) == (36, 36)
    assert truth.by_trueskill is not None
    assert truth.by_trueskill.pairs == 36
    assert truth.by_fit is not None
    assert truth.by_fit.pairs == 15  # what was rated after the first fit


def test_anchors_are_the_house_bots_in_windows_of_time(ladder: Ladder) -> None:
    season(ladder)
    (anchor,) = truth_of(ladder, shown_fit(ladder)).anchors
    assert anchor.name == Standing.objects.get(bot__owner__username=HOUSE).bot.name
    assert [window.sets for window in anchor.windows] == [12, 12]
    assert anchor.windows[0].until <= anchor.windows[1].since
    assert all(window.low < window.residual < window.high for window in anchor.windows)


def test_an_anchor_that_always_loses_has_no_narrow_interval(ladder: Ladder) -> None:
    house, one = enrol(ladder, 2)
    house.bot.owner = make_user(HOUSE)
    house.bot.save()
    for _ in range(10):
        play(ladder, house, one, ranks=(2, 1))
    rate_all()
    ladder.refresh_from_db()
    assert fit_ladder(ladder)
    ((window,),) = (anchor.windows for anchor in truth_of(ladder, shown_fit(ladder)).anchors)
    assert window.residual < 0 < window.high


def test_the_page_and_the_answer_tell_the_same(client: Client, ladder: Ladder) -> None:
    season(ladder)
    page = client.get(f"/ladders/{ladder.slug}/truth/").content.decode()
    told = client.get(f"/api/v1/ladders/{ladder.slug}/truth/").json()
    assert told["predicted"] == 36
    assert [window["sets"] for window in told["anchors"][0]["windows"]] == [12, 12]
    assert "In the last 36 rated matches" in page
    assert "of 2 periods" in page
    assert "style=" not in page
    assert told["transitivity"]["examined"] == 1
    assert len(told["shares"]["by_turn"]) == 2
    assert f"/ladders/{ladder.slug}/truth/" in client.get(f"/ladders/{ladder.slug}/").content.decode()


def test_a_young_ladder_says_what_is_to_come(client: Client, ladder: Ladder) -> None:
    page = client.get(f"/ladders/{ladder.slug}/truth/").content.decode()
    for told in ("No predictions yet", "Nothing is known yet", "Not tested yet", "Too little has been played"):
        assert told in page
    told = client.get(f"/api/v1/ladders/{ladder.slug}/truth/").json()
    assert (told["by_fit"], told["by_trueskill"], told["anchors"]) == (None, None, [])
    assert client.get("/ladders/chess-2/truth/").status_code == 404


@pytest.mark.django_db
def test_ratings_that_are_being_computed_anew_are_not_told_yet() -> None:
    ladder = make_ladder()
    one, other = enrol(ladder, 2)
    for _ in range(4):
        play(ladder, one, other, ranks=(1, 2))
    rate_all()
    for step in list(RatingStep.objects.all()):
        again = list(step.ratings.all())
        step.pk, step.edition = None, step.edition + 1
        step.save()
        for rating in again:
            rating.pk, rating.step, rating.edition = None, step, step.edition
            rating.save()
    ladder.refresh_from_db()
    told = truth_of(ladder, shown_fit(ladder))
    assert (told.matches, told.by_trueskill.pairs) == (4, 4)
