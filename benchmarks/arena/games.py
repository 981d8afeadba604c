"""Two games only benchmarks play: connect four, which a peer plays too, and one that is over before it begins."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, ClassVar

from engines import GAMES, Game, IllegalAction, InvalidAction, Outcome, State

COLUMNS, ROWS = 7, 6
# On a board of bits with one empty row on top a line of four is four bits at one of these distances.
DISTANCES = (1, ROWS + 1, ROWS, ROWS + 2)


def has_four(discs: int) -> bool:
    """Whether a seat's discs hold four in a line."""
    for distance in DISTANCES:
        pairs = discs & (discs >> distance)
        if pairs & (pairs >> 2 * distance):
            return True
    return False


class ConnectFourState(State):
    """Each seat's discs as bits, column by column from below; heights says how full the columns are.

    Games one after another make a match: the start of two processes would drown the twenty plies of one.
    """

    __slots__ = ("discs", "heights", "left", "log", "to_act", "wins")

    def __init__(self, games: int) -> None:
        self.left = games
        self.wins = [0, 0]
        self.to_act: int | None = 0
        self._clear()

    def _clear(self) -> None:
        self.discs = [0, 0]
        self.heights = [0] * COLUMNS
        self.log: list[str] = []

    def legal_actions(self) -> list[int]:
        if self.to_act is None:
            return []
        return [column for column in range(COLUMNS) if self.heights[column] < ROWS]

    def format(self, action: int) -> str:
        return str(action)

    def parse(self, text: str) -> int:
        if text not in {str(column) for column in range(COLUMNS)}:
            raise InvalidAction(f"{text!r} is no column from 0 to {COLUMNS - 1}")
        return int(text)

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise IllegalAction(f"column {action} is full, or the game is over")
        seat = len(self.log) % 2
        self.discs[seat] |= 1 << (action * (ROWS + 1) + self.heights[action])
        self.heights[action] += 1
        self.log.append(f"{seat} {action}")
        self.to_act = 1 - seat
        has_won = has_four(self.discs[seat])
        self.wins[seat] += has_won
        if has_won or len(self.log) == COLUMNS * ROWS:
            self._end_game()

    def _end_game(self) -> None:
        self.left -= 1
        if self.left:
            self._clear()
        self.to_act = 0 if self.left else None

    def observe(self, seat: int | None) -> dict[str, Any]:
        return {"board": self.board(), "to_act": self.to_act, "log": list(self.log)}

    def board(self) -> list[int]:
        """0 for an empty place, else 1 + seat, row by row from above."""
        places = [column * (ROWS + 1) + row for row in reversed(range(ROWS)) for column in range(COLUMNS)]
        return [1 if self.discs[0] >> at & 1 else 2 if self.discs[1] >> at & 1 else 0 for at in places]

    def outcome(self) -> Outcome:
        mine, theirs = self.wins
        ranks = (1, 1) if mine == theirs else (1, 2) if mine > theirs else (2, 1)
        return Outcome(ranks, (float(mine), float(theirs)), "played")

    def copy(self) -> ConnectFourState:
        twin = ConnectFourState(self.left)
        twin.discs, twin.heights, twin.log = self.discs[:], self.heights[:], self.log[:]
        twin.to_act, twin.wins = self.to_act, self.wins[:]
        return twin

    def snapshot(self) -> dict[str, Any]:
        raise NotImplementedError


class ConnectFour(Game):
    name, title, rules_version, seats, max_choices = "connect_four", "Connect four", 1, range(2, 3), COLUMNS
    options: ClassVar[dict[str, tuple[object, ...]]] = {}

    def __init__(self, games: int = 1) -> None:
        self.games = games

    def new(self, *, seats: int = 2, seed: int = 0, **options: object) -> ConnectFourState:
        return ConnectFourState(self.games)

    def restore(self, snapshot: dict[str, Any]) -> ConnectFourState:
        raise NotImplementedError

    def imagine(self, observation: dict[str, Any], rng: Random) -> ConnectFourState:
        raise NotImplementedError


class OverState(ConnectFourState):
    """A match of it is all that is not plies."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(1)
        self.to_act = None


class NoPlies(ConnectFour):
    name, title = "no_plies", "No plies"

    def new(self, *, seats: int = 2, seed: int = 0, **options: object) -> OverState:
        return OverState()


@contextmanager
def on_the_table(game: Game) -> Iterator[None]:
    """The arena knows this game for a while."""
    GAMES[game.name] = game
    try:
        yield
    finally:
        del GAMES[game.name]
