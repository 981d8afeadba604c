from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ladder.ladders.models import Ladder
from ladder.ratings import queries
from ladder.ratings.models import Rating
from ladder.ratings.queries import by_seat, history, opponents, rated_matches, seat_advantage
from ladder.ratings.services import rate_all
from tests.ladder.cast import enrol, make_ladder, make_version, play, standing

pytestmark = pytest.mark.django_db


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


def test_history_goes_over_all_versions_of_a_bot(ladder: Ladder) -> None:
    old, rival = enrol(ladder, 2)
    play(ladder, old, rival, ranks=(1, 2))
    rate_all()
    new = make_version(bot=old.bot)
    for version in (new, old, new):
        play(ladder, version, rival, ranks=(1, 2))
    rate_all()
    assert [point.version for point in history(bot_id=old.bot_id, ladder=ladder)] == [1, 2, 1, 2]
    assert list(Rating.objects.filter(bot=old.bot_id).order_by("step").values_list("nth", flat=True)) == [1, 2, 3, 4]
    assert rated_matches(bot_id=old.bot_id, ladder=ladder) == 4


def test_head_to_head_and_seats_look_back_over_the_latest_matches(
    ladder: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "LOOK_BACK", 3)
    one, early, late = enrol(ladder, 3)
    for rival in (early, early, early, late, late):
        play(ladder, one, rival, ranks=(1, 2))
    rate_all()
    met = {row.bot_id: row.matches for row in opponents(bot_id=one.bot_id, ladder=ladder)}
    assert met == {early.bot_id: 1, late.bot_id: 2}
    assert [row.matches for row in by_seat(bot_id=one.bot_id, ladder=ladder)] == [3]
    assert [row.matches for row in by_seat(bot_id=early.bot_id, ladder=ladder)] == [3]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="reads SQLite's query plan")
@pytest.mark.parametrize("ask", [history, opponents, by_seat, rated_matches])
def test_the_ratings_of_a_bot_are_read_by_their_count(ladder: Ladder, ask: Callable[..., object]) -> None:
    with CaptureQueriesContext(connection) as asked:
        ask(bot_id=1, ladder=ladder)
    of_ratings = [query["sql"] for query in asked if "ratings_rating" in query["sql"]]
    assert of_ratings
    for sql in of_ratings:
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN QUERY PLAN " + sql)
            plan = [row[3] for row in cursor.fetchall()]
        assert not [step for step in plan if step.startswith("SCAN ") and "ratings_rating" in step], plan
        assert any("(bot_id=? AND ladder_id=?" in step for step in plan), plan


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
