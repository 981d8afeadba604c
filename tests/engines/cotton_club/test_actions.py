"""Actions: ints, texts, refusals, bounds."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engines import IllegalAction, InvalidAction
from engines.cotton_club import GAME
from engines.cotton_club.actions import ACTIONS, TEXTS, format_action, parse_action
from engines.cotton_club.refusals import why_not
from tests.engines.cotton_club.arranging import act, begun, dealt, fill_board, hold, legal, loans_until_round

PAGE = (Path(__file__).parents[3] / "engines" / "cotton_club" / "BOTS.md").read_text()


def test_the_ints_documented_are_the_ints_of_the_actions() -> None:
    for low, high, cell in re.findall(r"^\| (\d+)(?: – (\d+))? \| (`.*?) \| ", PAGE, re.MULTILINE):
        texts = TEXTS[int(low) : int(high or low) + 1]
        for shown in re.findall(r"`([^`]+)`", cell):
            assert shown in texts or f"take {shown}" in texts or shown.replace("…", "salvatore") in texts


def test_every_action_is_in_one_documented_range() -> None:
    ranges = re.findall(r"^\| (\d+)(?: – (\d+))? \| `", PAGE, re.MULTILINE)
    covered = [action for low, high in ranges for action in range(int(low), int(high or low) + 1)]
    assert covered == list(range(ACTIONS))


def test_texts_are_unique_and_lead_back() -> None:
    assert len(set(TEXTS)) == ACTIONS
    assert [parse_action(format_action(action)) for action in range(ACTIONS)] == list(range(ACTIONS))


@pytest.mark.parametrize("bad", [-1, ACTIONS, True, "loan", 1.0, None, 10**5000], ids=lambda bad: str(type(bad)))
def test_a_value_that_is_no_action_has_no_text(bad: Any) -> None:
    with pytest.raises(InvalidAction, match="actions are ints from 0 to 148"):
        format_action(bad)


@pytest.mark.parametrize("text", ["", "take", "take g16", "take I01", "take I02 A", "take I02 B", " loan", "bribe 6"])
def test_a_text_that_is_no_action_is_invalid(text: str) -> None:
    with pytest.raises(InvalidAction, match="is no action of cotton_club"):
        parse_action(text)


@pytest.mark.parametrize("bad", [True, "loan", None, 91.0, [91]], ids=repr)
def test_applying_something_else_than_an_int_is_invalid(bad: Any) -> None:
    state = begun()
    with pytest.raises(InvalidAction):
        state.apply(bad)
    assert state.ply == 6


def test_an_int_far_outside_is_illegal_to_apply() -> None:
    with pytest.raises(IllegalAction, match="int value that can't be shown"):
        begun().apply(10**5000)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("drop E01", "has to choose what to do with a pawn"),
        ("salvatore loan", "has to choose what to do with a pawn"),
        ("bribe 1", "has to choose what to do with a pawn"),
        ("take C17", "C17 is not in the row of celebrities"),
    ],
)
def test_a_refusal_says_why(text: str, reason: str) -> None:
    with pytest.raises(IllegalAction, match=f"{text}: .*{reason}"):
        act(begun(), text)


def test_a_refused_drop_says_whether_it_is_held_or_out_of_order() -> None:
    state = dealt(2, 5)
    hold(state, state.to_act or 0, "E01", "E02", "E03", "E04", "E21")
    with pytest.raises(IllegalAction, match="does not hold E09"):
        act(state, "drop E09")
    with pytest.raises(IllegalAction, match="ascending order"):
        act(state, "drop E21")


def test_a_refused_add_and_a_refused_placement_say_why() -> None:
    state = loans_until_round(begun(), 2)
    hold(state, state.to_act or 0, "E01")
    with pytest.raises(IllegalAction, match="does not hold E09"):
        act(state, "add E09")
    state = begun()
    fill_board(state)
    with pytest.raises(IllegalAction, match="tip-off has no free space"):
        act(state, "tip-off")


def test_when_the_game_is_over_nothing_is_legal() -> None:
    state = loans_until_round(begun(), 6)
    while state.to_act is not None:
        state.apply(state.legal_actions()[0])
    with pytest.raises(IllegalAction, match="the game is over"):
        act(state, "loan")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_illegal_action_has_a_reason_everywhere(seats: int) -> None:
    state, rng = dealt(seats, 11), Random(11)
    while state.to_act is not None:
        choices = state.legal_actions()
        assert len(choices) <= 26
        for action in rng.sample(range(ACTIONS), 20):
            assert action in choices or why_not(state, action)
        state.apply(rng.choice(choices))


def test_a_seat_that_tips_off_with_every_pawn_stays_within_the_bound() -> None:
    state, choices = dealt(3, 1), [0, 0, 0]
    while state.to_act is not None:
        texts = legal(state)
        wants_tips = state.to_act == 0 and "tip-off" in texts
        choices[state.to_act] += 1
        act(state, "tip-off" if wants_tips else "loan" if "loan" in texts else texts[0])
    assert choices[0] == 2 + 5 + 18 + 18
    assert GAME.max_choices == 2 + 5 + 6 * 7 + 1
