"""Whole games as text a person can read; ``python -m tests.engines.capone.golden`` writes them anew."""

from __future__ import annotations

from pathlib import Path
from random import Random

from engines.capone import GAME
from engines.capone.actions import DISCARD, USE
from engines.capone.position import INVEST
from engines.capone.state import CaponeState
from engines.telling import seat_names, table_of, take

FOLDER = Path(__file__).parent / "golden"
# (seats, income, seed): short games, one for each number of seats and each income mode.
GAMES = ((3, "business", 1), (4, "mixed", 2), (5, "threshold", 3), (6, "pieces", 4))


def path_of(seats: int, income: str) -> Path:
    return FOLDER / f"{seats}_seats_{income}.txt"


def choose(state: CaponeState, rng: Random) -> int:
    """Invest all that can be, use a card where one has a use, and draw every other choice."""
    legal = state.legal_actions()
    if state.choice == INVEST:
        return legal[-1]
    return rng.choice([action for action in legal if USE <= action < DISCARD] or legal)


def played(seats: int, income: str, seed: int) -> str:
    """One game: the table at each new year, every action, the end."""
    state = GAME.new(seats=seats, seed=seed, income=income)
    names, rng, year, lines = seat_names(state), Random(seed), 0, []
    while state.to_act is not None:
        if state.year != year:
            year = state.year
            lines += ["", table_of(state), ""]
        action = choose(state, rng)
        lines.append(f"{state.ply:4} {state.to_act} {state.format(action):<20} {take(state, action, names)}")
    return "\n".join([*lines[1:], "", table_of(state), str(state.outcome()), ""])


def main() -> None:
    for seats, income, seed in GAMES:
        path_of(seats, income).write_text(played(seats, income, seed), encoding="utf-8")


if __name__ == "__main__":
    main()
