"""The end: politicians, scores, ranks."""

from __future__ import annotations

import pytest

from engines.cotton_club.scoring import Score, count_scores, rank
from engines.cotton_club.state import CottonClubState
from tests.engines.cotton_club.arranging import act, begun, clear_rows, legal, level, own, set_level, set_money


def before_the_end(seats: int = 3) -> CottonClubState:
    """One loan before the end of the last round, everyone with $1."""
    state = begun(seats)
    state.last_round = True
    state.event_pile = 0
    while len(state.observe(None)["log"]) < 2 * seats + (8 if seats == 2 else 3 * seats) - 1:
        act(state, "loan" if "loan" in legal(state) else "salvatore loan")
    for seat in range(seats):
        set_money(state, seat, 1)
    return state


def test_politicians_are_asked_in_reverse_turn_order() -> None:
    """CC 8.1"""
    state = before_the_end()
    for seat in range(3):
        own(state, seat, f"C0{6 + seat}")
        set_money(state, seat, 3)
    set_level(state, "initiative", 1, 2)
    act(state, "loan")
    asked = []
    while state.to_act is not None:
        assert state.observe(0)["phase"] == "politicians"
        asked.append(state.to_act)
        act(state, "bribe 0")
    assert asked == [2, 0, 1]


def test_a_seat_without_politicians_or_money_is_not_asked() -> None:
    """CC 8.1"""
    state = before_the_end()
    own(state, 0, "C06")
    set_money(state, 0, 2)
    set_money(state, 1, 30)
    act(state, "loan")
    assert state.to_act is None


def test_a_seat_uses_as_many_politicians_as_it_has_and_can_pay() -> None:
    """CC 8.1"""
    state = before_the_end()
    own(state, 0, "C06", "C07", "C08")
    set_money(state, 0, 8)
    act(state, "loan")
    assert legal(state) == ["bribe 0", "bribe 1", "bribe 2"]
    act(state, "bribe 2")
    assert (state.money[0], level(state, "criminality", 0)) == (2, 1)
    assert state.to_act is None


def test_a_bribe_at_level_zero_is_reputation() -> None:
    """CC 8.1"""
    state = before_the_end()
    own(state, 0, "C06", "C07", "C08")
    set_money(state, 0, 9)
    set_level(state, "criminality", 0, 1)
    act(state, "loan", "bribe 3")
    assert (level(state, "criminality", 0), state.reputation[0]) == (0, 7)


def test_the_parts_of_a_score() -> None:
    """CC 8.2"""
    state = begun()
    own(state, 0, "G16", "I07", "C12")  # 2 + 5 + 8
    set_money(state, 0, 14)
    set_level(state, "influence", 0, 9)
    set_level(state, "criminality", 2, 4)
    score = count_scores(state)[0]
    assert score == Score(track=5, cards=15, money=2, influence=3, initiative=2, criminality=-3, weapons=2)
    assert score.total == 5 + 15 + 2 + 3 + 2 - 3


def test_stacks_decide_who_is_first() -> None:
    """CC 8.2"""
    state = begun()
    for seat in (0, 2, 1):
        for track in ("influence", "initiative", "criminality"):
            set_level(state, track, seat, 5)
    scores = count_scores(state)
    assert [score.influence for score in scores] == [0, 3, 0]
    assert [score.initiative for score in scores] == [0, 2, 0]
    assert [score.criminality for score in scores] == [0, -5, -3]


def test_criminality_costs_also_at_level_zero() -> None:
    """CC 8.2"""
    assert [score.criminality for score in count_scores(begun(4))] == [-5, -3, 0, 0]


def test_with_two_seats_only_the_first_on_criminality_loses() -> None:
    """CC 8.2"""
    assert [score.criminality for score in count_scores(begun(2))] == [-3, 0]


def scored(total: int, weapons: int) -> Score:
    return Score(track=total, cards=0, money=0, influence=0, initiative=0, criminality=0, weapons=weapons)


@pytest.mark.parametrize(
    ("scores", "ranks"),
    [
        ([(30, 1), (40, 0), (20, 9)], (2, 1, 3)),
        ([(30, 1), (30, 2), (20, 9)], (2, 1, 3)),
        ([(30, 2), (30, 2), (20, 9)], (1, 1, 3)),
        ([(40, 0), (30, 2), (30, 2), (30, 1)], (1, 2, 2, 4)),
        ([(-4, 0), (-4, 0)], (1, 1)),
    ],
)
def test_ranks_by_score_then_weapons_and_equal_seats_share(
    scores: list[tuple[int, int]], ranks: tuple[int, ...]
) -> None:
    """CC 8.3"""
    assert rank([scored(*one) for one in scores]) == ranks


def test_the_outcome_and_its_parts_are_shown_when_the_game_is_over() -> None:
    """CC 8.3"""
    state = before_the_end()
    state.round = 6
    clear_rows(state)
    assert state.observe(0)["outcome"] is state.observe(0)["scoring"] is None
    act(state, "loan")
    outcome, view = state.outcome(), state.observe(1)
    assert outcome is not None
    assert view["outcome"] == {"ranks": list(outcome.ranks), "scores": list(outcome.scores), "ending": "six_rounds"}
    assert [part["total"] for part in view["scoring"]] == list(outcome.scores)
    # seat 2 moved last on criminality and lies on top; influence 2 and 6 dollars are its too
    assert list(outcome.scores) == [5 + 2 + 0, 5 - 3, 5 + 3 + 1 - 5]
    assert list(outcome.ranks) == [1, 3, 2]
