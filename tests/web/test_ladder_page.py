"""The leaderboard as a page: orders, search, pages, and ranks that are the ladder's whatever is left out."""

from __future__ import annotations

import re

import pytest
from django.db.models import F
from django.test import Client

from ladder.ladders.models import Ladder
from ladder.ratings import leaderboard as board
from ladder.ratings.leaderboard import ORDERS
from ladder.ratings.models import Standing
from tests.ladder.cast import enrol, make_ladder, make_user, shown_at

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder(monkeypatch: pytest.MonkeyPatch) -> Ladder:
    """A ladder of seven bots, rated 7 to 1, the last two of them provisional; pages have three lines."""
    monkeypatch.setitem(board.leaderboard.__kwdefaults__, "limit", 3)
    made = make_ladder("gatsby")
    for number, version in enumerate(enrol(made, 7)):
        Standing.objects.filter(version=version).update(
            **shown_at(7 - number, is_provisional=number > 4), mu=30 - number, name=f"bot {number}", matches=number
        )
    return made


def ranks(page: str) -> list[str]:
    return re.findall(r'class="storey-rank"[^>]*>([^<]*)<', page)


def beside(page: str, arrow: str) -> str:
    """Where the link with this arrow leads; nothing when there is none."""
    found = re.search(rf'<a href="([^"]*)">[^<]*{arrow}[^<]*</a>', page)
    return found[1].replace("&amp;", "&") if found else ""


def read_on(client: Client, ladder: Ladder, asked: str) -> list[str]:
    """All pages from here on; the way back from the last leads to the one before."""
    where = f"/ladders/{ladder.slug}/"
    pages = [client.get(where + asked).content.decode()]
    while (following := beside(pages[-1], "→")) and len(pages) < 9:
        pages.append(client.get(where + following).content.decode())
    if len(pages) > 1:
        back = client.get(where + beside(pages[-1], "←")).content.decode()
        assert ranks(back) == ranks(pages[-2])
    return pages


@pytest.mark.parametrize("order", [order for order in ORDERS if order != "-rating"])
def test_every_order_has_pages_with_the_ranks_of_the_ladder(client: Client, ladder: Ladder, order: str) -> None:
    pages = read_on(client, ladder, f"?order={order}")
    assert len(pages) == 3
    assert sorted(rank for page in pages for rank in ranks(page)) == ["1", "2", "3", "4", "5", "–", "–"]


@pytest.mark.parametrize("order", ["", "-mu", "name"])
def test_bots_that_are_rated_highest_and_hardly_known_take_no_rank(client: Client, ladder: Ladder, order: str) -> None:
    """The others are ranked 1 to 5 on all pages, forth and back."""
    for place in Standing.objects.all():
        place_at = shown_at(place.rating, is_provisional=place.rating > 5)
        Standing.objects.filter(pk=place.pk).update(**place_at)
    pages = read_on(client, ladder, f"?order={order}")
    alone = [rank for page in pages for rank in ranks(page) if rank != "–"]
    assert re.findall(r"\d+", " ".join(alone))[0] == "1"
    assert re.findall(r"\d+", " ".join(alone))[-1] == "5"


def test_provisional_bots_stand_apart_and_say_how_many_matches_they_lack(client: Client, ladder: Ladder) -> None:
    Standing.objects.filter(rating__lt=7).update(is_provisional=True, board_key=F("rating") - 1000, missing=4)
    page = client.get(f"/ladders/{ladder.slug}/").content.decode()
    spans = re.findall(r'class="storey-rank"[^>]*rowspan="(\d)">([^<]*)<', page)
    assert spans == [("1", "1"), ("2", "–")]
    assert page.count("4 matches to go") == 2
    assert page.index("Provisional: not enough is known") < page.index("4 matches to go")


def test_the_table_says_place_first_and_trueskill(client: Client, ladder: Ladder) -> None:
    Standing.objects.filter(rating=7).update(storey=1, place_low=1, place_high=3, p_first=0.625)
    page = client.get(f"/ladders/{ladder.slug}/").content.decode()
    assert "1 to 3" in page
    assert "62 %" in page
    assert "30.0 <span" in page
    assert "TrueSkill</a>" not in client.get(f"/ladders/{ladder.slug}/?trueskill=off").content.decode()


def test_a_bot_compared_with_itself_is_not_told_as_missing(client: Client, ladder: Ladder) -> None:
    name = Standing.objects.first().bot.name
    page = client.get(f"/ladders/{ladder.slug}/compare/", {"a": name, "b": name}).content.decode()
    assert "Choose two different bots" in page
    assert "Bot not found" not in page


def test_the_api_ranks_as_the_page_does(client: Client, ladder: Ladder) -> None:
    Standing.objects.filter(rating=7).update(is_provisional=True, board_key=7 - 1000)
    rows = client.get(f"/api/v1/ladders/{ladder.slug}/leaderboard/?limit=9").json()["results"]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, None, None, None]
    assert [row["is_provisional"] for row in rows] == [row["rank"] is None for row in rows]


@pytest.mark.parametrize(("one", "other"), [(0, 6), (6, 0)])
def test_a_comparison_of_bots_far_apart_claims_neither_certainty_nor_no_matches(client, ladder, one, other) -> None:
    Standing.objects.update(sd=0.3)
    bots = [place.bot.name for place in Standing.objects.order_by("-rating")]
    page = client.get(f"/ladders/{ladder.slug}/compare/", {"a": bots[one], "b": bots[other]}).content.decode()
    assert ("over 99.9 %" if one < other else "under 0.1 %") in page
    assert "none: the difference is already clear" in page
    assert "about 0" not in page


def test_a_search_has_pages_that_keep_the_search_and_the_order(client: Client, ladder: Ladder) -> None:
    pages = read_on(client, ladder, "?q=bot&order=matches")
    assert [rank for page in pages for rank in ranks(page)] == ["1", "2", "3", "4", "5", "–", "–"]


def test_only_mine_has_pages_too(client: Client, ladder: Ladder) -> None:
    ann = make_user("ann")
    for place in Standing.objects.order_by("board_key")[1:6]:
        place.bot.owner = ann
        place.bot.save()
    client.force_login(ann)
    pages = read_on(client, ladder, "?mine=1")
    assert [rank for page in pages for rank in ranks(page)] == ["2", "3", "4", "5", "–"]


def test_a_column_head_orders_the_table_and_turns_it_round(client: Client, ladder: Ladder) -> None:
    page = client.get(f"/ladders/{ladder.slug}/?q=bot").content.decode()
    assert 'href="?q=bot&amp;order=-matches"' in page
    page = client.get(f"/ladders/{ladder.slug}/?q=bot&order=-matches").content.decode()
    assert 'href="?q=bot&amp;order=matches"' in page
    assert 'aria-sort="descending"' in page


def test_a_cursor_of_another_order_is_refused(client: Client, ladder: Ladder) -> None:
    following = beside(client.get(f"/ladders/{ladder.slug}/?order=mu").content.decode(), "→")
    answer = client.get(f"/ladders/{ladder.slug}/{following.replace('order=mu', 'order=sigma')}")
    assert answer.status_code == 400


def test_steps_are_explained_only_where_they_are_drawn(client: Client, ladder: Ladder) -> None:
    where = f"/ladders/{ladder.slug}/"
    assert 'class="howto"' in client.get(where).content.decode()
    other = client.get(f"{where}?order=name").content.decode()
    assert 'class="howto"' not in other
    assert "ranks are those of the full leaderboard" in other
