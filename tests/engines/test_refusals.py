"""Every refused action has one shape, whatever the game."""

from __future__ import annotations

from random import Random

import pytest

from engines import GAMES, Game, IllegalAction, InvalidAction, InvalidObservation, InvalidSetup, State
from engines.refusals import refusal
from tests.engines.playing import play_on


def reason(state: State, action: int) -> str:
    return f"seat {state.to_act} may not"


@pytest.fixture
def state() -> State:
    return GAMES["cotton_club"].new(seats=2, seed=1)


@pytest.mark.parametrize("action", [True, None, "loan", 1.0, [1]], ids=repr)
def test_what_is_no_int_is_invalid(state: State, action: object) -> None:
    error = refusal(state, action, reason)
    assert type(error) is InvalidAction
    assert str(error) == f"{action!r} is no action of cotton_club; actions are ints"


def test_an_int_that_is_no_action_is_illegal(state: State) -> None:
    error = refusal(state, 10**30, reason)
    assert type(error) is IllegalAction
    assert "1000000" in str(error)


def test_an_int_of_ten_thousand_digits_is_illegal_like_any_other(state: State) -> None:
    assert "int" in str(refusal(state, 10**10_000, reason))


def test_an_action_of_the_game_is_refused_with_its_text_and_the_reason_of_the_game(state: State) -> None:
    error = refusal(state, state.parse("loan"), reason)
    assert type(error) is IllegalAction
    assert str(error) == f"loan: seat {state.to_act} may not"


def test_no_reason_is_asked_for_once_the_game_is_over(state: State) -> None:
    over = play_on(state, Random(1))
    assert str(refusal(over, over.parse("loan"), reason)) == "loan: the game is over"


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
@pytest.mark.parametrize("value", [10**5000, "x" * 5000], ids=["int", "text"])
def test_what_is_too_long_to_show_is_refused_in_our_words_by_set_up_and_viewers(game: Game, value: object) -> None:
    wrong = {"seats": game.seats[0], "seed": 1}
    for setting in ("seats", "seed", *game.options):
        with pytest.raises(InvalidSetup, match=setting) as refused:
            game.new(**(wrong | {setting: value}))
        assert len(str(refused.value)) < 300
    with pytest.raises(InvalidObservation, match="seat"):
        game.new(**wrong).observe(value)


def test_an_option_with_an_endless_name_is_refused_in_a_short_message() -> None:
    with pytest.raises(InvalidSetup, match="no option") as refused:
        GAMES["gatsby"].new(seats=2, seed=1, **{"x" * 5000: 1})
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_an_option_named_like_a_parameter_of_python_is_refused_like_any_other(game: Game) -> None:
    with pytest.raises(InvalidSetup, match="no option 'self'"):
        game.new(seats=game.seats[0], seed=1, self=1)


class Spiteful:
    """Can neither be compared, as arrays can't, nor shown."""

    def __eq__(self, other: object) -> bool:
        raise ArithmeticError

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        raise ArithmeticError


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_what_can_neither_be_compared_nor_shown_is_refused_like_anything_else(game: Game) -> None:
    """Gatsby compared an array of numpy with its legal actions before it looked what it was."""
    state = game.new(seats=game.seats[0], seed=1)
    with pytest.raises(InvalidAction, match="Spiteful"):
        state.apply(Spiteful())  # type: ignore[arg-type]
    with pytest.raises(InvalidObservation, match="Spiteful"):
        state.observe(Spiteful())  # type: ignore[arg-type]
