"""The game in plain English."""

from __future__ import annotations

from random import Random

import pytest

from engines.gatsby.game import GAME
from engines.gatsby.state import GatsbyState
from tests.engines.gatsby.scene import play, scene

NAMES = ("Scarface", "Bugs")
X_NEXT = ("01...", ".....", ".....", "01.", "...")  # t1 and t4 fire X


def told(state: GatsbyState, text: str, *, viewer: int | None = None) -> str:
    """Take an action and tell it as that seat, or all eyes, saw it."""
    before = state.observe(viewer)
    play(state, text)
    after = state.observe(viewer)
    return GAME.words.sentence(after["log"][-1], before, after, NAMES)


def asked(state: GatsbyState) -> str:
    return GAME.words.asked(state.observe(0), NAMES)


@pytest.mark.parametrize(
    ("moves", "text", "sentence"),
    [
        ("", "M1", "Scarface chooses M1: two tokens in the cabaret, side by side."),
        ("M1", "c12", "Scarface puts a token on row 1, column 2 of the cabaret."),
        (
            "M1 c12 c13 M2",
            "c14",
            "Bugs puts a token on row 1, column 4 of the cabaret, a circle. Bugs climbs to floor 1.",
        ),
        ("M4", "t5", "Scarface puts a token on cell 1 of track 5."),
        ("M4", "t1", "Scarface puts a token on cell 3 of track 1."),
        ("M4 t1", "skip:X", "Scarface lets bonus X go: look at two characters and swap them or not."),
        ("M4 t1", "take:X", "Scarface takes bonus X: look at two characters and swap them or not."),
        ("M4 t1 take:X", "x:K1", "Scarface takes up the character of the cabaret (from top to bottom)."),
        ("M4 t1 take:X x:K1", "x:F10", "Scarface takes up the character of floor 10."),
    ],
)
def test_an_action_is_a_sentence(moves: str, text: str, sentence: str) -> None:
    assert told(play(scene(tracks=X_NEXT), moves), text) == sentence


def test_only_who_may_know_is_told_what_was_done_with_two_face_down_characters() -> None:
    """GA 5.2"""
    state = play(scene(tracks=X_NEXT), "M4 t1 take:X x:F10 x:R2")
    for viewer in (0, None):
        swapped = told(state.copy(), "x:swap", viewer=viewer)
        assert swapped == "Scarface swaps the characters of floor 10 and track 2."
        stayed = told(state.copy(), "x:stay", viewer=viewer)
        assert stayed == "Scarface looks at the characters of floor 10 and track 2 and leaves them where they are."
    for choice in ("x:swap", "x:stay"):
        seen = told(state.copy(), choice, viewer=1)
        assert seen == "Scarface looks at the characters of floor 10 and track 2 and swaps them, or not."


def test_the_exchange_of_s7_is_told() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S7", None)), "S7 x:K3")
    assert told(state, "x:R5") == "Scarface exchanges it with the character of track 5. Scarface climbs to floor 1."


def test_a_swap_of_tokens_is_told_from_both_ends() -> None:
    """GA 5.5"""
    state = play(scene(slots=("S3", None)), "S3 c12")
    assert told(state, "s:c12") == "Scarface chooses the token on row 1, column 2 of the cabaret to be swapped."
    assert told(state, "s:c11") == "Scarface swaps it for Bugs's token on row 1, column 1 of the cabaret, a circle."


def test_the_second_token_of_s8_is_told_with_what_brought_it() -> None:
    """GA 4.6"""
    state = play(scene(slots=("S8", None), tracks=("0....", ".....", ".....", "...", "...")), "S8")
    assert told(state, "t2") == "Scarface puts a token on cell 1 of track 2. A second token goes on track 2."


def test_specials_are_told_with_what_they_do() -> None:
    """GA 5.7"""
    tracks = (".....", ".....", "0101.", "...", "...")
    state = play(scene(tracks=tracks, slots=("S7", None), pile=["S9", "S2", "S5"]), "M3 t3 take:D")
    assert told(state, "pick:S9") == "Scarface picks special S9: tokens on three tracks."
    assert told(state, "keep:S9") == (
        "Scarface keeps special S9 to use and sets the other one aside. Scarface wins purple 1 from track 3."
    )


def test_who_is_forced_has_to_take_that_action() -> None:
    """GA 5.6"""
    state = play(scene(tracks=("0101.", ".....", ".....", "...", "...")), "M4 t1 take:F t2")
    assert told(state, "force:M2") == (
        "Scarface decides that Bugs has to take M2 next: a token in the cabaret, then an advance."
    )
    assert told(state, "M2") == "Bugs has to take M2: a token in the cabaret, then an advance."


def test_a_claim_is_told_with_where_it_came_from_and_a_secret_one_without_its_name() -> None:
    """GA 6.1"""
    state = play(scene(tracks=(".....", ".....", ".....", "00.", "...")), "M3 t4")
    skipped = "Scarface lets bonus X go: look at two characters and swap them or not. Scarface wins {} from track 4."
    assert told(state.copy(), "skip:X", viewer=0) == skipped.format("red 1")
    assert told(state.copy(), "skip:X", viewer=1) == skipped.format("a face-down character")


def test_claims_of_both_seats_are_told_apart() -> None:
    """GA 6.1"""
    state = play(scene(floors=(4, 4), tracks=("11.00", ".....", ".....", "...", "11.")), "M3")
    assert told(state, "t5") == "Scarface puts a token on cell 3 of track 5."
    assert told(state, "skip:I").endswith("Scarface wins yellow 0. Bugs wins blue 0.")


def test_the_end_is_told_with_the_winner_and_the_reason() -> None:
    """GA 6.3"""
    claimed = {"R1": 1, "R2": 0, "R3": 1, "R4": 0}
    state = play(scene(claimed=claimed, tracks=(".....", ".....", ".....", "...", "00.")), "M3 t5")
    assert told(state, "skip:I", viewer=1) == (
        "Scarface lets bonus I go: one more token. Scarface wins blue 0 from track 5. "
        "Scarface has won on prestige when the racetrack had no character left."
    )
    assert asked(state) == "The game is over."


def test_what_is_asked_is_said_of_the_seat_to_act() -> None:
    state = scene(tracks=X_NEXT)
    assert asked(state) == "Scarface has to choose an action."
    assert asked(play(state, "M4")) == "Scarface has to choose an open track not yet used by this action."
    assert asked(play(state, "t1")) == (
        "Scarface has to choose whether to take bonus X: look at two characters and swap them or not."
    )


def test_the_board_shows_tokens_bonuses_floors_and_characters() -> None:
    state = scene(
        tracks=("01...", ".....", ".....", "...", "..."), floors=(6, 3), claimed={"F5": 0}, slots=("S4", None)
    )
    text = GAME.words.board(state.observe(None))
    assert "0 ..S..I    finance   F5 -  F10 (blue3)  F15 (red3)  F20 purple3" in text
    assert "R1 01X.F  green2a" in text
    assert "0 Dorothy floor  6  tokens 19  special S4   aside -  characters yellow0" in text


def test_the_board_shows_a_seat_only_the_face_down_characters_it_knows() -> None:
    """GA 7.1"""
    state = scene(looked=(("F10",), ("F10", "R3")), claimed={"R4": 1})
    board = [GAME.words.board(view) for view in (state.observe(0), state.observe(1), state.public())]
    assert ["F10 (blue3)" in text for text in board] == [True, True, True]
    assert ["(purple1a)" in text for text in board] == [False, True, False]
    assert ["characters (red1b)" in text for text in board] == [False, True, False]
    assert "characters ?" in board[0]


def test_a_closed_track_says_so() -> None:
    state = play(scene(tracks=(".....", ".....", ".....", "...", "11.")), "M3 t5 skip:I")
    assert "R5 closed -" in GAME.words.board(state.public())


@pytest.mark.parametrize("seed", range(3))
def test_the_board_and_every_sentence_fit_a_screen_all_through_a_game(seed: int) -> None:
    state, rng = GAME.new(seed=seed), Random(seed)
    while state.to_act is not None:
        lines = GAME.words.board(state.observe(rng.randrange(2))).splitlines()
        assert len(lines) == 10
        assert max(map(len, lines)) <= 140
        sentence = told(state, state.format(rng.choice(state.legal_actions())), viewer=rng.randrange(2))
        assert sentence.startswith(NAMES)
        assert sentence.endswith(".")
        assert "None" not in sentence
    assert GAME.words.board(state.public()).startswith("Over after ")


def test_claims_specials_and_the_end_are_marked_on_the_time_line() -> None:
    state = scene(slots=("S6", None), floors=(3, 4))
    before = state.observe(0)
    after = play(state.copy(), "M3").observe(0)
    assert GAME.words.mark("0 M3", before, after) is None
    assert GAME.words.mark("0 S6", before, play(state, "S6").observe(0)) == "claim"
    assert GAME.words.mark("0 S6", before, after) == "special"
    assert GAME.words.mark("0 ?", before, after) is None
    assert GAME.words.mark("0 M3", before, {**after, "to_act": None}) == "end"


def test_every_ending_has_its_phrase() -> None:
    """GA 6.3"""
    endings = {"three_of_a_family", "five_families", "cabaret_empty", "finance_empty", "racetrack_empty"}
    assert set(GAME.words.endings) == endings


@pytest.mark.parametrize("seed", range(6))
def test_the_starter_moves_first_though_the_other_seat_picks_before(seed: int) -> None:
    """GA 3.3"""
    state = GAME.new(seed=seed)
    order = GAME.words.turn_order(state)
    assert state.to_act == order[1]
    state.apply(state.legal_actions()[0])
    state.apply(state.legal_actions()[0])
    assert state.to_act == order[0]
    assert GAME.words.turn_order(state) == order


def test_the_seats_are_called_as_on_the_board() -> None:
    assert [GAME.words.seat_name(seat, 2) for seat in (0, 1)] == ["Dorothy", "James"]
    assert GAME.words.gist.endswith(".")
