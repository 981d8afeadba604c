from __future__ import annotations

import pytest

from engines import GAMES
from ladder.matches.turns import turns_of
from tests.ladder.cast import enrol, make_ladder, play

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("game", "seats"), [("gatsby", 2), ("capone", 4)])
def test_a_finished_match_knows_who_moved_first(game: str, seats: int) -> None:
    ladder = make_ladder(game, seats)
    match = play(ladder, *enrol(ladder, seats), ranks=tuple(range(1, seats + 1)))
    rules = GAMES[game]
    order = rules.words.turn_order(rules.new(seats=seats, seed=int(match.set.seed)))
    assert [match.seats.get(turn=turn).seat for turn in range(seats)] == list(order)


def test_turns_differ_with_the_deal() -> None:
    assert {turns_of("gatsby", seats=2, seed=seed, options={}) for seed in range(20)} == {(0, 1), (1, 0)}
