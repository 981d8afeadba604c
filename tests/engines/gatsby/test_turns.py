"""Choosing an action and carrying out its steps."""

from __future__ import annotations

import pytest

from engines import IllegalAction
from tests.engines.gatsby.scene import asked, legal, play, scene, see

CROWDED = ("111111", "111111", "111100", "000000", "000000", "00000.")
ALL_BUT_FOUR_TOKENS = ("000000", "000000", "0000..", "......", ".1....", "......")


def test_the_first_turn_is_free() -> None:
    """GA 4.1"""
    assert legal(scene()) == ["M1", "M2", "M3", "M4"]


@pytest.mark.parametrize("marker", ["M1", "M2", "M3", "M4"])
def test_the_action_just_used_is_not_to_be_had(marker: str) -> None:
    """GA 4.1"""
    state = scene(marker=marker, slots=("S4", None))
    assert legal(state) == [m for m in ("M1", "M2", "M3", "M4", "S4") if m != marker]
    with pytest.raises(IllegalAction, match="just used"):
        play(state, marker)


def test_after_a_special_all_main_actions_and_the_own_special_are_open() -> None:
    """GA 4.1"""
    state = play(scene(slots=("S6", "S9"), marker="M2"), "S6")
    assert (state.to_act, legal(state)) == (1, ["M1", "M2", "M3", "M4", "S9"])


def test_the_special_of_the_other_seat_is_not_to_be_had() -> None:
    """GA 4.1"""
    state = scene(slots=(None, "S6"))
    with pytest.raises(IllegalAction, match="not in the own slot"):
        play(state, "S6")


def test_m1_puts_the_second_token_next_to_the_first() -> None:
    """GA 4.2"""
    state = play(scene(), "M1 c12")
    assert (asked(state), legal(state)) == ("cabaret_next", ["c02", "c13", "c22"])
    play(state, "c22")
    assert (state.to_act, see(state, "cabaret")[1:3]) == (1, [".10...", "..0..."])


def test_m2_is_a_token_in_the_cabaret_then_an_advance() -> None:
    """GA 4.2"""
    state = play(scene(), "M2")
    assert see(state, "floors") == [0, 0]
    play(state, "c01")
    assert (see(state, "floors"), state.to_act) == ([1, 0], 1)


def test_m3_is_an_advance_then_a_token_on_a_track() -> None:
    """GA 4.2"""
    state = play(scene(), "M3")
    assert (see(state, "floors"), legal(state)) == ([1, 0], ["t1", "t2", "t3", "t4", "t5"])
    assert play(state, "t5").to_act == 1


def test_m4_is_two_tokens_on_different_tracks() -> None:
    """GA 4.2"""
    state = play(scene(), "M4 t2")
    assert legal(state) == ["t1", "t3", "t4", "t5"]
    assert see(play(state, "t4"), "tracks") == [".....", "0....", ".....", "0..", "..."]


def test_m4_is_one_token_if_only_one_track_is_open() -> None:
    """GA 4.2"""
    closed = {"R1": 0, "R2": 1, "R3": 0, "R4": 1}
    state = play(scene(claimed=closed), "M4 t5")
    assert (state.to_act, see(state, "tracks")) == (1, [None, None, None, None, "0.."])


def test_a_step_that_can_not_be_done_is_skipped() -> None:
    """GA 4.3: the first token has no empty neighbour, so M1 ends after it"""
    boxed_in = ("1.1...", ".1....", "......", "......", "......", "......")
    state = play(scene(cabaret=boxed_in), "M1 c01")
    assert state.to_act == 1


def test_a_step_that_can_be_done_must_be() -> None:
    """GA 4.3"""
    state = play(scene(), "M1 c12")
    assert all(text.startswith("c") for text in legal(state))


def test_an_action_of_which_no_step_can_be_done_is_not_to_be_had() -> None:
    """GA 4.3"""
    full = (*CROWDED[:5], "000001")
    state = scene(cabaret=full, claimed={"K1": 0, "K2": 0}, marker="M3", slots=("S4", None))
    assert legal(state) == ["M2", "M4"]
    with pytest.raises(IllegalAction, match="none of its steps"):
        play(state, "M1")


def test_an_action_with_one_step_left_to_do_may_be_chosen() -> None:
    """GA 4.3: no cell is left in the cabaret, so M2 is only its advance"""
    full = (*CROWDED[:5], "000001")
    state = play(scene(cabaret=full, claimed={"K1": 0, "K2": 0}), "M2")
    assert (state.to_act, see(state, "floors")) == (1, [1, 0])


def test_there_is_no_looking_ahead() -> None:
    """GA 4.3: c10 is offered though M1 has no second cell next to it"""
    pocket = ("11....", ".1....", "11....", "......", "......", "......")
    state = play(scene(cabaret=pocket), "M1")
    assert "c10" in legal(state)
    assert play(state, "c10").to_act == 1


def test_a_special_leaves_its_slot_when_it_is_chosen() -> None:
    """GA 4.4"""
    state = play(scene(slots=("S5", None)), "S5")
    assert (see(state, "slots"), see(state, "used")) == ([None, None], ["S5"])


def test_a_draw_fired_by_a_special_finds_the_slot_empty() -> None:
    """GA 4.4"""
    state = play(scene(slots=("S8", None), tracks=(".....", ".....", "010..", "...", "...")), "S8 t3 take:D pick:S1")
    assert (see(state, "slots"), see(state, "aside"), state.to_act) == (["S1", None], [[], []], 1)


def test_without_a_token_in_supply_placements_are_skipped() -> None:
    """GA 4.5"""
    spent = ("000000", "000000", "0000..", "......", ".1....", "......")
    state = scene(cabaret=spent, tracks=("00...", "0....", "0....", "...", "..."), claimed={"K2": 0})
    assert see(state, "supply")[0] == 0
    assert legal(state) == ["M2", "M3"]
    assert (play(state, "M3").to_act, see(state, "floors")) == (1, [1, 0])


def test_the_last_token_ends_the_placements_of_an_action() -> None:
    """GA 4.5"""
    nearly = scene(cabaret=ALL_BUT_FOUR_TOKENS, tracks=("00...", "0....", ".....", "...", "..."), claimed={"K2": 0})
    assert see(nearly, "supply")[0] == 1
    assert play(nearly, "M4 t4").to_act == 1


def test_a_token_of_bonus_i_is_not_the_first_placed() -> None:
    """GA 4.7"""
    near_the_bonus = ("....1.", ".1....", "......", "......", "......", "......")
    state = play(scene(cabaret=near_the_bonus), "M1 c05 take:I c12")
    assert (asked(state), legal(state)) == ("cabaret_next", ["c15"])


def test_a_token_of_bonus_i_does_not_use_up_a_track() -> None:
    """GA 4.7"""
    state = play(scene(tracks=(".....", "10...", ".....", "...", "...")), "M4 t2 take:I t3")
    assert legal(state) == ["t1", "t3", "t4", "t5"]


def test_a_cell_still_counts_when_its_token_was_swapped_away() -> None:
    """GA 4.7"""
    state = play(
        scene(cabaret=("...1..", ".1....", "......", "......", "......", "......")), "M1 c02 take:S s:c02 s:c11"
    )
    assert see(state, "cabaret")[:2] == ["..11..", ".0...."]
    assert legal(state) == ["c01", "c12"]


def test_a_track_still_counts_as_used_when_its_token_was_swapped_away() -> None:
    """GA 4.7"""
    state = play(scene(tracks=(".....", "0101.", ".....", "...", "...")), "M4 t2 take:S s:t25 s:c11")
    assert "t2" not in legal(state)
