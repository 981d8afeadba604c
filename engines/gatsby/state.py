"""One position of Gatsby as the contract wants it."""

from __future__ import annotations

from engines.api import Json, Observation, Outcome, Snapshot
from engines.gatsby.actions import format_action, parse_action
from engines.gatsby.choices import TAKE, ask
from engines.gatsby.observation import observe, observe_public
from engines.gatsby.position import Position
from engines.gatsby.refusals import why_not
from engines.gatsby.snapshots import write_snapshot
from engines.refusals import refusal


class GatsbyState(Position):
    """A game of Gatsby."""

    __slots__ = ()

    def legal_actions(self) -> list[int]:
        return list(self.legal)

    def format(self, action: Json) -> str:
        return format_action(action)

    def parse(self, text: Json) -> int:
        return parse_action(text)

    def apply(self, action: object) -> None:
        if type(action) is not int or action not in self.legal:
            raise refusal(self, action, why_not)
        self.ply += 1
        self.log = (self.log, action << 2 | self.turn << 1)
        TAKE[self.choice](self, action)
        ask(self)

    def observe(self, seat: Json) -> Observation:
        return observe(self, seat)

    def public(self) -> Observation:
        return observe_public(self)

    def outcome(self) -> Outcome | None:
        return self.result

    def snapshot(self) -> Snapshot:
        return write_snapshot(self)

    def copy(self) -> GatsbyState:
        twin = GatsbyState()
        twin.deal = self.deal
        twin.to_act = self.to_act
        twin.turn = self.turn
        twin.choice = self.choice
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
