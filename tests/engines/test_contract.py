"""What every game promises, over all games, seats and options."""

from __future__ import annotations

import json
import random
from collections import Counter
from random import Random

import pytest

from engines import GAMES, IllegalAction, InvalidAction, InvalidSetup
from engines.api import COMMON_FIELDS, EngineError
from tests.engines.playing import ALL_SETUPS, Setup, over_the_wire, play_on, played, positions, setups_of, views, walk

MOST_LEGAL_ACTIONS = 200
MOST_BYTES = 24 * 1024
LOG_OF_THE_CURRENT_YEAR_ONLY = {"capone"}

every_game = pytest.mark.parametrize("name", sorted(GAMES))
every_setup = pytest.mark.parametrize("setup", ALL_SETUPS, ids=str)
SEEDS = (1, 2)


@every_game
def test_a_game_says_what_it_is(name: str) -> None:
    game = GAMES[name]
    assert game.name == name
    assert game.title
    assert type(game.rules_version) is int
    assert isinstance(game.seats, range)
    assert len(game.seats) >= 1
    assert all(len(values) >= 1 for values in game.options.values())


@every_setup
@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_game_offers_sorted_unique_short_lists_until_it_ends(setup: Setup, seed: int) -> None:
    for state in walk(setup, seed):
        legal = state.legal_actions()
        assert type(legal) is list
        assert all(type(action) is int for action in legal)
        assert legal == sorted(set(legal))
        assert len(legal) <= MOST_LEGAL_ACTIONS
        assert (state.to_act is None) == (legal == []) == (state.outcome() is not None)
        assert state.to_act is None or (type(state.to_act) is int and state.to_act in range(setup.seats))


@every_setup
@pytest.mark.parametrize("seed", SEEDS)
def test_no_seat_chooses_more_often_than_the_game_says(setup: Setup, seed: int) -> None:
    choices = Counter(state.to_act for state in walk(setup, seed) if state.to_act is not None)
    assert max(choices.values()) <= setup.game.max_choices


@every_setup
@pytest.mark.parametrize("seed", SEEDS)
def test_a_finished_game_ranks_every_seat_and_ties_share(setup: Setup, seed: int) -> None:
    *_, state = walk(setup, seed)
    outcome = state.outcome()
    assert outcome is not None
    assert len(outcome.ranks) == len(outcome.scores) == setup.seats
    assert list(outcome.ranks) == [1 + sum(other < rank for other in outcome.ranks) for rank in outcome.ranks]
    assert outcome.ending


@every_setup
def test_a_list_of_legal_actions_is_the_callers_own(setup: Setup) -> None:
    for state in positions(setup, 3, 6):
        legal = state.legal_actions()
        state.legal_actions().clear()
        assert state.legal_actions() == legal


@every_setup
def test_an_action_and_its_text_are_inverse_and_mean_the_same_in_every_state(setup: Setup) -> None:
    texts: dict[int, str] = {}
    for seed in SEEDS:
        for state in walk(setup, seed):
            for action in state.legal_actions():
                text = texts.setdefault(action, state.format(action))
                assert state.format(action) == text
                assert state.parse(text) == action
    assert len(set(texts.values())) == len(texts)


@every_setup
def test_a_copy_is_independent(setup: Setup) -> None:
    for state in positions(setup, 3, 5):
        before = state.snapshot(), views(state, setup.seats), state.legal_actions()
        futures = [play_on(state.copy(), Random(5)).snapshot() for _ in range(2)]
        assert (state.snapshot(), views(state, setup.seats), state.legal_actions()) == before
        assert futures[0] == futures[1] == play_on(state, Random(5)).snapshot()


@every_setup
def test_a_restored_snapshot_is_the_same_game_now_and_later(setup: Setup) -> None:
    for state in positions(setup, 4, 5):
        snapshot = state.snapshot()
        restored = setup.game.restore(over_the_wire(snapshot))
        assert over_the_wire(snapshot) == snapshot == restored.snapshot()
        assert restored.to_act == state.to_act
        assert restored.legal_actions() == state.legal_actions()
        assert views(restored, setup.seats) == views(state, setup.seats)
        assert play_on(restored, Random(6)).snapshot() == play_on(state, Random(6)).snapshot()


@every_setup
def test_restoring_leaves_the_snapshot_alone(setup: Setup) -> None:
    state = positions(setup, 4, 4)[1]
    snapshot = state.snapshot()
    play_on(setup.game.restore(snapshot), Random(7))
    assert snapshot == state.snapshot()


@every_setup
def test_a_snapshot_holds_the_seed_as_a_decimal_string(setup: Setup) -> None:
    seed = (1 << 128) - 159
    assert setup.new(seed).snapshot()["seed"] == str(seed)


@every_setup
def test_observations_are_plain_json_and_small(setup: Setup) -> None:
    for state in positions(setup, 5, 8):
        for view in views(state, setup.seats):
            assert over_the_wire(view) == view
            assert len(json.dumps(view)) < MOST_BYTES


@every_setup
def test_every_observation_has_the_common_fields(setup: Setup) -> None:
    state = setup.new(5)
    options = {option: values[0] for option, values in setup.game.options.items()} | dict(setup.options)
    for ply, action in enumerate(played(setup, 5)):
        for seat in (*range(setup.seats), None) if ply % 9 == 0 else ():
            view = state.observe(seat)
            assert set(COMMON_FIELDS) <= set(view)
            assert (view["game"], view["rules_version"]) == (setup.name, setup.game.rules_version)
            assert (view["seat"], view["seats"], view["options"]) == (seat, setup.seats, options)
            assert (view["to_act"], view["ply"], view["outcome"]) == (state.to_act, ply, None)
        state.apply(action)
    outcome = state.outcome()
    assert outcome is not None
    assert all(view["outcome"] == outcome.as_json() and view["to_act"] is None for view in views(state, setup.seats))


@every_setup
def test_no_observation_holds_the_seed(setup: Setup) -> None:
    seed = 0xC0FFEE_0DDBA11 << 64 | 0xFEDC_BA98_7654_3210
    state = play_on(setup.new(seed), Random(8))
    for view in [*views(setup.new(seed), setup.seats), *views(state, setup.seats)]:
        assert "seed" not in view
        assert str(seed) not in str(view)


@every_setup
@pytest.mark.parametrize("seat", [-1, 99, True, "0", 0.0], ids=repr)
def test_a_seat_that_is_not_at_the_table_sees_nothing(setup: Setup, seat: object) -> None:
    with pytest.raises(EngineError, match=r"seat"):
        setup.new(1).observe(seat)  # type: ignore[arg-type]


@every_setup
def test_the_log_has_an_entry_for_each_action_and_names_who_acted(setup: Setup) -> None:
    actors: list[int] = []
    for state in walk(setup, 5):
        if len(actors) % 7 == 0 or state.to_act is None:
            for view in views(state, setup.seats):
                told = [int(entry.split(" ")[0]) for entry in view["log"]]
                assert told == actors[len(actors) - len(told) :]
                assert len(told) == len(actors) or setup.name in LOG_OF_THE_CURRENT_YEAR_ONLY
        actors += [] if state.to_act is None else [state.to_act]


@every_setup
def test_the_actor_and_all_eyes_read_an_action_in_the_log_as_it_was_spelled(setup: Setup) -> None:
    state = setup.new(5)
    for ply, action in enumerate(played(setup, 5)):
        seat, text = state.to_act, state.format(action)
        state.apply(action)
        for view in (state.observe(seat), state.observe(None)) if ply % 7 == 0 else ():
            assert not view["log"] or view["log"][-1].startswith(f"{seat} {text}")


@every_setup
def test_an_action_that_is_not_legal_now_is_refused_and_changes_nothing(setup: Setup) -> None:
    actions = sorted(set(played(setup, 5)))
    for state in positions(setup, 6, 5):
        before = state.snapshot()
        forbidden = sorted(set(actions) - set(state.legal_actions()))
        for action in Random(9).sample(forbidden, min(8, len(forbidden))):
            with pytest.raises(IllegalAction) as refusal:
                state.apply(action)
            assert state.format(action) in str(refusal.value)
        assert state.snapshot() == before


@every_setup
@pytest.mark.parametrize("action", [-1, 10**9, -(10**30)], ids=repr)
def test_an_int_that_is_no_action_is_illegal_to_apply_and_has_no_text(setup: Setup, action: int) -> None:
    state = positions(setup, 6, 3)[1]
    before = state.snapshot()
    with pytest.raises(IllegalAction, match=str(action)):
        state.apply(action)
    with pytest.raises(InvalidAction, match=str(action)):
        state.format(action)
    assert state.snapshot() == before


@every_setup
@pytest.mark.parametrize("action", [True, False, None, "0", 0.0, 1.0, [1], {}], ids=repr)
def test_what_is_no_int_is_an_invalid_action_and_changes_nothing(setup: Setup, action: object) -> None:
    state = positions(setup, 6, 3)[1]
    before = state.snapshot()
    with pytest.raises(InvalidAction):
        state.apply(action)  # type: ignore[arg-type]
    assert state.snapshot() == before


@every_setup
def test_nothing_can_be_done_once_the_game_is_over(setup: Setup) -> None:
    *_, state = walk(setup, 6)
    before = state.snapshot()
    for action in sorted(set(played(setup, 6)))[:20]:
        with pytest.raises(IllegalAction):
            state.apply(action)
    assert state.snapshot() == before


@every_setup
def test_a_game_leaves_the_global_random_source_alone(setup: Setup) -> None:
    before = random.getstate()
    state = play_on(setup.new(3), Random(1))
    setup.game.imagine(state.observe(0), Random(1))
    assert random.getstate() == before


@every_game
@pytest.mark.parametrize("seats", [0, -1, 1, 7, 10**9, True, "2", 2.0, None, [2]], ids=repr)
def test_a_number_of_seats_the_game_does_not_have_is_refused(name: str, seats: object) -> None:
    with pytest.raises(InvalidSetup, match="seats"):
        GAMES[name].new(seats=seats, seed=1)  # type: ignore[arg-type]


@every_game
@pytest.mark.parametrize("seed", [-1, 1 << 128, True, "7", 1.5, None], ids=repr)
def test_a_seed_that_is_no_number_of_128_bits_is_refused(name: str, seed: object) -> None:
    with pytest.raises(InvalidSetup, match="seed"):
        GAMES[name].new(seats=GAMES[name].seats[0], seed=seed)  # type: ignore[arg-type]


@every_game
def test_an_option_the_game_does_not_have_is_refused(name: str) -> None:
    with pytest.raises(InvalidSetup, match="jazz"):
        GAMES[name].new(seats=GAMES[name].seats[0], seed=1, jazz=True)


@every_game
@pytest.mark.parametrize("value", ["no such value", None, 17, True, ["x"]], ids=repr)
def test_a_value_the_option_does_not_have_is_refused(name: str, value: object) -> None:
    for option in GAMES[name].options:
        with pytest.raises(InvalidSetup, match=option):
            GAMES[name].new(seats=GAMES[name].seats[0], seed=1, **{option: value})


@every_game
@pytest.mark.soak
def test_many_random_games_end_within_their_limits(name: str) -> None:
    for setup in setups_of(name):
        for seed in range(100, 160):
            test_a_random_game_offers_sorted_unique_short_lists_until_it_ends(setup, seed)
            test_no_seat_chooses_more_often_than_the_game_says(setup, seed)
