"""The game in plain English."""

from __future__ import annotations

from random import Random

import pytest

from engines.cotton_club import GAME
from engines.cotton_club.state import CottonClubState
from tests.engines.cotton_club.arranging import act, begun, dealt, hold, loans_until_round, own, set_money, set_row

NAMES = ("Owney", "Madam", "Duke", "Cab")


def told(state: CottonClubState, text: str, *, viewer: int | None = None) -> str:
    """Take an action and tell it as that seat, or all eyes, saw it."""
    before = state.observe(viewer)
    act(state, text)
    after = state.observe(viewer)
    return GAME.words.sentence(after["log"][-1], before, after, NAMES)


def test_a_take_tells_the_card_the_space_and_the_change() -> None:
    state = begun(3)
    set_money(state, 0, 20)
    set_row(state, "G16")
    assert told(state, "take G16") == (
        'Owney takes Charles "Lucky" Luciano (G16, gangster); space +1 initiative; -$8, +2 initiative, +2 criminality.'
    )


def test_an_option_is_told() -> None:
    state = begun(3)
    set_row(state, "I01")
    assert told(state, "take I01 B") == (
        "Owney takes Parking Valets (I01, improvement) with option B; space +$1; +2 initiative, +1 criminality."
    )


def test_the_price_of_a_celebrity_is_what_the_club_makes_of_it() -> None:
    """CC 5.4: Gloria Swanson, one beer and three singers."""
    state = begun(3)
    own(state, 0, "S01", "A01", "A13")
    state.levels[0] = 12
    set_row(state, "C12")
    assert (
        told(state, "take C12") == "Owney takes Gloria Swanson (C12, celebrity); space +1 influence; price 7 influence."
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("loan", "Owney takes a loan (+$5, +1 criminality)."),
        ("tip-off", "Owney puts a pawn on tip-off, which will move later."),
    ],
)
def test_a_pawn_that_takes_no_card_is_told(text: str, sentence: str) -> None:
    assert told(begun(3), text) == sentence


def test_salvatore_is_told() -> None:
    state = act(begun(2), "loan", "loan")
    assert told(state, "salvatore artists") == "Madam puts Salvatore on artists."


def test_a_dropped_event_is_named_to_its_owner_and_to_all_eyes_only() -> None:
    state = dealt(3, 1)
    seat = state.to_act or 0
    hold(state, seat, "E01", "E02", "E03", "E18", "E18")
    for viewer in (seat, None):
        assert told(state.copy(), "drop E18", viewer=viewer) == f"{NAMES[seat]} drops More Raids! (E18, criminality)."
    assert told(state, "drop E18", viewer=(seat + 1) % 3) == f"{NAMES[seat]} drops an event."


def test_an_added_event_is_named_to_its_owner_only() -> None:
    state = loans_until_round(begun(3), 2)
    seat = state.to_act or 0
    hold(state, seat, "E14")
    other = told(state.copy(), "add E14", viewer=(seat + 1) % 3)
    assert other == f"{NAMES[seat]} adds an event to the row, face down."
    assert told(state, "add E14", viewer=seat) == (
        f"{NAMES[seat]} adds Harlem Fever (E14, artists) to the row, face down."
    )


def test_who_adds_nothing_is_told() -> None:
    state = loans_until_round(begun(3), 2)
    assert told(state, "pass") == f"{NAMES[state.log[1][0] if state.log else 0]} adds no event."


@pytest.mark.parametrize(
    ("used", "sentence"),
    [
        (0, "bribes no politician."),
        (1, "bribes a politician (-$3, -1 criminality)."),
        (2, "bribes 2 politicians (-$6, -2 criminality)."),
    ],
)
def test_bribes_are_told_with_the_end_of_the_game(used: int, sentence: str) -> None:
    state = loans_until_round(begun(3), 6)
    own(state, 0, "C06", "C07")
    while state.observe(0)["pending"] != "bribe":
        texts = [state.format(action) for action in state.legal_actions()]
        act(state, "pass" if "pass" in texts else "loan")
    assert told(state, f"bribe {used}") == f"Owney {sentence} The game is over."


def test_what_follows_the_last_pawn_of_a_round_is_told_with_it() -> None:
    state = act(loans_until_round(begun(3), 2), "pass", "pass", "pass", *["loan"] * 8)
    event = state.observe(None)["event_row"][0]["event"]
    sentence = told(state, "loan")
    assert f"Events: {GAME.words.board(state.observe(0)).split('Resolved in round 2: ')[1]}." in sentence
    assert f"({event}, " in sentence
    assert sentence.endswith("Round 3 begins.")


def test_the_last_round_is_announced() -> None:
    state = loans_until_round(begun(3), 5)
    while state.round == 5:
        texts = [state.format(action) for action in state.legal_actions()]
        sentence = told(state, "pass" if "pass" in texts else "loan")
    assert sentence.endswith("Round 6 begins, the last.")


def test_what_is_asked_is_said_of_the_seat_to_act() -> None:
    assert GAME.words.asked(begun(3).observe(1), NAMES) == "Owney has to choose what to do with a pawn."
    state = act(begun(2), "loan", "loan")
    assert GAME.words.asked(state.observe(0), NAMES) == "Madam has to choose a place for Salvatore's pawn."


def test_the_board_shows_a_seat_its_own_events_and_others_as_question_marks() -> None:
    state = loans_until_round(begun(3), 2)
    hold(state, 1, "E01", "E02")
    lines = GAME.words.board(state.observe(1)).splitlines()
    assert next(line for line in lines if line.startswith("Seat 1")).endswith("events E01 E02")
    assert next(line for line in lines if line.startswith("Seat 0")).endswith("events ? ? ?")
    assert next(line for line in lines if line.startswith("Event row")) == "Event row: pile:?"
    assert "E01" not in GAME.words.board(state.public())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_board_fits_a_screen_all_through_a_game(seats: int) -> None:
    state, rng = dealt(seats, 6), Random(6)
    while state.to_act is not None:
        assert len(GAME.words.board(state.observe(None)).splitlines()) < 25
        state.apply(rng.choice(state.legal_actions()))
    assert GAME.words.board(state.public()).startswith("Over (six_rounds)   0: ")


def test_events_and_celebrities_are_marked_on_the_time_line() -> None:
    state = act(loans_until_round(begun(3), 2), "pass", "pass", "pass", *["loan"] * 8)
    before = state.observe(None)
    act(state, "loan")
    assert GAME.words.mark("2 loan", before, state.observe(None)) == "events"
    assert GAME.words.mark("2 take C01", before, before) == "celebrity"
    assert GAME.words.mark("2 add ?", before, before) is None


@pytest.mark.parametrize("seed", range(5))
def test_the_turn_order_is_that_of_setup_whoever_leads_later(seed: int) -> None:
    """CC 2.1"""
    state = dealt(3, seed)
    order = tuple(state.observe(0)["turn_order"])
    assert order[0] == state.to_act
    loans_until_round(state if state.round else _drop_all(state), 3)
    assert GAME.words.turn_order(state) == order


def _drop_all(state: CottonClubState) -> CottonClubState:
    while not state.round:
        state.apply(state.legal_actions()[0])
    return state
