"""Whole games as text a person can read; ``python -m tests.engines.gatsby.golden`` writes them anew."""

from __future__ import annotations

from pathlib import Path
from random import Random

from engines.gatsby.game import GAME
from engines.gatsby.state import GatsbyState
from tests.engines.gatsby.scene import asked

FOLDER = Path(__file__).parent / "golden"
# games that end in four ways, with every bonus and every special
SEEDS = (5, 63, 82, 94, 259)


def path_of(seed: int) -> Path:
    return FOLDER / f"seed_{seed}.txt"


def choose(state: GatsbyState, rng: Random) -> int:
    """Take what is offered and use a special when there is one, mostly; draw every other choice."""
    legal = state.legal_actions()
    keen = [action for action in legal if state.format(action).startswith(("take:", "S"))]
    return rng.choice(keen if keen and rng.random() < 0.8 else legal)


def played(seed: int) -> str:
    """One game: the table before each turn, every action, the end."""
    state, rng, words, lines = GAME.new(seed=seed), Random(seed), GAME.words, [f"Gatsby, seed {seed}"]
    names = [words.seat_name(seat, 2) for seat in (0, 1)]
    while state.to_act is not None:
        before = state.observe(None)
        if asked(state) in ("setup_pick", "action"):
            lines += ["", words.board(before), ""]
        action = choose(state, rng)
        told = f"{state.ply:4} {state.to_act} {state.format(action):10}"
        state.apply(action)
        after = state.observe(None)
        lines.append(f"{told} {words.sentence(after['log'][-1], before, after, names)}")
    return "\n".join([*lines, "", words.board(after), str(state.outcome()), ""])


def main() -> None:
    for seed in SEEDS:
        path_of(seed).write_text(played(seed), encoding="utf-8")


if __name__ == "__main__":
    main()
