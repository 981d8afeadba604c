"""One position of Capone as the contract wants it."""

from __future__ import annotations

from engines.api import Json, Observation, Outcome, Snapshot
from engines.capone.actions import END, action_of, text_of
from engines.capone.choices import LEGAL, TAKE
from engines.capone.observation import observe, observe_public
from engines.capone.position import OVER, Position
from engines.capone.refusals import why_not
from engines.capone.scoring import outcome
from engines.capone.snapshots import write_snapshot
from engines.refusals import refusal


class CaponeState(Position):
    """A game of Capone."""

    __slots__ = ()

    def legal_actions(self) -> list[int]:
        legal = self.legal
        if legal is None:
            legal = self.legal = LEGAL[self.choice](self)
        return [*legal]

    def format(self, action: Json) -> str:
        return text_of(action, self.seats)

    def parse(self, text: Json) -> int:
        return action_of(text, self.seats)

    def apply(self, action: object) -> None:
        legal = self.legal
        if legal is None:
            legal = self.legal = LEGAL[self.choice](self)
        if type(action) is not int or action not in legal:
            raise refusal(self, action, why_not)
        self.log = (self.log, (self.to_act or 0) * END + action)
        self.ply += 1
        self.legal = None
        TAKE[self.choice](self, action)

    def observe(self, seat: Json) -> Observation:
        return observe(self, seat)

    def public(self) -> Observation:
        return observe_public(self)

    def outcome(self) -> Outcome | None:
        return outcome(self) if self.choice == OVER else None

    def copy(self) -> CaponeState:
        twin = CaponeState()
        twin.at_work = self.at_work.copy()
        twin.card = self.card
        twin.cash = self.cash.copy()
        twin.choice = self.choice
        twin.first = self.first
        twin.guards = self.guards.copy()
        twin.hands = self.hands.copy()
        twin.harbour = self.harbour.copy()
        twin.home = self.home.copy()
        twin.income = self.income
        twin.legal = self.legal
        twin.legal_owner = self.legal_owner.copy()
        twin.log = self.log
        twin.lost = self.lost.copy()
        twin.marker = self.marker.copy()
        twin.named = self.named
        twin.need = self.need
        twin.park = self.park.copy()
        twin.pile = self.pile
        twin.place = self.place
        twin.ply = self.ply
        twin.prison = self.prison.copy()
        twin.rests = self.rests.copy()
        twin.returned = self.returned.copy()
        twin.seats = self.seats
        twin.seed = self.seed
        twin.site_guards = self.site_guards.copy()
        twin.site_members = self.site_members.copy()
        twin.site_owner = self.site_owner.copy()
        twin.site_total = self.site_total.copy()
        twin.to_act = self.to_act
        twin.unshown = self.unshown.copy()
        twin.used = self.used
        twin.year = self.year
        return twin

    def snapshot(self) -> Snapshot:
        return write_snapshot(self)


def empty_table(*, seats: int, seed: int, income: str) -> CaponeState:
    """A table before year 1, no card dealt."""
    state = CaponeState()
    state.set_up(seats=seats, seed=seed, income=income)
    return state
