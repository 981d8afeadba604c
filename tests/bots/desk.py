"""Questions and bots for tests: bots play in this process, by a clock that counts calls."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from bots.kit import Bot, Match, Turn
from engines import GAMES, State

HOUSE = Path(__file__).parents[2] / "bots" / "house"
STARTER = HOUSE.parent / "starter"
LADDERS = (("speak_easy", 2), ("gatsby", 2), ("capone", 4), ("cotton_club", 2), ("cotton_club", 3))
HOUSE_NAMES = ("random", "greedy", "searcher")


def count_calls_as_time(monkeypatch: pytest.MonkeyPatch, *, ms_a_look: float) -> None:
    """Let every look at the cpu clock cost so much, so that searches end early and always at the same point."""
    ticks = count()
    monkeypatch.setattr(time, "process_time", lambda: next(ticks) * ms_a_look / 1000)


def load(path: Path) -> ModuleType:
    """The module of a bot's file, without running it."""
    spec = importlib.util.spec_from_file_location(f"bot_{path.parent.name}_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def seat_bot(bot: Bot, *, game: str, seat: int, seats: int, bot_seed: int = 7) -> Callable[[State], str]:
    """A bot at a table: asks it as the referee would."""
    match = Match(GAMES[game], seat, seats, {}, bot_seed, 5000, 100, 10000, 512)
    bot.start(match)
    rng = Random(bot_seed)

    def ask(state: State) -> str:
        return bot.act(question(match, state, rng))

    return ask


def question(match: Match, state: State, rng: Random) -> Turn:
    observation = state.observe(match.seat)
    legal = [state.format(action) for action in state.legal_actions()]
    return Turn(match, observation, legal, observation["ply"], 100, 10000, rng)


def turn_of(state: State, *, bot_seed: int = 7) -> Turn:
    """The question that the seat to act is asked now."""
    seats = state.observe(None)["seats"]
    assert state.to_act is not None
    match = Match(GAMES[state.observe(None)["game"]], state.to_act, seats, {}, bot_seed, 5000, 100, 10000, 512)
    return question(match, state, Random(bot_seed))


def play_whole_game(game: str, bots: Iterable[Bot], *, seed: int) -> State:
    """Play to the end; an answer that is not legal fails the test."""
    table = list(bots)
    state = GAMES[game].new(seats=len(table), seed=seed)
    asks = [seat_bot(bot, game=game, seat=seat, seats=len(table)) for seat, bot in enumerate(table)]
    while state.to_act is not None:
        answer = asks[state.to_act](state)
        assert answer in [state.format(action) for action in state.legal_actions()], (answer, state.to_act)
        state.apply(state.parse(answer))
    return state
