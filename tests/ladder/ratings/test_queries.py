from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ladder.ratings.models import Ladder, Standing
from ladder.ratings.paging import Cursor, InvalidCursor
from ladder.ratings.queries import by_seat, compare, history, leaderboard, opponents, seat_advantage
from ladder.ratings.services import rate_all
from ladder.submissions.services import set_active
from tests.ladder.cast import enrol, make_ladder, make_user, make_version, play, standing

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder() -> Ladder:
    return make_ladder()


def spread(ladder: Ladder, count: int) -> list[Standing]:
    """Listed versions with ratings 1 to count, some shared."""
    for rating, version in enumerate(enrol(ladder, count)):
        Standing.objects.filter(version=version).update(rating=rating // 2)
    return list(Standing.objects.order_by("-rating", "id"))


def test_pages_follow_each_other_forth_and_back_without_gap_or_repeat(ladder: Ladder) -> None:
    expected = [place.pk for place in spread(ladder, 11)]
    pages, cursor = [], None
    while True:
        page = leaderboard(ladder, cursor=cursor, limit=4)
        pages.append(page)
        cursor = page.next
        if cursor is None:
            break
    assert [row.standing_id for page in pages for row in page.rows] == expected
    assert [row.rank for page in pages for row in page.rows] == list(range(1, 12))
    back = leaderboard(ladder, cursor=pages[2].previous, limit=4)
    assert back.rows == pages[1].rows
    assert leaderboard(ladder, cursor=back.previous, limit=4).rows == pages[0].rows
    assert pages[0].previous is None


def test_a_page_costs_one_query_wherever_it_is(ladder: Ladder) -> None:
    spread(ladder, 9)
    first = leaderboard(ladder, limit=3)
    for cursor in (None, first.next):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            leaderboard(ladder, cursor=cursor, limit=3)
        assert len(queries) == 1


@pytest.mark.skipif(connection.vendor != "sqlite", reason="reads SQLite's query plan")
def test_a_page_is_read_from_the_index(ladder: Ladder) -> None:
    spread(ladder, 5)
    page = leaderboard(ladder, limit=2)
    with CaptureQueriesContext(connection) as queries:
        leaderboard(ladder, cursor=page.next, limit=2)
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN QUERY PLAN " + queries[0]["sql"])
        plan = " ".join(row[3] for row in cursor.fetchall())
    assert "standing_leaderboard" in plan
    assert "TEMP B-TREE" not in plan


@pytest.mark.parametrize(
    "text", ["x", "W10", "bnVsbA", "!!!!", "WzEsMiwzXQ", "é", Cursor(1e300, 1, 1).text(), "A" * 999]
)
def test_a_cursor_nobody_gave_out_is_refused(ladder: Ladder, text: str) -> None:
    with pytest.raises(InvalidCursor):
        leaderboard(ladder, cursor=text)


def test_only_active_qualified_versions_are_listed(ladder: Ladder) -> None:
    old, rival = enrol(ladder, 2)
    new = make_version(bot=old.bot)
    Standing.objects.create(ladder=ladder, version=new, bot=new.bot)
    set_active(new.bot, new)
    assert {row.version_id for row in leaderboard(ladder).rows} == {new.pk, rival.pk}
    set_active(new.bot, old)
    assert {row.version_id for row in leaderboard(ladder).rows} == {old.pk, rival.pk}


def test_a_search_keeps_the_true_ranks(ladder: Ladder) -> None:
    places = spread(ladder, 6)
    third = places[2].bot
    third.name, third.owner = "Needle", make_user("ann")
    third.save()
    for found in (leaderboard(ladder, search="needl"), leaderboard(ladder, owner="ANN")):
        assert [(row.rank, row.bot, row.owner) for row in found.rows] == [(3, "Needle", "ann")]


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
