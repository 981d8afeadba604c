"""Whole games as text: ``python -m tests.engines.cotton_club.playthroughs`` writes the golden files anew."""

from __future__ import annotations

from pathlib import Path
from random import Random

from engines.cotton_club import GAME

GOLDEN = Path(__file__).parent / "golden"
GAMES = {"two_seats": (2, 23), "three_seats": (3, 31), "four_seats": (4, 47)}


def play_through(seats: int, seed: int) -> str:
    """A random game told action by action, with the table at the beginning of each round and at the end."""
    state, rng, words = GAME.new(seats=seats, seed=seed), Random(seed), GAME.words
    names = [words.seat_name(seat, seats) for seat in range(seats)]
    lines, shown_round = [f"1923 Cotton Club, {seats} seats, seed {seed}", ""], -1
    while state.to_act is not None:
        before = state.observe(None)
        if state.round != shown_round:
            lines += ["", words.board(before), ""]
            shown_round = state.round
        action = rng.choice(state.legal_actions())
        told = f"{state.ply:3} {state.to_act} {state.format(action):24}"
        state.apply(action)
        after = state.observe(None)
        lines.append(f"{told} {words.sentence(after['log'][-1], before, after, names)}")
    return "\n".join([*lines, "", words.board(after), "", str(after["scoring"]), ""])


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for name, (seats, seed) in GAMES.items():
        (GOLDEN / f"{name}.txt").write_text(play_through(seats, seed))


if __name__ == "__main__":
    main()
