"""CA 6 and 7: income, settlement, the end of the game and the income modes."""

from __future__ import annotations

import pytest

from tests.engines.capone.table import Table, mask, settlement, turns


def test_each_family_earns_its_pieces_on_illegal_sites() -> None:
    """CA 6.1"""
    table = turns("bakery")
    table.station(0, "bank1", "novice", guards=4)
    table.station(0, "bar2", guards=1)
    table.station(2, "casino1", "don")
    table.end_year()
    assert table.state.cash == [145, 100, 200]


def test_all_pieces_on_businesses_and_rest_places_come_home() -> None:
    """CA 6.2"""
    table = turns(["bakery bar", "bar bar", "bar bar"])
    table.state.marker[0] = 1
    table.do("use bakery")
    table.station(0, "bank1", "novice", guards=4)
    table.rest(1, "barber", "don")
    table.end_year()
    assert [table.family(seat)["guards"] for seat in (0, 1)] == [8, 8]
    assert table.state.home == [255, 255, 255]
    view = table.state.observe(None)
    assert {site["owner"] for site in view["sites"]} == {site["owner"] for site in view["legal"]} == {None}
    assert view["rests"] == {"penthouse": [], "barber": [], "restaurant": []}


def test_income_comes_before_the_settlement() -> None:
    """CA 6.3"""
    table = turns("bakery")
    table.state.cash[0] = 0
    table.station(0, "bank1", "don")
    table.end_year()
    assert table.legal() == ["invest 0", "invest 1"]


def test_a_settlement_runs_bail_then_rehire_then_invest() -> None:
    """CA 6.3"""
    table = settlement(cash=[300, 0, 0], marker=[0, 0, 0], park=[3, 0, 0], jailed="novice")
    assert table.legal() == ["bail novice", "rehire 0", "rehire 1", "rehire 2", "rehire 3"]
    table.do("bail novice")
    assert table.legal() == ["rehire 0", "rehire 1", "rehire 2", "rehire 3"]
    table.do("rehire 2")
    assert table.state.cash[0] == 270
    assert table.legal() == ["invest 0", "invest 1", "invest 2"]
    table.do("invest 2")
    assert (table.state.cash[0], table.state.marker[0]) == (70, 2)


def test_rehiring_ends_the_bails_and_investing_ends_the_settlement() -> None:
    """CA 6.3"""
    table = settlement(cash=[300, 100, 0], marker=[0, 0, 0], park=[1, 0, 0], jailed="novice")
    table.do("rehire 0")
    assert table.legal() == ["invest 0", "invest 1", "invest 2", "invest 3"]
    table.do("invest 0")
    assert (table.state.to_act, table.family(0)["prison"]) == (1, {"3": [], "2": ["novice"], "1": []})


def test_seats_settle_from_the_first_player_on_and_only_where_there_is_a_choice() -> None:
    """CA 6.3"""
    table = settlement(cash=[100, 95, 200], marker=[0, 9, 0])
    assert table.state.to_act == 0
    table.do("invest 0")
    assert table.state.to_act == 2


@pytest.mark.parametrize(
    ("cash", "marker", "left", "steps"),
    [(100, 3, 0, 3), (95, 3, 45, 2), (50, 3, 0, 2), (45, 3, 45, 1), (0, 2, 0, 0), (0, 3, 0, 1)],
)
def test_a_bail_that_cash_does_not_cover_sells_the_fewest_steps(cash: int, marker: int, left: int, steps: int) -> None:
    """CA 6.3"""
    table = settlement(cash=[cash, 0, 0], marker=[marker, 0, 0], jailed="don")
    table.do("bail don")
    assert (table.state.cash[0], table.state.marker[0]) == (left, steps)


def test_a_bail_or_rehire_beyond_all_means_is_not_offered() -> None:
    """CA 6.3"""
    table = settlement(cash=[5, 0, 0], marker=[1, 0, 0], park=[8, 8, 0], jailed="mamma right_hand")
    assert table.legal("bail") == ["bail right_hand"]
    table.do("bail right_hand")
    assert table.legal() == ["rehire 0", "rehire 1"]
    table.do("rehire 1")
    assert table.state.year == 2  # seat 1 has no means, nobody else has a choice


def test_a_rehire_sells_the_fewest_steps_too() -> None:
    """CA 6.3"""
    table = settlement(cash=[10, 0, 0], marker=[2, 0, 0], park=[8, 0, 0])
    assert table.legal("rehire") == [f"rehire {n}" for n in range(9)]
    table.do("rehire 8")
    assert (table.state.cash[0], table.state.marker[0], table.family(0)["guards"]) == (20, 1, 8)


def test_steps_are_never_sold_to_invest() -> None:
    """CA 6.3"""
    table = settlement(cash=[95, 100, 0], marker=[9, 0, 0])
    assert table.state.to_act == 1


def test_investing_stops_at_step_10() -> None:
    """CA 6.3"""
    table = settlement(cash=[500, 0, 0], marker=[8, 0, 0])
    assert table.legal() == ["invest 0", "invest 1", "invest 2"]


def test_a_seat_that_could_bail_but_do_nothing_else_ends_its_settlement_by_investing_nothing() -> None:
    """CA 6.3"""
    table = settlement(cash=[50, 0, 0], marker=[0, 0, 0], jailed="novice")
    assert table.legal() == ["bail novice", "invest 0"]


def test_park_bodyguards_not_rehired_leave_the_game_when_their_seat_has_settled() -> None:
    """CA 6.3"""
    table = settlement(cash=[300, 100, 0], marker=[0, 0, 0], park=[3, 0, 0])
    table.do("rehire 1")
    assert (table.family(0)["guards"], table.family(0)["park"], table.family(0)["lost"]) == (6, 2, 0)
    table.do("invest 0")
    assert (table.family(0)["guards"], table.family(0)["park"], table.family(0)["lost"]) == (6, 0, 2)


def test_bodyguards_of_a_seat_that_can_not_pay_leave_the_game_too() -> None:
    """CA 6.3"""
    table = settlement(cash=[0, 100, 0], marker=[0, 0, 0], park=[3, 0, 4])
    assert (table.family(0)["lost"], table.family(2)["park"]) == (3, 4)
    table.do("invest 1")
    assert table.state.year == 2
    assert [table.family(seat)["lost"] for seat in range(3)] == [3, 0, 4]


def over(cash: list[int], marker: list[int], dead: tuple[str, str, str] = ("", "", "")) -> Table:
    """The game after seat 0 invests its last step and the others nothing."""
    table = settlement(cash=[cash[0] + 100, *cash[1:]], marker=[marker[0] - 1, *marker[1:]])
    for seat, member in enumerate(dead):
        table.state.harbour[seat] = mask(member)
        table.state.home[seat] &= ~mask(member)
    table.do("invest 1")
    table.settle_nothing()
    return table


def test_the_game_ends_when_all_have_settled_and_a_marker_is_at_10() -> None:
    """CA 6.4"""
    table = settlement(cash=[100, 100, 0], marker=[9, 9, 0])
    table.do("invest 1")
    assert table.state.outcome() is None
    table.do("invest 1")
    outcome = table.state.outcome()
    assert outcome is not None
    assert (outcome.ending, outcome.scores, outcome.ranks) == ("million", (1000, 1000, 0), (1, 1, 3))
    assert table.legal() == []


@pytest.mark.parametrize(
    ("cash", "marker", "dead", "ranks"),
    [
        ([0, 90, 95], [10, 9, 9], ("", "", ""), (1, 3, 2)),  # marker, then cash
        ([0, 95, 95], [10, 9, 9], ("", "novice", "lawyer"), (1, 2, 3)),  # then living members
        ([0, 95, 95], [10, 9, 9], ("", "accountant", "secretary"), (1, 2, 2)),  # equal seats share
        ([0, 5, 0], [10, 0, 1], ("don", "", ""), (1, 3, 2)),
    ],
)
def test_seats_rank_by_marker_cash_and_living_members(
    cash: list[int], marker: list[int], dead: tuple[str, str, str], ranks: tuple[int, int, int]
) -> None:
    """CA 6.4"""
    outcome = over(cash, marker, dead).state.outcome()
    assert outcome is not None
    assert outcome.ranks == ranks


def test_prisoners_count_as_living_and_bodyguards_do_not_count() -> None:
    """CA 6.4"""
    table = over([0, 95, 95], [10, 9, 9])
    table.jail(1, 2, "don")
    table.state.lost[2] = 8
    assert table.state.outcome().ranks == (1, 2, 2)  # type: ignore[union-attr]


def test_the_game_ends_after_year_40_with_the_same_ranking() -> None:
    """CA 6.5"""
    table = turns("bakery", year=40)
    table.state.cash[:] = [100, 95, 95]
    table.state.marker[:] = [2, 3, 1]
    table.end_year()
    table.do("invest 0")
    outcome = table.state.outcome()
    assert outcome is not None
    assert (outcome.ending, outcome.ranks, outcome.scores) == ("year_limit", (2, 1, 3), (200, 300, 100))


def test_year_39_is_followed_by_year_40() -> None:
    """CA 6.5"""
    table = turns("bakery", year=39)
    table.end_year()
    table.settle_nothing()
    assert (table.state.year, table.state.outcome()) == (40, None)


@pytest.mark.parametrize(
    ("income", "earned"),
    [("pieces", 75 + 5 + 110), ("business", 20 + 30 + 5), ("threshold", 75 + 110), ("mixed", 50 + 35 + 105)],
)
def test_income_modes(income: str, earned: int) -> None:
    """CA 7"""
    table = turns("bakery", income=income)
    table.station(0, "casino1", "accountant secretary", guards=3)  # 75 on 20
    table.station(0, "bank1", guards=1)  # 5 on 30: below its value
    table.station(0, "bar1", "don", guards=2)  # 110 on 5
    table.end_year()
    assert table.state.cash == [100 + earned, 100, 100]
    assert table.state.observe(0)["options"] == {"income": income}


def test_threshold_pays_a_site_held_with_just_its_value() -> None:
    """CA 7"""
    table = turns("bakery", income="threshold")
    table.station(0, "bank1", guards=6)
    table.end_year()
    assert table.state.cash[0] == 130
