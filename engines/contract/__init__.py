"""What every game promises, as checks that anybody can run over a game of their own.

A check raises BrokenPromise, or whatever the game raised where it should not. `check_game` runs them all; the tests of
this house run the same checks over every table of every game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engines.api import Game
from engines.contract import about, play, sight, tell
from engines.contract.promise import BrokenPromise
from engines.playing import Setup, edge_setups_of, setups_of

T = TypeVar("T")

OF_A_GAME = about.PROMISES
OF_A_TABLE = play.PROMISES + sight.PROMISES + tell.PROMISES


@dataclass(frozen=True, slots=True)
class Finding:
    """How one promise was kept: no problem, or the first one and the table where it was met."""

    promise: str
    table: str = ""
    problem: str = ""


def promises() -> list[str]:
    """Everything that is promised, a sentence each, in the order of checking."""
    return [*map(sentence_of, OF_A_GAME), *map(sentence_of, OF_A_TABLE)]


def check_game(game: Game, *, every_table: bool = False) -> Iterator[Finding]:
    """One finding for each promise, at the smallest and the largest table or at every one."""
    for check in OF_A_GAME:
        yield Finding(sentence_of(check), problem=_problem_of(check, game))
    setups = setups_of(game) if every_table else edge_setups_of(game)
    for promise in OF_A_TABLE:
        yield _first_problem(promise, setups)


def _first_problem(check: Callable[[Setup], None], setups: Sequence[Setup]) -> Finding:
    for setup in setups:
        problem = _problem_of(check, setup)
        if problem:
            return Finding(sentence_of(check), str(setup), problem)
    return Finding(sentence_of(check))


def _problem_of(check: Callable[[T], None], subject: T) -> str:
    """What is wrong, in one line; empty if nothing is."""
    try:
        check(subject)
    except BrokenPromise as broken:
        return str(broken)
    except Exception as error:  # noqa: BLE001  whatever a stranger's game raises is told, and the next promise checked
        return f"{type(error).__name__}: {error}"
    return ""


def sentence_of(check: Callable[..., None]) -> str:
    """What a check holds, as its docstring says it."""
    return (check.__doc__ or check.__name__).strip().splitlines()[0]
