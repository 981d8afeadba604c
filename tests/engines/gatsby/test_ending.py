"""Claims at the end of a turn, and the end of the game."""

from __future__ import annotations

import pytest

from engines.gatsby.state import GatsbyState
from tests.engines.gatsby.scene import play, scene, see


def claimed(state: GatsbyState, seat: int, viewer: int | None = None) -> list[str]:
    return [entry["character"] for entry in see(state, "claimed", viewer)[seat]]


def test_a_swap_can_complete_a_claim_of_the_other_seat() -> None:
    """GA 6.1"""
    other_needs_one = ("1.....", "1.....", "1.....", "0.....", "1.....", "1.....")
    state = scene(slots=("S10", None), cabaret=other_needs_one, tracks=("1....", ".....", ".....", "...", "..."))
    play(state, "S10 s:c30 s:t11 t2")
    assert (claimed(state, 0), claimed(state, 1)) == ([], ["blue2"])


def test_claims_of_both_seats_are_made_together() -> None:
    """GA 6.1"""
    other_needs_one = ("1.....", "1.....", "1.....", "0.....", "1.....", "1.....")
    tracks = ("1....", ".....", ".....", "00.", "...")
    state = play(scene(slots=("S10", None), cabaret=other_needs_one, tracks=tracks), "S10 s:c30 s:t11 t4 skip:X")
    assert (claimed(state, 0), claimed(state, 1)) == (["red1b"], ["blue2"])


def test_cabaret_tokens_stay_after_a_claim() -> None:
    """GA 6.1"""
    column = ("0.....", "01....", "0.....", "0.....", "0.....", "......")
    state = play(scene(cabaret=column), "M2 c50")
    assert see(state, "cabaret") == ["0.....", "01....", "0.....", "0.....", "0.....", "0....."]


def test_the_mover_takes_a_cabaret_character_that_both_have_earned() -> None:
    """GA 6.1: one swap completes both chains"""
    both = ("0....1", "0....1", "0....1", "1....0", "0....1", "0....1")
    for mover, swap in ((0, "s:c35 s:c30"), (1, "s:c30 s:c35")):
        slots = ("S10", None) if mover == 0 else (None, "S10")
        state = play(scene(to_act=mover, cabaret=both, slots=slots), f"S10 {swap} t1")
        assert (claimed(state, mover), claimed(state, 1 - mover)) == (["blue2"], [])


def test_a_claimed_face_down_character_is_seen_by_its_owner_only() -> None:
    """GA 6.1"""
    state = play(scene(tracks=(".....", ".....", ".....", "00.", "...")), "M3 t4 skip:X")
    assert (claimed(state, 0, viewer=0), claimed(state, 0, viewer=1)) == (["red1b"], ["?"])


def test_three_of_a_family_win_at_once() -> None:
    """GA 6.2: the third one lies face down"""
    blues = {"R2": "blue3", "F10": "yellow2"}
    state = scene(characters=blues, claimed={"K1": 0, "R5": 0}, tracks=(".....", "0001.", ".....", "...", "..."))
    play(state, "M3 t2 skip:S")
    assert see(state, "outcome") == {"ranks": [1, 2], "scores": [1, 0], "ending": "three_of_a_family"}


def test_one_of_each_family_wins_at_once() -> None:
    """GA 6.2"""
    four = {"K1": 0, "K2": 0, "R1": 0, "F5": 0}
    state = scene(claimed=four, floors=(6, 0), tracks=(".....", ".....", "0001.", "...", "..."))
    play(state, "M4 t3 skip:D t2")
    assert see(state, "outcome") == {"ranks": [1, 2], "scores": [1, 0], "ending": "five_families"}


def test_a_seat_can_win_in_the_turn_of_the_other() -> None:
    """GA 6.2"""
    four = {"K1": 1, "K2": 1, "R1": 1, "F5": 1}
    state = scene(claimed=four, floors=(0, 6), tracks=(".....", ".....", "1110.", "...", "..."))
    play(state, "M4 t3 skip:D t2")
    assert see(state, "outcome") == {"ranks": [2, 1], "scores": [0, 1], "ending": "five_families"}


@pytest.mark.parametrize("mover", [0, 1])
def test_if_both_seats_win_the_mover_does(mover: int) -> None:
    """GA 6.2: the mover fills two tracks, one for each seat"""
    other = 1 - mover
    floors = (0, 6) if other == 1 else (6, 0)
    state = scene(
        to_act=mover,
        characters={"R4": "blue3", "R3": "yellow3"},
        claimed={"K1": mover, "R5": mover, "F5": other, "R2": other},
        floors=floors,
        tracks=(".....", ".....", f"{other}{other}{other}0.", f"{mover}{mover}.", "..."),
    )
    play(state, "M4 t4 skip:X t3 skip:D")
    assert see(state, "outcome")["ranks"] == [1 + mover, 2 - mover]
    assert see(state, "outcome")["ending"] == "three_of_a_family"


@pytest.mark.parametrize(
    ("ending", "changes", "moves"),
    [
        (
            "cabaret_empty",
            {"claimed": {"K2": 0, "K3": 1}, "cabaret": ("0.....", "01....", "0.....", "0.....", "0.....", "......")},
            "M2 c50",
        ),
        ("finance_empty", {"claimed": {"F5": 0, "F10": 1, "F15": 1}, "floors": (19, 16)}, "M3 t1"),
        (
            "racetrack_empty",
            {"claimed": {"R1": 0, "R2": 1, "R3": 1, "R4": 0}, "tracks": (".....", ".....", ".....", "...", "01.")},
            "M3 t5 skip:I",
        ),
    ],
)
def test_the_last_character_of_a_place_ends_the_game(ending: str, changes: dict[str, object], moves: str) -> None:
    """GA 6.3"""
    state = play(scene(**changes), moves)
    assert state.to_act is None
    assert see(state, "outcome")["ending"] == ending


def test_the_first_ending_of_the_list_is_named() -> None:
    """GA 6.3: the last track gives the third blue character"""
    blues = {"R2": "blue3", "F10": "yellow2"}
    closed = {"K1": 0, "R5": 0, "R1": 1, "R3": 1, "R4": 1}
    state = scene(characters=blues, claimed=closed, tracks=(".....", "0001.", ".....", "...", "..."))
    assert see(play(state, "M3 t2 skip:S"), "outcome")["ending"] == "three_of_a_family"


LAST_TRACK = {"tracks": (".....", ".....", ".....", "...", "00.")}


def finish(**changes: object) -> dict[str, object]:
    """The outcome of a racetrack whose last character, blue0 without stars, goes to seat 0."""
    claimed = {"R1": 1, "R2": 0, "R3": 1, "R4": 0}
    outcome = see(play(scene(claimed=claimed, **LAST_TRACK, **changes), "M3 t5 skip:I"), "outcome")
    assert isinstance(outcome, dict)
    return outcome


def test_stars_decide() -> None:
    """GA 6.3: seat 0 has yellow2, red1b and blue0, seat 1 green2a and purple1a; more characters break the tie"""
    assert finish() == {"ranks": [1, 2], "scores": [3, 3], "ending": "racetrack_empty"}


def test_an_unused_special_and_those_set_aside_count_a_point_each() -> None:
    """GA 6.3"""
    assert finish(slots=("S4", None))["scores"] == [4, 3]
    assert finish(slots=(None, "S4"), aside=((), ("S5", "S6"))) == {
        "ranks": [2, 1],
        "scores": [3, 6],
        "ending": "racetrack_empty",
    }


def test_a_special_that_was_used_counts_nothing() -> None:
    """GA 6.3"""
    claimed = {"R1": 1, "R2": 0, "R3": 1, "R4": 0}
    state = play(scene(claimed=claimed, **LAST_TRACK, slots=("S8", None)), "S8 t5 skip:I")
    assert see(state, "outcome")["scores"] == [3, 3]


def test_equal_stars_and_equal_numbers_are_a_draw() -> None:
    """GA 6.3"""
    claimed = {"R1": 1, "R2": 0, "R3": 1, "R4": 0, "F5": 1}
    state = play(scene(claimed=claimed, floors=(0, 5), **LAST_TRACK), "M4 t5 skip:I")
    assert see(state, "outcome") == {"ranks": [1, 1], "scores": [3, 3], "ending": "racetrack_empty"}
