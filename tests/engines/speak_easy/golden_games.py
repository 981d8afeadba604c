"""Whole games as text: ``python -m tests.engines.speak_easy.golden_games`` writes them anew after a change of rules."""

from __future__ import annotations

from pathlib import Path
from random import Random

from engines import GAMES
from engines.speak_easy.board import draw, tell
from engines.speak_easy.log import entries, texts

FOLDER = Path(__file__).parent / "golden"
SEEDS = {"speakeasy": 1, "no_move": 11, "quiet": 83}


def told(seed: int) -> str:
    """A random game: every action as logged and in words, the table every 25 actions, and the end."""
    state, rng, lines = GAMES["speak_easy"].new(seed=seed), Random(seed), [f"speak_easy, seed {seed}"]
    while state.to_act is not None:
        action = rng.choice(state.legal_actions())
        sentence = tell(state, action)
        state.apply(action)
        happened = entries(state.log)
        entry = texts(happened, first=state.first, seat=None)[-1]
        lines.append(f"{len(happened):4}  {entry:<14}{sentence}")
        if len(happened) % 25 == 0 or state.to_act is None:
            lines += ["", draw(state), ""]
    outcome = state.outcome()
    lines += [f"ranks {outcome.ranks}, scores {outcome.scores}, ending {outcome.ending}"]
    return "\n".join(lines) + "\n"


def main() -> None:
    for name, seed in SEEDS.items():
        (FOLDER / f"{name}.txt").write_text(told(seed))


if __name__ == "__main__":
    main()
