"""The search toolbox."""

from __future__ import annotations

from random import Random

import pytest

from bots.kit import Budget, best_by_one_step, best_by_playouts, best_by_tree, rank_utilities
from bots.kit.search import imagined, play_out, random_policy
from engines import GAMES, Outcome, State
from tests.bots.desk import count_calls_as_time, turn_of


def last_bribe() -> State:
    """Cotton Club before its very last choice, which decides the game; nothing else follows."""
    state, rng = GAMES["cotton_club"].new(seats=2, seed=85), Random(85)
    while state.observe(None)["pending"] != "bribe" or not outcomes_differ(state):
        state.apply(random_policy(state, rng))
    return state


def outcomes_differ(state: State) -> bool:
    return len({rank_after(state, action) for action in state.legal_actions()} - {None}) == 2


def rank_after(state: State, action: int) -> int | None:
    """The rank of the seat to act if this action ends the game; None if it doesn't."""
    after, seat = state.copy(), state.to_act
    after.apply(action)
    outcome = after.outcome()
    return None if outcome is None or seat is None else outcome.ranks[seat]


@pytest.mark.parametrize("search", [best_by_playouts, best_by_tree])
def test_a_search_finds_a_win_in_one(search) -> None:
    state = last_bribe()
    found = search(turn_of(state), budget=Budget(cpu_ms=5000, rounds=60))
    assert rank_after(state, state.parse(found.action)) == 1
    assert found.value > 0.5


def test_one_step_finds_a_win_in_one() -> None:
    state = last_bribe()
    found = best_by_one_step(turn_of(state), budget=Budget(), evaluate=lambda _: [0.5, 0.5])
    assert rank_after(state, state.parse(found.action)) == 1


def test_one_step_prefers_what_the_evaluation_likes() -> None:
    state = GAMES["capone"].new(seats=3, seed=5)
    done = state.parse("done")

    def likes_done(after: State) -> list[float]:
        return [1.0 if after.to_act != state.to_act else 0.0] * 3

    assert best_by_one_step(turn_of(state), budget=Budget(), evaluate=likes_done).action == state.format(done)


def test_a_budget_of_rounds_is_kept_to_the_round() -> None:
    turn = turn_of(GAMES["gatsby"].new(seats=2, seed=1))
    found = best_by_playouts(turn, budget=Budget(cpu_ms=60_000, rounds=17), depth=3, evaluate=lambda _: [0.5, 0.5])
    assert found.rounds == 17


@pytest.mark.parametrize(("ms_a_look", "rounds"), [(30, 1), (10, 2), (4, 5)])
@pytest.mark.parametrize("search", [best_by_tree, best_by_playouts])
def test_a_budget_of_cpu_time_is_kept(monkeypatch: pytest.MonkeyPatch, search, ms_a_look: float, rounds: int) -> None:
    turn = turn_of(GAMES["cotton_club"].new(seats=2, seed=1))
    count_calls_as_time(monkeypatch, ms_a_look=ms_a_look)
    assert search(turn, budget=Budget(cpu_ms=20), depth=5, evaluate=lambda _: [0.5, 0.5]).rounds == rounds


def test_a_single_legal_action_costs_no_search() -> None:
    turn = turn_of(GAMES["gatsby"].new(seats=2, seed=1))
    turn.legal = turn.legal[:1]
    assert best_by_tree(turn, budget=Budget()).rounds == 0


def test_what_is_believed_beforehand_guides_the_first_tries() -> None:
    state = GAMES["capone"].new(seats=3, seed=5)
    favourite = state.legal_actions()[-1]

    def prior(position: State) -> dict[int, float]:
        return {action: float(action == favourite) for action in position.legal_actions()}

    found = best_by_playouts(
        turn_of(state), budget=Budget(cpu_ms=5000, rounds=3), depth=0, evaluate=lambda _: [0.5] * 3, prior=prior
    )
    assert found.action == state.format(favourite)


def test_imagined_positions_are_used_again_and_stay_apart() -> None:
    turn = turn_of(GAMES["capone"].new(seats=3, seed=5))
    states = imagined(turn, worlds=2)
    first, second, again = next(states), next(states), next(states)
    assert again.snapshot() == first.snapshot() != second.snapshot()
    first.apply(first.legal_actions()[0])
    assert next(states).snapshot() == second.snapshot()
    assert next(states).snapshot() == again.snapshot()


def test_a_playout_ends_where_it_is_told_to() -> None:
    state = GAMES["capone"].new(seats=3, seed=5)
    play_out(state, Random(1), depth=100, evaluate=lambda _: [0.5] * 3, policy=random_policy, stop=lambda s: s.ply >= 4)
    assert state.ply == 4  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("ranks", "utilities"),
    [((1, 2), [1, 0]), ((1, 1), [0.5, 0.5]), ((2, 1, 3), [0.5, 1, 0]), ((1, 2, 2, 4), [1, 0.5, 0.5, 0])],
)
def test_utilities_run_from_first_to_last_and_ties_share(ranks: tuple[int, ...], utilities: list[float]) -> None:
    assert rank_utilities(Outcome(ranks=ranks, scores=ranks, ending="x")) == utilities
