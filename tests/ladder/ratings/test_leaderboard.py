from __future__ import annotations

import itertools

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ladder.ladders.models import Ladder
from ladder.qualifying.activation import set_active
from ladder.ratings import leaderboard as board
from ladder.ratings.leaderboard import BEST_FIRST, ORDERS, UnknownOrder, leaderboard
from ladder.ratings.models import Standing
from ladder.ratings.paging import Cursor, InvalidCursor, Listing
from ladder.ratings.ranks import ranked_above
from tests.ladder.cast import enrol, make_ladder, make_user, make_version, shown_at

pytestmark = pytest.mark.django_db
OTHER_ORDERS = sorted(set(ORDERS) - {BEST_FIRST})


def spread(ladder: Ladder, count: int) -> list[Standing]:
    """Listed versions whose columns all stand in orders of their own, some values shared; all known well."""
    for number, version in enumerate(enrol(ladder, count)):
        Standing.objects.filter(version=version).update(
            **shown_at(number // 2, sd=number % 6),
            mu=-number % 5,
            sigma=0.5 + number % 3 / 4,
            matches=number % 4,
            faults=number % 2,
        )
    return list(Standing.objects.order_by("-board_key", "id"))


def all_pages(ladder: Ladder, **asked: str) -> list[board.BoardPage]:
    pages = [leaderboard(ladder, limit=4, **asked)]
    while pages[-1].next and len(pages) < 9:
        pages.append(leaderboard(ladder, limit=4, cursor=pages[-1].next, **asked))
    return pages


def test_pages_follow_each_other_forth_and_back_without_gap_or_repeat(ladder: Ladder) -> None:
    expected = [place.pk for place in spread(ladder, 11)]
    pages = all_pages(ladder)
    assert [row.standing_id for page in pages for row in page.rows] == expected
    assert [row.rank for page in pages for row in page.rows] == list(range(1, 12))
    back = leaderboard(ladder, cursor=pages[2].previous, limit=4)
    assert back.rows == pages[1].rows
    assert leaderboard(ladder, cursor=back.previous, limit=4).rows == pages[0].rows
    assert pages[0].previous is None


def loosened(ladder: Ladder, count: int) -> dict[int, int | None]:
    """The same with every third line provisional, the best rated among them: ids and the ranks they should have."""
    places, ranks = spread(ladder, count), itertools.count(1)
    for place in places[::3]:
        Standing.objects.filter(pk=place.pk).update(**shown_at(place.rating, is_provisional=True))
    return {place.pk: None if index % 3 == 0 else next(ranks) for index, place in enumerate(places)}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("search", ["", "bot"])
def test_a_provisional_line_has_no_rank_and_takes_none(ladder: Ladder, order: str, search: str) -> None:
    expected = loosened(ladder, 11)
    pages = all_pages(ladder, order=order, search=search)
    assert {row.standing_id: row.rank for page in pages for row in page.rows} == expected
    for earlier, later in itertools.pairwise(pages):
        assert leaderboard(ladder, order=order, search=search, cursor=later.previous, limit=4).rows == earlier.rows


def test_provisional_lines_stand_below_all_ranked_ones_however_they_are_rated(ladder: Ladder) -> None:
    loosened(ladder, 11)
    rows = [row for page in all_pages(ladder) for row in page.rows]
    assert [row.is_provisional for row in rows] == [False] * 7 + [True] * 4
    assert max(row.rating for row in rows[7:]) == max(row.rating for row in rows)


def test_a_page_costs_one_query_wherever_it_is(ladder: Ladder) -> None:
    spread(ladder, 9)
    first = leaderboard(ladder, limit=3)
    for cursor in (None, first.next):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            leaderboard(ladder, cursor=cursor, limit=3)
        assert len(queries) == 1


@pytest.mark.parametrize("order", OTHER_ORDERS)
def test_every_order_is_paged_forth_and_back_with_the_ranks_of_the_table(ladder: Ladder, order: str) -> None:
    ranks_by_id = {place.pk: rank for rank, place in enumerate(spread(ladder, 11), start=1)}
    pages = all_pages(ladder, order=order)
    rows = [row for page in pages for row in page.rows]
    values = [getattr(row, ORDERS[order].column) for row in rows]
    assert values == sorted(values, reverse=order.startswith("-"))
    assert {row.standing_id: row.rank for row in rows} == ranks_by_id
    assert len(rows) == len(ranks_by_id)
    back = leaderboard(ladder, order=order, cursor=pages[2].previous, limit=4)
    assert back.rows == pages[1].rows


@pytest.mark.skipif(connection.vendor != "sqlite", reason="reads SQLite's query plan")
@pytest.mark.parametrize("order", ORDERS)
def test_a_page_is_read_from_the_index_of_its_order(ladder: Ladder, order: str) -> None:
    spread(ladder, 5)
    page = leaderboard(ladder, order=order, limit=2)
    with CaptureQueriesContext(connection) as queries:
        leaderboard(ladder, order=order, cursor=page.next, limit=2)
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN QUERY PLAN " + queries[0]["sql"])
        plan = " ".join(row[3] for row in cursor.fetchall())
    column = order.strip("-")
    index = {"rating": "standing_leaderboard", "version": "autoindex"}.get(column, f"standing_by_{column}")
    assert f"ratings_standing USING INDEX {'sqlite_' * (index == 'autoindex')}{index}" in plan
    assert "TEMP B-TREE" not in plan


@pytest.mark.parametrize("order", ["", "skill", "--mu", "-bot__owner__password"])
def test_an_order_that_is_none_is_refused_with_those_that_are(ladder: Ladder, order: str) -> None:
    with pytest.raises(UnknownOrder, match="the orders are rating, -rating, sd, -sd, mu"):
        leaderboard(ladder, order=order)


@pytest.mark.parametrize(
    "text",
    ["x", "W10", "bnVsbA", "!!!!", "WzEsMiwzXQ", "é", Cursor(1e300, 1, 1).text(Listing(BEST_FIRST)), "A" * 999],
)
def test_a_cursor_nobody_gave_out_is_refused(ladder: Ladder, text: str) -> None:
    with pytest.raises(InvalidCursor):
        leaderboard(ladder, cursor=text)


@pytest.mark.parametrize("asked", [{"order": "mu"}, {"order": "name"}, {"search": "bot"}, {"owner": "ann"}])
def test_a_cursor_of_another_list_is_refused(ladder: Ladder, asked: dict[str, str]) -> None:
    spread(ladder, 3)
    cursor = leaderboard(ladder, limit=1).next
    with pytest.raises(InvalidCursor):
        leaderboard(ladder, cursor=cursor, **asked)


def test_only_active_qualified_versions_are_listed(ladder: Ladder) -> None:
    old, rival = enrol(ladder, 2)
    new = make_version(bot=old.bot)
    Standing.objects.create(ladder=ladder, version=new, bot=new.bot)
    set_active(new.bot, new)
    assert {row.version_id for row in leaderboard(ladder).rows} == {new.pk, rival.pk}
    set_active(new.bot, old)
    assert {row.version_id for row in leaderboard(ladder).rows} == {old.pk, rival.pk}


def name(place: Standing, bot: str, owner: str = "") -> None:
    """Call a bot so, on its ladder too."""
    place.bot.name, place.bot.owner = bot, make_user(owner) if owner else None
    place.bot.save()
    Standing.objects.filter(pk=place.pk).update(name=bot.lower())


@pytest.mark.parametrize("few", [0, 2000])
@pytest.mark.parametrize("asked", [{"search": "needl"}, {"search": "AN"}, {"owner": "ANN"}])
def test_a_search_keeps_the_true_ranks(
    ladder: Ladder, asked: dict[str, str], few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "FEW", few)
    name(spread(ladder, 6)[2], "Needle", "ann")
    assert [(row.rank, row.bot, row.owner) for row in leaderboard(ladder, **asked).rows] == [(3, "Needle", "ann")]


@pytest.mark.parametrize("few", [0, 2000])
def test_a_search_has_pages_like_any_list(ladder: Ladder, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "FEW", few)
    places = spread(ladder, 12)
    for number, place in enumerate(places[::2]):
        name(place, f"Needle {number}", f"finder{number}" if number % 2 else "")
    pages = all_pages(ladder, order="-matches", search="needle")
    assert [len(page.rows) for page in pages] == [4, 2]
    assert {row.rank for page in pages for row in page.rows} == {1, 3, 5, 7, 9, 11}
    assert leaderboard(ladder, order="-matches", search="needle", limit=4, cursor=pages[1].previous) == pages[0]


def test_a_new_place_is_found_by_the_name_of_its_bot(ladder: Ladder) -> None:
    version = enrol(ladder, 2)[0]
    assert [row.bot_id for row in leaderboard(ladder, search=version.bot.name.upper()).rows] == [version.bot_id]


@pytest.mark.parametrize("wanted", [(), (4,), (0, 8), (8, 3, 4, 5), tuple(range(9))])
def test_any_lines_of_a_ladder_get_their_ranks_in_one_query(ladder: Ladder, wanted: tuple[int, ...]) -> None:
    spread(make_ladder("gatsby"), 3)  # whose lines are not counted
    for rating, version in zip((5, 5, 5, 7, 1, 3, 3, 5, 9), enrol(ladder, 9), strict=True):
        Standing.objects.filter(version=version).update(**shown_at(rating))
    places = list(Standing.objects.filter(ladder=ladder).order_by("-board_key", "id"))
    lines = {(place.board_key, place.pk): above for above, place in enumerate(places)}
    asked = [list(lines)[index] for index in wanted]
    with CaptureQueriesContext(connection) as queries:
        assert ranked_above(ladder, asked) == {line: lines[line] for line in asked}
    assert len(queries) == bool(wanted)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="reads SQLite's query plan")
def test_ranks_are_counted_along_the_index_alone(ladder: Ladder) -> None:
    with CaptureQueriesContext(connection) as queries:
        ranked_above(ladder, [(5.0, 1), (5.0, 3), (2.0, 4)])
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN QUERY PLAN " + queries[0]["sql"])
        plan = [row[3] for row in cursor.fetchall() if "ratings_standing" in row[3]]
    assert len(plan) == 7
    assert all("COVERING INDEX standing_leaderboard (ladder_id=? AND board_key" in step for step in plan), plan


@pytest.mark.parametrize("order", ORDERS)
def test_the_whole_ladder_has_the_lines_of_a_search_that_fits_all(ladder: Ladder, order: str) -> None:
    spread(ladder, 11)
    whole, found = all_pages(ladder, order=order), all_pages(ladder, order=order, search="bot")
    assert [page.rows for page in whole] == [page.rows for page in found]
    assert all(row.updated_at.tzinfo for page in whole for row in page.rows)
