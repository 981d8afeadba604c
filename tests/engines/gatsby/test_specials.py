"""The eleven specials."""

from __future__ import annotations

from tests.engines.gatsby.scene import asked, legal, play, scene, see


def test_s1_two_tokens_each_next_to_any_token() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S1", None)), "S1 c12")
    assert legal(state) == ["c01", "c02", "c10", "c13", "c21", "c22"]
    assert play(state, "c10").to_act == 1


def test_s2_three_tokens_in_a_chain() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S2", None)), "S2 c12")
    assert legal(state) == ["c02", "c13", "c22"]
    play(state, "c13")
    assert legal(state) == ["c03", "c14", "c23"]
    assert play(state, "c23").to_act == 1


def test_s3_a_token_then_a_swap_that_must_be_made() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S3", None)), "S3 c12")
    assert (asked(state), legal(state)) == ("swap_own", ["s:c12"])
    play(state, "s:c12 s:c11")
    assert (see(state, "cabaret")[1], state.to_act) == (".01...", 1)


def test_s4_one_token_anywhere_in_the_cabaret() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S4", None)), "S4")
    assert len(legal(state)) == 35
    assert play(state, "c50").to_act == 1


def test_s5_a_token_an_advance_and_a_track() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S5", None)), "S5")
    assert asked(state) == "cabaret"
    assert (asked(play(state, "c01")), see(state, "floors")) == ("track", [1, 0])
    assert play(state, "t1").to_act == 1


def test_s6_two_advances_with_the_bonuses_of_the_first_between_them() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S6", None), floors=(6, 6), claimed={"F5": 1}), "S6")
    assert (see(state, "floors"), legal(state)) == ([7, 6], ["take:X", "skip:X"])
    assert see(play(state, "skip:X"), "floors") == [8, 6]


def test_s7_exchanges_characters_without_asking_then_an_advance_and_a_swap() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S7", None), tracks=("0....", ".....", ".....", "...", "...")), "S7")
    assert (asked(state), len(legal(state))) == ("exchange_first", 11)
    assert (asked(play(state, "x:K1")), len(legal(state))) == ("exchange_second", 11)
    play(state, "x:F10")
    assert (see(state, "places")["K1"], see(state, "places")["F10"]) == ("?", "blue2")
    assert see(state, "floors") == [1, 0]
    assert legal(state) == ["s:t11"]
    assert play(state, "s:t11 s:c11").to_act == 1


def test_s7_looks_at_what_it_exchanges_and_everybody_knows_of_the_exchange() -> None:
    """GA 4.6: what a seat knew of the two moves with them (GA 7.2)"""
    state = scene(slots=("S7", None), looked=((), ("F10", "F15")))
    play(state, "S7 x:F10 x:R2")
    assert see(state, "known", 0) == {"F10": "yellow2", "R2": "blue3"}
    assert see(state, "known", 1) == {"F15": "red3", "R2": "blue3"}
    assert see(state, "log", 1)[-2:] == ["0 x:F10", "0 x:R2"]


def test_a_bonus_x_within_s7_still_asks_whether_to_swap() -> None:
    """GA 5.2"""
    state = play(scene(slots=("S7", None), floors=(6, 6), claimed={"F5": 1}), "S7 x:K1 x:K2 take:X x:K3 x:F10")
    assert legal(state) == ["x:stay", "x:swap"]


def test_s7_skips_a_swap_of_tokens_that_can_not_be_made() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S7", None)), "S7 x:K1 x:K2")
    assert (state.to_act, see(state, "floors")) == (1, [1, 0])


def test_s8_two_tokens_on_one_track_with_both_bonuses() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S8", None), tracks=("0....", ".....", ".....", "...", "...")), "S8 t1")
    assert (see(state, "tracks")[0], legal(state)) == ("000..", ["take:X", "skip:X"])
    assert play(state, "skip:X").to_act == 1


def test_s8_puts_no_second_token_on_a_track_that_got_full() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S8", None), tracks=(".....", "1100.", ".....", "...", "...")), "S8 t2 skip:S")
    assert (state.to_act, see(state, "supply")[0]) == (1, 20)


def test_s8_second_token_comes_after_the_bonus_of_the_first() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S8", None), tracks=(".....", "10...", ".....", "...", "...")), "S8 t2 take:I t2")
    assert see(state, "tracks")[1] == "10000"
    assert legal(state) == ["take:S", "skip:S"]


def test_s8_loses_its_second_token_when_bonus_i_fills_the_track() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S8", None), tracks=(".....", "11.01", ".....", "...", "...")), "S8 t2 take:I")
    assert "t2" not in legal(state)
    state = play(scene(slots=("S8", None), tracks=(".....", ".....", ".....", "...", "1..")), "S8 t5")
    assert (see(state, "tracks")[4], legal(state)) == ("100", ["take:I", "skip:I"])
    state = play(scene(slots=("S8", None), tracks=(".....", "11.0.", ".....", "...", "...")), "S8 t2 take:I t2 skip:S")
    assert (see(state, "tracks")[1], state.to_act) == (None, 1)


def test_s9_one_token_on_each_of_three_tracks() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S9", None)), "S9 t1 t3")
    assert legal(state) == ["t2", "t4", "t5"]
    assert play(state, "t5").to_act == 1


def test_s9_places_fewer_if_fewer_tracks_are_open() -> None:
    """GA 4.6"""
    closed = {"R1": 0, "R2": 1, "R3": 0}
    assert play(scene(slots=("S9", None), claimed=closed), "S9 t4 t5").to_act == 1


def test_s10_a_swap_then_a_track() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S10", None), tracks=("0....", ".....", ".....", "...", "...")), "S10 s:t11 s:c11")
    assert (see(state, "tracks")[0], see(state, "cabaret")[1]) == ("1....", ".0....")
    assert asked(state) == "track"


def test_s11_any_empty_cell_of_any_open_track() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S11", None), left_out=((), ("S1",)), claimed={"R4": 1}), "S11")
    assert len(legal(state)) == 18
    play(state, "t14")
    assert (see(state, "tracks")[0], state.to_act) == ("...0.", 1)
    play(state, "M3 t1")
    assert see(state, "tracks")[0] == "1..0."


def test_s11_fires_the_bonus_of_its_cell() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S11", None), left_out=((), ("S1",))), "S11 t35")
    assert legal(state) == ["take:D", "skip:D"]


def test_later_tokens_fill_the_gap_and_then_jump_over_what_s11_placed() -> None:
    """GA 4.6"""
    state = play(scene(tracks=("01.0.", ".....", ".....", "...", "...")), "M3 t1 skip:X M4 t1")
    assert see(state, "tracks")[0] == "01001"


def test_a_swap_in_a_special_must_be_made_even_if_it_helps_the_other_seat() -> None:
    """GA 4.6"""
    other_needs_one = ("1.....", "1.....", "1.....", "0.....", "1.....", "1.....")
    state = play(scene(slots=("S10", None), cabaret=other_needs_one), "S10")
    assert legal(state) == ["s:c30"]
