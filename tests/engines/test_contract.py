"""What every game promises, over all games, seats and options; the promises themselves are in engines/contract."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engines import GAMES, Game
from engines.contract import OF_A_GAME, OF_A_TABLE, about, play, sight, tell
from tests.engines.playing import ALL_SETUPS, Setup, is_sampled, played, setups_of, walk

LOG_OF_THE_CURRENT_YEAR_ONLY = {"capone"}
# Until every game has its words and its public view.
NEW = {*tell.PROMISES, sight.public_follows_from_every_seat, sight.public_has_the_shape_of_an_observation}
NEW |= {
    sight.shows_plain_and_small_json,
    sight.hides_the_seed,
    about.has_its_pages,
    play.refuses_ints_that_are_no_actions,
}

every_game = pytest.mark.parametrize("name", sorted(GAMES))
every_table = [setup if is_sampled(setup) else pytest.param(setup, marks=pytest.mark.soak) for setup in ALL_SETUPS]


@every_game
@pytest.mark.parametrize("promise", OF_A_GAME, ids=lambda promise: promise.__name__)
def test_a_game_keeps(promise: Callable[[Game], None], name: str) -> None:
    if promise in NEW and not hasattr(GAMES[name], "words"):
        pytest.skip("has no words yet")
    promise(GAMES[name])


@pytest.mark.parametrize("setup", every_table, ids=str)
@pytest.mark.parametrize("promise", OF_A_TABLE, ids=lambda promise: promise.__name__)
def test_a_table_keeps(promise: Callable[[Setup], None], setup: Setup) -> None:
    if promise in NEW and not hasattr(setup.game, "words"):
        pytest.skip("has no words yet")
    promise(setup)


@every_game
def test_the_tables_of_every_day_have_each_number_of_seats_and_each_value_of_each_option(name: str) -> None:
    tables, game = [setup for setup in setups_of(name) if is_sampled(setup)], GAMES[name]
    assert {setup.seats for setup in tables} == set(game.seats)
    for option, values in game.options.items():
        assert {dict(setup.options)[option] for setup in tables} == set(values)


@every_game
def test_the_log_has_the_whole_game_or_the_current_year(name: str) -> None:
    for setup in setups_of(name):
        *_, state = walk(setup, 5)
        logged = len(state.observe(0)["log"])
        assert logged == len(played(setup, 5)) or (name in LOG_OF_THE_CURRENT_YEAR_ONLY and logged)


@every_game
@pytest.mark.soak
def test_many_games_are_recognised_by_those_who_imagine_them(name: str) -> None:
    for setup in setups_of(name):
        for seed in range(100, 130):
            sight.check_imagining(setup, seed, 60)


@every_game
@pytest.mark.soak
def test_many_random_games_end_within_their_limits(name: str) -> None:
    for setup in setups_of(name):
        for seed in range(100, 160):
            play.check_random_game(setup, seed)
