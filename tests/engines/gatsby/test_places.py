"""Cabaret, finance centre and racetrack."""

from __future__ import annotations

import pytest

from engines.gatsby.game import GAME
from engines.gatsby.state import GatsbyState
from tests.engines.gatsby.scene import asked, legal, play, scene, see

LEFT_COLUMN_SHORT_OF_ONE = ("0.....", "01....", "0.....", "0.....", "0.....", "......")


def claimed(state: GatsbyState, seat: int) -> list[str]:
    return [entry["character"] for entry in see(state, "claimed")[seat]]


def test_a_chain_from_row_0_to_row_5_wins_k1() -> None:
    """GA 2.1"""
    state = play(scene(cabaret=LEFT_COLUMN_SHORT_OF_ONE), "M2 c50")
    assert claimed(state, 0) == ["blue2"]
    assert see(state, "places")["K1"] is None


def test_a_chain_from_column_0_to_column_5_wins_k2_and_may_wind() -> None:
    """GA 2.1"""
    winding = ("......", ".1.000", "..00..", ".00...", "......", "......")
    state = play(scene(cabaret=winding), "M2 c30")
    assert claimed(state, 0) == ["red1a"]


def test_a_chain_joined_only_by_a_corner_wins_nothing() -> None:
    """GA 2.1"""
    broken = ("0.....", "01....", "0.....", "0.....", ".0....", ".0....")
    state = play(scene(cabaret=broken), "M2 c42")
    assert claimed(state, 0) == []


def test_a_chain_that_wraps_around_the_edge_wins_nothing() -> None:
    """GA 2.1"""
    wrapped = ("......", ".1....", "....00", "00....", "......", "......")
    state = play(scene(cabaret=wrapped), "M2 c32")
    assert claimed(state, 0) == []


TRACKS_WITH_OWN_TOKENS = [
    ("0....", ".....", ".....", "...", "..."),
    ("0000.", "0....", ".....", "...", "..."),
    ("0000.", "0000.", "0000.", "...", "..."),
]


@pytest.mark.parametrize("tracks", TRACKS_WITH_OWN_TOKENS, ids=["one", "five", "all"])
def test_a_chain_does_not_run_through_tokens_on_the_racetrack(tracks: tuple[str, ...]) -> None:
    """GA 2.1"""
    broken = ("......", ".1....", "......", "......", ".000..", "0...00")
    state = play(scene(cabaret=broken, tracks=tracks), "M3 t5")
    assert see(state, "places")["K2"] == "red1a"


def test_a_game_in_which_the_racetrack_once_closed_a_chain() -> None:
    """GA 2.1: seat 1 has c50 and c55 and a token in every column, and t11 as well"""
    moves = (
        "pick:S7 c41 M4 t3 t4 M1 c42 c43 M3 t5 M2 c32 M3 t3 S7 x:F10 x:R5 s:c43 s:t41 M3 t4 M1 c53 c54 M4 t3 skip:A t4 "
        "skip:X M3 take:S s:c41 s:c43 t1 M2 c40 skip:I skip:X M1 c55 c45 skip:A M2 c44 M1 c50 c51"
    )
    state = play(GAME.new(seed=1248), moves)
    assert see(state, "places")["K2"] is not None
    assert claimed(state, 1) == []


def test_four_own_circles_win_k3() -> None:
    """GA 2.1"""
    state = play(scene(cabaret=("......", ".0..0.", "......", "......", ".01...", "......")), "M1 c43 c44")
    assert claimed(state, 0) == ["green1"]


def test_a_token_goes_next_to_any_token_and_not_by_a_corner() -> None:
    """GA 2.2"""
    state = play(scene(), "M2")
    assert legal(state) == ["c01", "c10", "c12", "c21"]


def test_a_token_never_goes_on_another() -> None:
    """GA 2.2"""
    state = play(scene(), "M1 c12 c13 M2")
    assert legal(state) == ["c01", "c02", "c03", "c10", "c14", "c21", "c22", "c23"]


@pytest.mark.parametrize("floors", [(4, 4), (4, 3)])
def test_reaching_a_floor_claims_its_character(floors: tuple[int, int]) -> None:
    """GA 2.3"""
    state = play(scene(floors=floors), "M3 t1")
    assert claimed(state, 0) == ["yellow0"]
    assert see(state, "places")["F5"] is None


def test_passing_a_floor_claims_its_character() -> None:
    """GA 2.3"""
    state = play(scene(floors=(3, 4), slots=("S6", None)), "S6")
    assert see(state, "floors") == [6, 4]
    assert claimed(state, 0) == ["yellow0"]


def test_the_character_is_claimed_at_the_end_of_the_turn_only() -> None:
    """GA 2.3"""
    state = play(scene(floors=(4, 4)), "M3")
    assert see(state, "floors") == [5, 4]
    assert see(state, "places")["F5"] == "yellow0"
    play(state, "t1")
    assert see(state, "places")["F5"] is None


def test_the_bonus_under_a_character_is_not_for_the_seat_that_comes_first() -> None:
    """GA 2.3"""
    state = play(scene(floors=(4, 4), tracks=("0....", "1....", ".....", "...", "...")), "M3")
    assert asked(state) == "track"


@pytest.mark.parametrize(("floors", "bonus"), [((4, 5), "S"), ((9, 10), "D"), ((14, 15), "F")], ids=["5", "10", "15"])
def test_the_bonus_under_a_character_is_for_the_seat_that_comes_second(floors: tuple[int, int], bonus: str) -> None:
    """GA 2.3"""
    passed = {place: 1 for place, floor in (("F5", 5), ("F10", 10), ("F15", 15)) if floor <= floors[1]}
    state = play(scene(floors=floors, claimed=passed, tracks=("0....", "1....", ".....", "...", "...")), "M3")
    assert legal(state) == [f"take:{bonus}", f"skip:{bonus}"]


@pytest.mark.parametrize(("floor", "bonus"), [(6, "X"), (11, "I")])
@pytest.mark.parametrize("seat", [0, 1])
def test_open_bonuses_are_for_each_seat_once(floor: int, bonus: str, seat: int) -> None:
    """GA 2.3"""
    claims = {"F5": 0} if floor < 10 else {"F5": 0, "F10": 0}
    state = play(scene(to_act=seat, floors=(floor, floor), claimed=claims), "M3")
    assert legal(state) == [f"take:{bonus}", f"skip:{bonus}"]


def test_the_top_floor_has_no_bonus() -> None:
    """GA 2.3"""
    state = play(scene(floors=(19, 3), claimed={"F5": 0, "F10": 1, "F15": 1}), "M3")
    assert (see(state, "floors"), asked(state)) == ([20, 3], "track")


@pytest.mark.parametrize(("floors", "reached"), [((3, 4), 5), ((3, 3), 4), ((4, 3), 5), ((1, 4), 3)])
def test_an_advance_is_two_floors_from_below_and_one_otherwise(floors: tuple[int, int], reached: int) -> None:
    """GA 2.4"""
    state = play(scene(floors=floors), "M3")
    assert see(state, "floors") == [reached, floors[1]]


def test_each_advance_looks_at_the_floors_anew() -> None:
    """GA 2.4"""
    state = play(scene(floors=(1, 2), slots=("S6", None)), "S6")
    assert see(state, "floors") == [4, 2]


def test_tracks_are_filled_from_the_left() -> None:
    """GA 2.5"""
    state = play(scene(tracks=("01...", ".....", ".....", "...", "...")), "M3 t1 ")
    assert see(state, "tracks")[0] == "010.."


def test_a_full_track_goes_to_the_majority_and_is_closed() -> None:
    """GA 2.5"""
    state = play(scene(tracks=(".....", ".....", ".....", "...", "11.")), "M3 t5 skip:I")
    assert claimed(state, 1) == ["blue0"]
    assert see(state, "tracks")[4] is None
    assert see(state, "supply") == [20, 19]
    assert "t5" not in legal(play(state, "M4"))


def test_until_the_end_of_the_turn_a_full_track_takes_no_token_but_its_tokens_can_be_swapped() -> None:
    """GA 2.5"""
    state = play(scene(tracks=(".....", "1100.", ".....", "...", "...")), "M4 t2 take:S")
    assert "s:t25" in legal(state)
    play(state, "s:t25 s:c11")
    assert legal(state) == ["t1", "t3", "t4", "t5"]
    play(state, "t1")
    assert claimed(state, 1) == ["yellow2"]
    assert claimed(state, 0) == []


def test_the_claim_takes_the_character_that_x_left_on_a_full_track() -> None:
    """GA 2.5"""
    state = play(scene(tracks=(".....", ".....", ".....", "00.", "...")), "M3 t4 take:X x:F10 x:R4 x:swap")
    assert claimed(state, 0) == ["blue3"]
    assert see(state, "known")["F10"] == "red1b"


@pytest.mark.parametrize(
    ("run", "track", "bonus"),
    [
        ("01...", 1, "X"), ("0101.", 1, "F"), ("01...", 2, "I"), ("0101.", 2, "S"),
        ("01...", 3, "A"), ("0101.", 3, "D"), ("01.", 4, "X"), ("01.", 5, "I"),
    ],
)  # fmt: skip
def test_tracks_have_their_bonuses(run: str, track: int, bonus: str) -> None:
    """GA 2.5"""
    tracks = [".....", ".....", ".....", "...", "..."]
    tracks[track - 1] = run
    state = play(scene(tracks=tracks), f"M4 t{track}")
    assert legal(state) == [f"take:{bonus}", f"skip:{bonus}"]
