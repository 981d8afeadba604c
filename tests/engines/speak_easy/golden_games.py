"""Whole games as text: ``python -m tests.engines.speak_easy.golden_games`` writes them anew after a change of rules."""

from __future__ import annotations

from pathlib import Path
from random import Random

from engines import GAMES

FOLDER = Path(__file__).parent / "golden"
SEEDS = {"speakeasy": 1, "no_move": 11, "quiet": 83}


def told(seed: int) -> str:
    """A random game: every action as logged and in words, the table every 25 actions, and the end."""
    game = GAMES["speak_easy"]
    state, rng, lines = game.new(seed=seed), Random(seed), [f"speak_easy, seed {seed}"]
    names = [game.words.seat_name(seat, 2) for seat in (0, 1)]
    view = state.observe(None)
    while state.to_act is not None:
        before = view
        state.apply(rng.choice(state.legal_actions()))
        view = state.observe(None)
        entry = view["log"][-1]
        lines.append(f"{view['ply']:4}  {entry:<14}{game.words.sentence(entry, before, view, names)}")
        if view["ply"] % 25 == 0 or state.to_act is None:
            lines += ["", game.words.board(view), ""]
    outcome = state.outcome()
    assert outcome is not None
    lines += [f"ranks {outcome.ranks}, scores {outcome.scores}, ending {outcome.ending}"]
    return "\n".join(lines) + "\n"


def main() -> None:
    for name, seed in SEEDS.items():
        (FOLDER / f"{name}.txt").write_text(told(seed))


if __name__ == "__main__":
    main()
