"""SE 3: how the pieces come onto the board."""

from __future__ import annotations

from random import Random

import pytest

from engines import GAMES, IllegalAction
from engines.speak_easy.tables import CELL_NAMES, PLACES
from tests.engines.speak_easy.setting import NORTH, SOUTH, moves_from, placed, play

GAME = GAMES["speak_easy"]


def offered(state) -> str:
    return "".join(sorted(state.format(action) for action in state.legal_actions()))


def random_placement(seed: int):
    state, rng = GAME.new(seed=seed), Random(seed)
    for _ in range(50):
        state.apply(rng.choice(state.legal_actions()))
    return state


def test_the_seed_draws_the_seat_that_moves_first() -> None:
    """SE 3.1"""
    firsts = [GAME.new(seed=seed).observe(0)["first"] for seed in range(400)]
    assert 160 < sum(firsts) < 240
    for seed in range(6):
        assert random_placement(seed).to_act == firsts[seed]


def test_all_streets_alleys_and_bars_of_a_seat_are_filled_and_buildings_are_empty() -> None:
    """SE 3.2"""
    view = random_placement(3).observe(None)
    cells = {piece["cell"] for piece in view["pieces"]}
    assert len(cells) == 50
    assert not cells & {f"{column}{row}" for column in "bd" for row in (3, 5, 8, 10)}
    assert not cells & {"c4", "c9"}


def test_a_building_may_be_entered_with_the_first_move() -> None:
    """SE 3.2"""
    state = placed()
    assert "b5" in moves_from(state, "b6")
    play(state, "b6-b5")


@pytest.mark.parametrize("seed", range(30))
def test_the_speakeasy_stands_on_a_bar_and_babes_in_the_two_rear_rows(seed: int) -> None:
    """SE 3.3, SE 3.4"""
    for piece in random_placement(seed).observe(None)["pieces"]:
        bars, rear = (({"b1", "d1"}, "12"), ({"b12", "d12"}, ("11", "12")))[piece["seat"]]
        assert piece["kind"] != "S" or piece["cell"] in bars
        assert piece["kind"] != "B" or piece["cell"][1:] in rear


def test_both_bars_can_hold_the_speakeasy() -> None:
    """SE 3.3"""
    assert "S" in offered(play(GAME.new(), "K"))
    assert offered(play(GAME.new(), *"KK1")) == "S"
    assert "S" not in offered(GAME.new())


def test_babes_can_stand_on_a_bar_and_must_go_into_the_rear_rows_in_time() -> None:
    """SE 3.4"""
    assert "B" in offered(play(GAME.new(), "K"))
    assert offered(play(GAME.new(), *"KS1K1F1")) == "B"
    assert offered(play(GAME.new(), *"KS1K1F1BB")) == "B"
    assert "B" not in offered(play(GAME.new(), *"KS1K1F1BBB"))


def test_a_babe_in_the_third_row_is_refused_with_the_reason() -> None:
    """SE 3.4"""
    state = play(GAME.new(), *"KSBBKK12BF")
    with pytest.raises(IllegalAction, match="B: seat 0 has no Babe left"):
        state.apply(state.parse("B"))
    with pytest.raises(IllegalAction, match="S: seat 0 has no Speakeasy left"):
        state.apply(state.parse("S"))


def test_every_other_piece_may_stand_anywhere() -> None:
    """SE 3.5"""
    assert offered(GAME.new()) == "12345678BFK"
    assert offered(play(GAME.new(), *"BSBKB12345")) == "12345678FK"
    rear_first = "8SBBB" + "7FFKK" + "K66" + "5544" + "332" + "22111"
    assert placed(south=rear_first).observe(0)["phase"] == "play"


def test_the_free_bar_may_hold_any_piece() -> None:
    """SE 3.5"""
    assert offered(play(GAME.new(), *"KS1")) == "12345678BFK"


def test_seat_0_places_all_its_pieces_from_the_rear_row_on_then_seat_1() -> None:
    """SE 3.6"""
    state, filled = GAME.new(), []
    for code in SOUTH + NORTH:
        filled.append((state.to_act, state.observe(None)["pending"]["place"]))
        state.apply(state.parse(code))
    columns = {1: "abcde", 2: "abcde", 3: "ace", 4: "abde", 5: "ace", 6: "abcde"}
    south = [f"{column}{row}" for row in columns for column in columns[row]]
    assert filled[:25] == [(0, cell) for cell in south]
    assert filled[25:] == [(1, f"{cell[0]}{13 - int(cell[1:])}") for cell in south]
    assert [CELL_NAMES[cell] for cell in PLACES[0]] == south
    assert state.observe(None)["pending"] is None


def test_a_kind_is_offered_only_while_some_are_left() -> None:
    """SE 3.6"""
    state = play(GAME.new(), "8")
    assert "8" not in offered(state)
    with pytest.raises(IllegalAction, match="8: seat 0 has no Boss left"):
        state.apply(state.parse("8"))


def test_what_is_left_to_place_is_told_to_the_owner_only() -> None:
    """SE 3.6, SE 7.3"""
    state = play(GAME.new(), *SOUTH, *NORTH[:24])
    assert state.observe(1)["unplaced"] == [None, {NORTH[24]: 1}]
    assert state.observe(0)["unplaced"] == [{}, None]
    assert state.observe(None)["unplaced"] == [{}, {NORTH[24]: 1}]


def test_a_move_during_setup_is_refused_with_the_reason() -> None:
    """SE 3.6"""
    with pytest.raises(IllegalAction, match="a6-a7: pieces are still being placed; seat 0 must fill a1"):
        play(GAME.new(), "a6-a7")


def test_the_speakeasy_off_the_bars_is_refused_with_the_reason() -> None:
    """SE 3.3"""
    with pytest.raises(IllegalAction, match="S: the Speakeasy stands on a bar, and a1 is none"):
        play(GAME.new(), "S")
    with pytest.raises(IllegalAction, match="K: d1 is needed for the Speakeasy"):
        play(GAME.new(), *"111K")
