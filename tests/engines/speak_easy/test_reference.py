"""The engine against the plain second telling of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from engines import GAMES
from tests.engines.speak_easy.reference import Reference, plain_ends, result_of

GAME = GAMES["speak_easy"]
Policy = Callable[[Reference, list[str], Random], str]


def at_random(plain: Reference, texts: list[str], rng: Random) -> str:
    return rng.choice(texts)


def greedy(plain: Reference, texts: list[str], rng: Random) -> str:
    """Win, else take without loss, else march, and never run into a stronger piece."""
    if plain.phase == "setup":
        return rng.choice(texts)
    return max(texts, key=lambda text: (worth(plain, text), rng.random()))


def worth(plain: Reference, text: str) -> int:
    start, end = text.split("-")
    mover, other = plain.board()[start], plain.board().get(end)
    if other is not None:
        return {"speakeasy": 100, "attacker": 50, "both": 5, "defender": -50}[result_of(mover.kind, other.kind)]
    forward = int(end[1:]) - int(start[1:])
    return forward if mover.seat == 0 else -forward


def patient(plain: Reference, texts: list[str], rng: Random) -> str:
    """Meet an enemy only when the game is about to be drawn for quiet, and never win."""
    if plain.phase == "setup":
        return rng.choice(texts)
    board = plain.board()
    meetings = [text for text in texts if text.split("-")[1] in board]
    quiet = [text for text in texts if text not in meetings]
    harmless = [text for text in meetings if worth(plain, text) < 100]
    return rng.choice((harmless if plain.quiet > 90 else quiet) or quiet or texts)


def roundabout(plain: Reference, texts: list[str], rng: Random) -> str:
    """Place Babes and the Speakeasy as late as can be, and go round what blocks the direct way wherever a Kid can."""
    if plain.phase == "setup":
        return rng.choice([text for text in texts if text not in "BS"] or texts)
    board = plain.board()
    ways = [(text, *text.split("-")) for text in texts]
    detours = [text for text, start, end in ways if end in plain_ends(start, {}) - plain_ends(start, board)]
    return rng.choice(detours or texts)


def compared(seed: int, policy: Policy) -> Reference:
    """Play one game in both; choices, seat to act and every view agree at every ply."""
    state, rng = GAME.new(seed=seed), Random(seed)
    plain = Reference(state.observe(None)["first"])
    while True:
        texts = [state.format(action) for action in state.legal_actions()]
        assert (state.to_act, sorted(texts)) == (plain.seat, sorted(plain.legal()))
        for seat in (0, 1, None):
            assert state.observe(seat) == plain.view(seat)
        if state.to_act is None:
            break
        text = policy(plain, texts, rng)
        state.apply(state.parse(text))
        plain.take(text)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.as_json() == plain.outcome()
    return plain


def compare_games(seeds: range, policy: Policy) -> tuple[int, Counter[str | None]]:
    """How many positions were compared, and how the games ended."""
    games = [compared(seed, policy) for seed in seeds]
    return sum(len(plain.log) + 1 for plain in games), Counter(plain.ending for plain in games)


@pytest.mark.parametrize(
    ("policy", "count", "endings"),
    [
        (at_random, 10, {"no_move", "quiet"}),
        (greedy, 20, {"speakeasy", "no_move"}),
        (patient, 1, {"ply_limit"}),
        (roundabout, 5, {"no_move"}),
    ],
)
def test_whole_games_go_the_same_way_in_the_plain_telling(policy: Policy, count: int, endings: set[str]) -> None:
    _, ended = compare_games(range(count), policy)
    assert endings <= set(ended)


@pytest.mark.soak
@pytest.mark.parametrize(("policy", "count"), [(at_random, 2000), (greedy, 1000), (patient, 50), (roundabout, 200)])
def test_many_whole_games_go_the_same_way_in_the_plain_telling(policy: Policy, count: int) -> None:
    positions, ended = compare_games(range(1000, 1000 + count), policy)
    assert positions > ended.total() == count
