"""Whole games as text: ``python -m tests.engines.cotton_club.playthroughs`` writes the golden files anew."""

from __future__ import annotations

from pathlib import Path
from random import Random

from engines.cotton_club import GAME
from engines.cotton_club.board import draw, tell
from engines.cotton_club.state import CottonClubState
from engines.cotton_club.tables import EVENTS

GOLDEN = Path(__file__).parent / "golden"
GAMES = {"two_seats": (2, 23), "three_seats": (3, 31), "four_seats": (4, 47)}


def _resolved(before: int, state: CottonClubState) -> list[str]:
    return [
        f"    event {EVENTS[event].id} {EVENTS[event].name} ({EVENTS[event].measure}), "
        + ("from the pile" if by is None else f"added by seat {by}")
        for _, by, event in state.used_events[before:]
    ]


def play_through(seats: int, seed: int) -> str:
    """A random game told action by action, with the table at the beginning of each round and at the end."""
    state, rng = GAME.new(seats=seats, seed=seed), Random(seed)
    lines, shown_round = [f"1923 Cotton Club, {seats} seats, seed {seed}", ""], -1
    while state.to_act is not None:
        if state.round != shown_round:
            lines += ["", draw(state), ""]
            shown_round = state.round
        action, used = rng.choice(state.legal_actions()), len(state.used_events)
        lines.append(f"{state.ply:3} {state.to_act} {state.format(action):24} {tell(state, action)}")
        state.apply(action)
        lines += _resolved(used, state)
    return "\n".join([*lines, "", draw(state), "", str(state.observe(None)["scoring"]), ""])


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for name, (seats, seed) in GAMES.items():
        (GOLDEN / f"{name}.txt").write_text(play_through(seats, seed))


if __name__ == "__main__":
    main()
