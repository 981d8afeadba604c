"""What Gatsby's evaluation and policy think of a table."""

from __future__ import annotations

from random import Random

import pytest

from bots.kit.policies.gatsby import WON, best_answer, finish_turn, lead_of
from bots.kit.search import random_policy
from bots.kit.values.gatsby import (
    CHAIN,
    CIRCLED,
    CLIMB,
    FAR,
    TRACK_OF_3,
    TRACK_OF_5,
    claim_shares,
    evaluate,
    lead,
    tokens_to_join,
)
from engines import GAMES
from engines.gatsby.state import GatsbyState
from engines.gatsby.tables import CABARET_MASK, CELL_NUMBER

GAME = GAMES["gatsby"]


def cells(*names: str) -> int:
    return sum(1 << CELL_NUMBER[name] for name in names)


def begun(seed: int = 3, plies: int = 2) -> GatsbyState:
    """A game after some random choices."""
    state, rng = GAME.new(seats=2, seed=seed), Random(seed)
    for _ in range(plies):
        state.apply(random_policy(state, rng))
    assert isinstance(state, GatsbyState)
    return state


@pytest.mark.parametrize(
    ("own", "blocked", "needed"),
    [
        (cells(), cells(), 6),
        (cells("c02", "c12", "c22"), cells(), 3),
        (cells("c02", "c12", "c22", "c42", "c52"), cells(), 1),
        (cells("c00", "c10", "c20", "c30", "c40", "c50"), cells(), 0),
        (cells("c02", "c12"), cells("c22"), 5),
        (cells("c02"), cells("c30", "c31", "c32", "c33", "c34", "c35"), FAR),
    ],
)
def test_a_chain_needs_so_many_more_tokens(own: int, blocked: int, needed: int) -> None:
    assert tokens_to_join(own, CABARET_MASK & ~own & ~blocked, False) == needed


def test_chances_lie_between_0_and_1_and_add_up_in_every_position() -> None:
    state, rng = begun(), Random(1)
    while state.to_act is not None:
        mine, yours = evaluate(state)
        assert 0 <= mine <= 1
        assert mine + yours == pytest.approx(1)
        state.apply(random_policy(state, rng))


def test_a_floor_and_a_token_towards_a_claim_are_worth_something() -> None:
    state = begun()
    higher = state.copy()
    higher.floors[0] += 3
    assert evaluate(higher)[0] > evaluate(state)[0]
    longer = state.copy()
    longer.tokens[1] |= cells("c01", "c11", "c21", "c31")
    longer.filled |= longer.tokens[1]
    assert evaluate(longer)[1] > evaluate(state)[1]


def test_two_of_a_family_with_the_third_on_the_board_are_worth_more_than_two_strangers() -> None:
    state = begun()
    first, second, third = 0, 1, 2  # one family, of 0, 2 and 3 stars
    stranger = 7  # another one of 2 stars
    board = [third, *(n for n in state.at if n not in (first, second, third, stranger))]
    state.at = tuple((*board, *range(8, 15))[:12])
    kin, strangers = state.copy(), state.copy()
    kin.claimed[0], strangers.claimed[0] = 1 << first | 1 << second, 1 << first | 1 << stranger
    assert evaluate(kin)[0] > evaluate(strangers)[0]


def test_the_seat_that_is_next_is_nearer_to_every_claim_both_are_equally_near_to() -> None:
    state = begun()
    state.tokens, state.filled, state.floors = [0, 0], 0, [3, 3]
    for seat in (0, 1):
        state.turn = seat
        assert all(chances[seat] > chances[1 - seat] for _, chances in claim_shares(state))


def test_a_star_more_in_hand_counts_more_when_fewer_characters_are_left() -> None:
    early = begun()
    early.at = tuple(range(3, 15))
    late = early.copy()
    late.at = (*[-1] * 8, *range(11, 15))
    late.claimed[0] = late.claimed[1] = 1 << 3 | 1 << 6 | 1 << 9  # the same for both, and no set
    gained = []
    for state in (early, late):
        richer = state.copy()
        richer.claimed[0] |= 1 << 1
        gained.append(lead(richer) - lead(state))
    assert gained[1] > gained[0] > 0


@pytest.mark.parametrize("near", [CHAIN, CLIMB, *CIRCLED, *TRACK_OF_5[:3], *TRACK_OF_3[:2]])
def test_what_is_further_away_is_never_nearer(near: tuple[float, ...]) -> None:
    assert list(near) == sorted(near, reverse=True)


def test_a_finished_turn_hands_over_and_tells_the_lead() -> None:
    state = begun()
    seat = state.to_act
    assert seat is not None
    ahead = finish_turn(state, seat, Random(2), width=8)
    assert state.to_act == 1 - seat
    assert ahead == lead_of(state, seat)


def test_a_better_answer_is_never_missed_for_a_worse_one() -> None:
    state = begun(plies=30)
    seat = state.to_act
    assert seat is not None
    finish_turn(state, seat, Random(2), width=8)
    best = best_answer(state, 1 - seat, Random(3), width=36)
    assert -WON <= best <= WON
    assert best >= lead_of(state, 1 - seat) - 1.0
