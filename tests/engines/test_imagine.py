"""What every game promises of imagine: built from one seat's view alone, it looks the same to that seat."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.engines.playing import ALL_SETUPS, Setup, over_the_wire, play_on, positions, setups_of

every_setup = pytest.mark.parametrize("setup", ALL_SETUPS, ids=str)


def check_every_seat_recognises_what_it_imagines(setup: Setup, seed: int, count: int) -> None:
    for state in positions(setup, seed, count):
        for seat in range(setup.seats):
            view = state.observe(seat)
            imagined = setup.game.imagine(over_the_wire(view), Random(seed))
            assert imagined.observe(seat) == view
            assert imagined.to_act == state.to_act
            assert imagined.outcome() == state.outcome()
            if state.to_act == seat:
                assert imagined.legal_actions() == state.legal_actions()


@every_setup
@pytest.mark.parametrize("seed", [21, 22])
def test_a_seat_recognises_what_it_imagines(setup: Setup, seed: int) -> None:
    check_every_seat_recognises_what_it_imagines(setup, seed, 12)


@every_setup
@pytest.mark.soak
def test_a_seat_recognises_what_it_imagines_in_many_games(setup: Setup) -> None:
    for seed in range(100, 130):
        check_every_seat_recognises_what_it_imagines(setup, seed, 60)


@every_setup
def test_an_imagined_game_plays_to_its_end_within_the_limits(setup: Setup) -> None:
    for number, state in enumerate(positions(setup, 23, 6)):
        seat = number % setup.seats
        imagined = setup.game.imagine(state.observe(seat), Random(number))
        choices: Counter[int] = Counter()
        while imagined.to_act is not None:
            choices[imagined.to_act] += 1
            imagined.apply(Random(number).choice(imagined.legal_actions()))
        assert imagined.outcome() is not None
        assert max(choices.values(), default=0) <= setup.game.max_choices


@every_setup
def test_an_imagined_game_can_be_snapshot_restored_and_imagined_again(setup: Setup) -> None:
    for number, state in enumerate(positions(setup, 24, 5)):
        seat = number % setup.seats
        imagined = setup.game.imagine(state.observe(seat), Random(number))
        again = setup.game.restore(over_the_wire(imagined.snapshot()))
        assert again.snapshot() == imagined.snapshot()
        assert setup.game.imagine(imagined.observe(seat), Random(1)).observe(seat) == state.observe(seat)
        assert play_on(again, Random(2)).snapshot() == play_on(imagined, Random(2)).snapshot()


@every_setup
def test_the_same_source_imagines_the_same_and_another_takes_another_seed(setup: Setup) -> None:
    view = positions(setup, 25, 4)[1].observe(0)
    first, again, other = (setup.game.imagine(view, Random(n)).snapshot() for n in (1, 1, 2))
    assert first == again
    assert first["seed"] != other["seed"]


@every_setup
def test_imagining_leaves_the_observation_alone(setup: Setup) -> None:
    state = positions(setup, 26, 4)[1]
    view = state.observe(0)
    play_on(setup.game.imagine(view, Random(1)), Random(2))
    assert view == state.observe(0)


@every_setup
def test_what_is_imagined_does_not_depend_on_the_true_seed(setup: Setup) -> None:
    view = setup.new(27).observe(0)
    assert setup.game.imagine(view, Random(1)).snapshot()["seed"] != "27"


@pytest.mark.parametrize("name", sorted({setup.name for setup in ALL_SETUPS}))
def test_two_seats_imagine_from_their_own_views_only(name: str) -> None:
    setup = setups_of(name)[0]
    for state in positions(setup, 28, 6):
        seen = [setup.game.imagine(state.observe(seat), Random(3)).observe(seat) for seat in range(setup.seats)]
        assert [view["seat"] for view in seen] == list(range(setup.seats))
