from __future__ import annotations

import pytest

from ladder.ratings.models import Ladder
from ladder.ratings.queries import by_seat, compare, history, opponents, seat_advantage
from ladder.ratings.services import rate_all
from tests.ladder.cast import enrol, make_ladder, play, standing

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder() -> Ladder:
    return make_ladder()


def test_history_is_thinned_and_keeps_its_ends(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    for _ in range(12):
        play(ladder, one, other, ranks=(1, 2))
    rate_all()
    whole = history(bot_id=one.bot_id, ladder=ladder)
    thin = history(bot_id=one.bot_id, ladder=ladder, most=5)
    assert len(whole) == 12
    assert (len(thin), thin[0], thin[-1]) == (5, whole[0], whole[-1])
    assert whole[-1].mu == standing(one, ladder).mu


def test_head_to_head_counts_who_ranked_above_whom() -> None:
    ladder = make_ladder("capone", 4)
    a, b, c, d = enrol(ladder, 4)
    play(ladder, a, b, c, d, ranks=(2, 1, 2, 4))
    play(ladder, b, a, c, d, ranks=(2, 1, 3, 4))
    rate_all()
    met = {
        row.bot_id: (row.matches, row.wins, row.draws, row.losses) for row in opponents(bot_id=a.bot_id, ladder=ladder)
    }
    assert met == {b.bot_id: (2, 1, 0, 1), c.bot_id: (2, 1, 1, 0), d.bot_id: (2, 2, 0, 0)}


def test_results_by_seat(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    play(ladder, one, other, ranks=(1, 2))
    play(ladder, one, other, ranks=(2, 1))
    play(ladder, other, one, ranks=(1, 2))
    rate_all()
    mine = by_seat(bot_id=one.bot_id, ladder=ladder)
    assert [(row.seat, row.matches, row.mean_rank, row.firsts) for row in mine] == [(0, 2, 1.5, 1), (1, 1, 2.0, 0)]
    assert [(row.seat, row.matches, row.firsts) for row in seat_advantage(ladder)] == [(0, 3, 2), (1, 3, 1)]


def test_a_comparison_says_who_is_probably_better(ladder: Ladder) -> None:
    one, other = enrol(ladder, 2)
    for _ in range(10):
        play(ladder, one, other, ranks=(1, 2))
    rate_all()
    verdict = compare(standing(one, ladder), standing(other, ladder))
    assert verdict.chance_to_be_better > verdict.chance_to_beat > 0.6
