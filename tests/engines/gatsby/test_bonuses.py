"""The six bonuses."""

from __future__ import annotations

import pytest

from engines.gatsby.game import GAME
from engines.gatsby.tables import BONUS_NUMBER, FLOOR_BONUS, NONE
from tests.engines.gatsby.scene import asked, legal, play, scene, see

ON_TRACKS = ("0....", "1....", ".....", "...", "...")


def test_a_bonus_may_be_skipped() -> None:
    """GA 5.1"""
    state = play(scene(), "M2 c21 skip:A")
    assert (see(state, "floors"), state.to_act) == ([1, 0], 1)


def test_a_bonus_is_offered_at_once_before_the_next_step() -> None:
    """GA 5.1"""
    state = play(scene(), "M1 c21")
    assert (asked(state), legal(state)) == ("offer", ["take:A", "skip:A"])
    assert asked(play(state, "take:A")) == "cabaret_next"


def test_bonuses_go_depth_first() -> None:
    """GA 5.1: A fires X on floor 7 before M1 goes on, and I on a track fires A there"""
    state = play(scene(floors=(6, 6), claimed={"F5": 0}), "M1 c21 take:A")
    assert legal(state) == ["take:X", "skip:X"]
    state = play(scene(tracks=(".....", "10...", "10...", "...", "...")), "M4 t2 take:I t3")
    assert (legal(state), see(state, "pending")["offers"]) == (["take:A", "skip:A"], ["A"])
    assert asked(play(state, "take:A")) == "track"


def test_a_bonus_taken_must_be_carried_out() -> None:
    """GA 5.1"""
    state = play(scene(tracks=(".....", "10...", ".....", "...", "...")), "M4 t2 take:I")
    assert asked(state) == "influence"
    assert all(text[0] in "ct" for text in legal(state))


def test_an_advance_finishes_before_its_bonuses() -> None:
    """GA 5.1: two floors are climbed, then the bonus on the first of them is offered"""
    state = play(scene(floors=(6, 8), claimed={"F5": 1}), "M3")
    assert (see(state, "floors"), legal(state)) == ([8, 8], ["take:X", "skip:X"])


def test_what_a_bonus_fires_comes_before_what_was_waiting() -> None:
    """GA 5.1: I and F wait; the token of I fires A, which is offered before F"""
    snapshot = play(scene(tracks=("01...", ".....", "10...", "...", "...")), "M4 t1").snapshot()
    snapshot["pending"]["offers"] = ["I", "F"]
    state = play(GAME.restore(snapshot), "take:I t3")
    assert see(state, "pending")["offers"] == ["A", "F"]
    assert legal(play(state, "take:A")) == ["take:F", "skip:F"]


def test_of_two_floors_passed_the_bonus_of_the_lower_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """GA 5.1: no two floors of this board with a bonus are so near, so a second one is put in"""
    floors = list(FLOOR_BONUS)
    floors[8] = BONUS_NUMBER["A"]
    monkeypatch.setattr("engines.gatsby.moves.FLOOR_BONUS", tuple(floors))
    state = play(scene(floors=(6, 8), claimed={"F5": 1}), "M3")
    assert see(state, "pending")["offers"] == ["X", "A"]


def test_x_is_not_offered_with_fewer_than_two_characters() -> None:
    """GA 5.1: the game ends before that on this board, so the places are emptied by hand"""
    state = play(scene(tracks=("01...", ".....", ".....", "...", "...")), "M4")
    state.at = (NONE,) * 10 + state.at[10:]
    assert asked(play(state.copy(), "t1")) == "offer"
    state.at = (NONE,) * 11 + state.at[11:]
    assert asked(play(state, "t1")) == "track"


def test_a_is_not_offered_on_the_top_floor() -> None:
    """GA 5.1"""
    claimed = {"F5": 0, "F10": 1, "F15": 1}
    state = play(
        scene(floors=(19, 3), claimed=claimed, slots=("S5", None), tracks=(".....", ".....", "10...", "...", "...")),
        "S5 c12 t3",
    )
    assert see(state, "outcome")["ending"] == "finance_empty"


def test_f_is_not_offered_twice_in_a_turn() -> None:
    """GA 5.1"""
    tracks = ("0101.", ".....", ".....", "...", "...")
    passed = {"F5": 1, "F10": 1, "F15": 1}
    state = scene(floors=(14, 15), claimed=passed, tracks=tracks)
    assert legal(play(state, "M3")) == ["take:F", "skip:F"]
    play(state, "take:F t1")
    assert asked(state) == "force"


def test_f_skipped_may_be_offered_again() -> None:
    """GA 5.1"""
    tracks = ("0101.", ".....", ".....", "...", "...")
    passed = {"F5": 1, "F10": 1, "F15": 1}
    state = play(scene(floors=(14, 15), claimed=passed, tracks=tracks), "M3 skip:F t1")
    assert legal(state) == ["take:F", "skip:F"]


def test_i_is_not_offered_without_a_token() -> None:
    """GA 5.1"""
    spent = ("000000", "000000", "000000", "......", ".1....", "......")
    state = scene(cabaret=spent, tracks=(".....", ".....", ".....", "...", "10."), claimed={"K2": 0})
    assert see(state, "supply")[0] == 1
    assert play(state, "M3 t5").to_act == 1


def test_i_is_not_offered_without_a_cell() -> None:
    """GA 5.1: the cabaret is full and the only open track has just been filled"""
    full = ("111111", "111111", "111111", "110000", "000000", "000000")
    tracks, claimed = (".....", ".....", ".....", "...", "00."), {"K2": 0, "R1": 0, "R2": 1, "R3": 0}
    assert legal(play(scene(cabaret=full, tracks=tracks, claimed=claimed), "M3 t5")) == ["take:I", "skip:I"]
    state = play(scene(cabaret=full, tracks=tracks, claimed={**claimed, "R4": 1}), "M3 t5")
    assert see(state, "outcome")["ending"] == "racetrack_empty"


def test_s_is_not_offered_unless_both_seats_have_a_token_on_the_board() -> None:
    """GA 5.1"""
    state = play(scene(floors=(4, 5), claimed={"F5": 1}), "M3")
    assert asked(state) == "track"
    state = play(scene(floors=(4, 5), claimed={"F5": 1}, tracks=ON_TRACKS), "M3")
    assert legal(state) == ["take:S", "skip:S"]


def test_d_is_not_offered_with_an_empty_pile() -> None:
    """GA 5.1"""
    tracks = (".....", ".....", "0101.", "...", "...")
    assert play(scene(tracks=tracks, pile=[]), "M3 t3").to_act == 1
    assert asked(play(scene(tracks=tracks, pile=["S5"]), "M3 t3")) == "offer"


def test_x_takes_two_places_in_the_order_of_the_table() -> None:
    """GA 5.2"""
    state = play(scene(tracks=(".....", ".....", ".....", "01.", "...")), "M4 t4 take:X")
    assert legal(state) == [f"x:{p}" for p in ("K1", "K2", "K3", "F5", "F10", "F15", "F20", "R1", "R2", "R3", "R4")]
    assert legal(play(state, "x:R3")) == ["x:R4", "x:R5"]


def test_x_only_touches_places_with_characters() -> None:
    """GA 5.2"""
    state = play(scene(tracks=(".....", ".....", ".....", "01.", "..."), claimed={"R5": 1, "K2": 0}), "M4 t4 take:X")
    assert "x:K2" not in legal(state)
    assert legal(play(state, "x:R3")) == ["x:R4"]


def test_x_fixes_both_places_before_either_is_looked_at() -> None:
    """GA 5.2"""
    state = play(scene(tracks=("01...", ".....", ".....", "...", "...")), "M4 t1 take:X x:F10")
    assert see(state, "known", 0) == {}
    assert see(play(state, "x:R2"), "known", 0) == {"F10": "blue3", "R2": "yellow2"}


def test_x_moves_the_face_with_the_character() -> None:
    """GA 5.2"""
    state = play(scene(tracks=("01...", ".....", ".....", "...", "...")), "M4 t1 take:X x:K1 x:F10 x:swap")
    places = see(state, "places", 1)
    assert (places["K1"], places["F10"]) == ("?", "blue2")
    assert see(state, "known", None)["K1"] == "blue3"


@pytest.mark.parametrize("choice", ["x:stay", "x:swap"])
def test_the_other_seat_sees_the_places_but_not_whether_two_face_down_ones_were_swapped(choice: str) -> None:
    """GA 5.2"""
    state = play(scene(tracks=("01...", ".....", ".....", "...", "...")), f"M4 t1 take:X x:F10 x:R2 {choice}")
    assert see(state, "log", 1)[-3:] == ["0 x:F10", "0 x:R2", "0 ?"]
    assert see(state, "log", 0)[-1] == see(state, "log", None)[-1] == f"0 {choice} secret"


def test_the_other_seat_sees_a_swap_with_a_face_up_character() -> None:
    """GA 5.2"""
    state = play(scene(tracks=("01...", ".....", ".....", "...", "...")), "M4 t1 take:X x:K1 x:F10 x:stay")
    assert see(state, "log", 1)[-1] == "0 x:stay"


def test_a_advances_by_the_rule_of_the_finance_centre() -> None:
    """GA 5.3"""
    assert see(play(scene(floors=(1, 3)), "M1 c21 take:A"), "floors") == [3, 3]
    assert see(play(scene(floors=(3, 3)), "M1 c21 take:A"), "floors") == [4, 3]


def test_i_puts_one_token_in_the_cabaret_or_on_a_track() -> None:
    """GA 5.4"""
    state = play(scene(tracks=(".....", "10...", ".....", "...", "...")), "M3 t2 take:I")
    assert legal(state) == ["c01", "c10", "c12", "c21", "t1", "t2", "t3", "t4", "t5"]
    assert see(play(state, "t2"), "tracks")[1] == "1000."


def test_i_does_not_offer_a_full_track() -> None:
    """GA 5.4"""
    state = play(scene(tracks=(".....", ".....", ".....", "...", "10.")), "M3 t5 take:I")
    assert "t5" not in legal(state)


def test_s_swaps_an_own_token_with_one_of_the_other_seat_anywhere() -> None:
    """GA 5.5"""
    state = play(scene(floors=(4, 5), claimed={"F5": 1}, tracks=ON_TRACKS), "M3 take:S")
    assert legal(state) == ["s:t11"]
    assert legal(play(state, "s:t11")) == ["s:c11", "s:t21"]
    play(state, "s:c11")
    assert (see(state, "cabaret")[1], see(state, "tracks")[0]) == (".0....", "1....")


def test_s_fires_no_bonus() -> None:
    """GA 5.5"""
    on_a_bonus = ("......", ".1....", ".1....", "......", "......", "......")
    state = scene(floors=(4, 5), claimed={"F5": 1}, cabaret=on_a_bonus, tracks=ON_TRACKS)
    assert asked(play(state, "M3 take:S s:t11 s:c21")) == "track"


def test_s_can_not_reach_a_closed_track() -> None:
    """GA 5.5: its tokens went back to their owners"""
    state = play(scene(tracks=("0....", ".....", ".....", "...", "11."), slots=(None, "S10")), "M4 t5 skip:I t2")
    assert see(state, "tracks")[4] is None
    assert legal(play(state, "S10")) == ["s:c11"]
    assert legal(play(state, "s:c11")) == ["s:t11", "s:t21"]


def test_f_chooses_the_next_action_of_the_other_seat_after_the_claims() -> None:
    """GA 5.6"""
    state = play(scene(tracks=("0101.", ".....", ".....", "...", "..."), slots=(None, "S6")), "M3 t1 take:F")
    assert (asked(state), state.to_act) == ("force", 0)
    assert see(state, "places")["R1"] is None
    assert legal(state) == ["force:M1", "force:M2", "force:M4", "force:S6"]
    play(state, "force:S6")
    assert (state.to_act, legal(state), see(state, "forced")) == (1, ["S6"], "S6")


def test_f_binds_one_turn_only() -> None:
    """GA 5.6"""
    state = play(scene(tracks=("0101.", ".....", ".....", "...", "...")), "M3 t1 take:F force:M2 M2 c12")
    assert (state.to_act, legal(state), see(state, "forced")) == (0, ["M1", "M3", "M4"], None)


def test_f_can_not_choose_what_the_other_seat_could_not() -> None:
    """GA 5.6"""
    full = ("111111", "111111", "111111", "000000", "000000", "000000")
    passed = {"F5": 1, "F10": 1, "F15": 1, "K2": 0}
    state = scene(cabaret=full, floors=(14, 15), claimed=passed, slots=(None, "S4"))
    assert legal(play(state, "M3 take:F t1")) == ["force:M2", "force:M4"]


def test_f_is_not_asked_when_the_game_has_ended() -> None:
    """GA 5.6"""
    closed = {"R2": 0, "R3": 1, "R4": 1, "R5": 0}
    state = play(scene(tracks=("0101.", ".....", ".....", "...", "..."), claimed=closed), "M3 t1 take:F")
    assert see(state, "outcome")["ending"] == "racetrack_empty"


def test_d_draws_three_and_one_goes_into_an_empty_slot() -> None:
    """GA 5.7"""
    tracks = (".....", ".....", "0101.", "...", "...")
    state = play(scene(tracks=tracks, pile=["S9", "S2", "S5", "S1"]), "M3 t3 take:D")
    assert legal(state) == ["pick:S2", "pick:S5", "pick:S9"]
    play(state, "pick:S5")
    assert (see(state, "slots"), see(state, "deck"), see(state, "left_out")[0]) == (["S5", None], ["S1"], ["S9", "S2"])


@pytest.mark.parametrize(("kept", "aside"), [("S5", "S7"), ("S7", "S5")])
def test_d_lets_an_owner_choose_which_special_stays_and_sets_the_other_aside(kept: str, aside: str) -> None:
    """GA 5.7"""
    tracks = (".....", ".....", "0101.", "...", "...")
    state = play(scene(tracks=tracks, slots=("S7", None), pile=["S9", "S2", "S5"]), "M3 t3 take:D pick:S5")
    assert legal(state) == ["keep:S5", "keep:S7"]
    play(state, f"keep:{kept}")
    assert (see(state, "slots"), see(state, "aside")) == ([kept, None], [[aside], []])


@pytest.mark.parametrize("pile", [["S9"], ["S9", "S2"]])
def test_d_draws_fewer_if_fewer_are_left(pile: list[str]) -> None:
    """GA 5.7"""
    tracks = (".....", ".....", "0101.", "...", "...")
    state = play(scene(tracks=tracks, pile=pile), "M3 t3 take:D")
    assert sorted(legal(state)) == sorted(f"pick:{special}" for special in pile)
