"""One position of Gatsby: the table, the hidden cards, and where in the turn we are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engines.api import Observation, Outcome, Snapshot, State
from engines.gatsby import observation, turn
from engines.gatsby.actions import format_action, parse_action
from engines.gatsby.refusals import refusal

if TYPE_CHECKING:
    from engines.gatsby.actions import Choices

Log = tuple[Any, int] | None  # (the log before, action << 2 | seat << 1 | secret)


@dataclass(frozen=True, slots=True)
class Deal:
    """What never changes in a game: the seed, who starts, the tiles and which characters lie face up."""

    seed: int
    starter: int
    tiles: tuple[tuple[int, int], ...]  # (tile, quarter turns) of each quadrant
    prints: tuple[int, ...]  # the bonus of each cell of cabaret and tracks
    up: int  # characters that are face up, wherever they are: the face moves with the character (GA 5.2)
    box: tuple[int, ...]


class GatsbyState(State):
    """A game of Gatsby; characters, cells, places, tracks and actions are the numbers of tables.py."""

    __slots__ = (
        "action", "aside", "ask", "at", "claimed", "deal", "drawn", "filled", "first", "floors", "forced", "forcing",
        "full", "known", "last", "left_out", "legal", "log", "marker", "offers", "open", "pile", "ply", "result",
        "rim", "second", "slots", "step", "to_act", "tokens", "tracks", "turn", "used",
    )  # fmt: skip

    deal: Deal
    to_act: int | None
    turn: int  # the seat whose turn it is, or was when the game ended
    ask: int
    legal: Choices
    ply: int
    log: Log
    result: Outcome | None

    # the table
    tokens: list[int]  # of each seat, a mask of cells
    filled: int  # cells with a token
    rim: int  # empty cabaret cells next to a token
    open: int  # tracks that can take a token
    full: int  # tracks that will be claimed at the end of the turn
    floors: list[int]
    at: tuple[int, ...]  # the character of each place
    claimed: list[int]  # of each seat, a mask of characters
    known: list[int]  # of each seat, a mask of the characters whose place or owner it knows
    slots: tuple[int, int]
    aside: tuple[tuple[int, ...], tuple[int, ...]]
    left_out: tuple[tuple[int, ...], tuple[int, ...]]
    used: tuple[int, ...]
    pile: tuple[int, ...]
    drawn: tuple[int, ...]
    marker: int
    forced: int

    # the turn
    action: int
    step: int
    last: int  # the cabaret cell filled by the latest own step (GA 4.7)
    tracks: int  # the tracks filled by own steps (GA 4.7)
    offers: tuple[int, ...]  # bonuses still to be offered, the next one first (GA 5.1)
    first: int
    second: int
    forcing: bool

    def legal_actions(self) -> list[int]:
        return list(self.legal)

    def format(self, action: int) -> str:
        return format_action(action)

    def parse(self, text: str) -> int:
        return parse_action(text)

    def apply(self, action: int) -> None:
        if action not in self.legal or action.__class__ is not int:
            raise refusal(self, action)
        self.ply += 1
        self.log = (self.log, action << 2 | self.turn << 1)
        turn.TAKE_ACTION[self.ask](self, action)

    def observe(self, seat: int | None) -> Observation:
        return observation.observe(self, seat)

    def outcome(self) -> Outcome | None:
        return self.result

    def snapshot(self) -> Snapshot:
        return {**observation.observe(self, None), "seed": str(self.deal.seed)}

    def copy(self) -> GatsbyState:
        twin = _blank(GatsbyState)
        twin.deal = self.deal
        twin.to_act = self.to_act
        twin.turn = self.turn
        twin.ask = self.ask
        twin.legal = self.legal
        twin.ply = self.ply
        twin.log = self.log
        twin.result = self.result
        twin.tokens = self.tokens.copy()
        twin.filled = self.filled
        twin.rim = self.rim
        twin.open = self.open
        twin.full = self.full
        twin.floors = self.floors.copy()
        twin.at = self.at
        twin.claimed = self.claimed.copy()
        twin.known = self.known.copy()
        twin.slots = self.slots
        twin.aside = self.aside
        twin.left_out = self.left_out
        twin.used = self.used
        twin.pile = self.pile
        twin.drawn = self.drawn
        twin.marker = self.marker
        twin.forced = self.forced
        twin.action = self.action
        twin.step = self.step
        twin.last = self.last
        twin.tracks = self.tracks
        twin.offers = self.offers
        twin.first = self.first
        twin.second = self.second
        twin.forcing = self.forcing
        return twin


_blank = GatsbyState.__new__
