"""One position of 1923 Cotton Club as the contract wants it."""

from __future__ import annotations

from collections.abc import Sequence

from engines.api import Json, Observation, Outcome, Snapshot
from engines.cotton_club.actions import format_action, parse_action
from engines.cotton_club.choices import LEGAL, TAKE, pawn_placements, place_pawn
from engines.cotton_club.deal import Deal
from engines.cotton_club.observation import observe, observe_public
from engines.cotton_club.position import OVER, PLACE, Position
from engines.cotton_club.refusals import why_not
from engines.cotton_club.scoring import count_outcome
from engines.cotton_club.snapshots import Playthrough, write_snapshot
from engines.refusals import refusal


class CottonClubState(Position):
    """A game of 1923 Cotton Club."""

    __slots__ = ()

    def legal_actions(self) -> list[int]:
        return list(self._legal_now())

    def _legal_now(self) -> Sequence[int]:
        legal = self.legal
        if legal is None:
            legal = self.legal = pawn_placements(self) if self.choice == PLACE else LEGAL[self.choice](self)
        return legal

    def format(self, action: Json) -> str:
        return format_action(action)

    def parse(self, text: Json) -> int:
        return parse_action(text)

    def apply(self, action: object) -> None:
        if type(action) is not int or action not in self._legal_now():
            raise refusal(self, action, why_not)
        self.log = (self.log, (self.to_act or 0, action))
        self.ply += 1
        self.legal = None
        if self.choice == PLACE:  # mostly, and a direct call is the quickest
            place_pawn(self, action)
        else:
            TAKE[self.choice](self, action)

    def observe(self, seat: Json) -> Observation:
        return observe(self, seat)

    def public(self) -> Observation:
        return observe_public(self)

    def outcome(self) -> Outcome | None:
        return count_outcome(self) if self.choice == OVER else None

    def copy(self) -> CottonClubState:
        twin = CottonClubState()
        twin.seats, twin.seed, twin.deal, twin.log, twin.ply = self.seats, self.seed, self.deal, self.log, self.ply
        twin.legal = self.legal
        twin.round, twin.last_round, twin.choice, twin.step = self.round, self.last_round, self.choice, self.step
        twin.turn_order, twin.to_act, twin.moves = self.turn_order, self.to_act, self.moves
        twin.levels, twin.stamps = self.levels.copy(), self.stamps.copy()
        twin.money, twin.reputation = self.money.copy(), self.reputation.copy()
        twin.bonuses, twin.weapons = self.bonuses.copy(), self.weapons.copy()
        twin.prices, twin.clubs = self.prices.copy(), self.clubs.copy()
        twin.rows, twin.shown, twin.discarded = self.rows.copy(), self.shown.copy(), self.discarded
        twin.pawns, twin.event_pile, twin.event_row = self.pawns.copy(), self.event_pile, self.event_row
        twin.used_events, twin.tipped_off = self.used_events, self.tipped_off
        twin.hands, twin.dropped = self.hands.copy(), self.dropped.copy()
        return twin

    def snapshot(self) -> Snapshot:
        return write_snapshot(self)


def new_state(*, seats: int, seed: int, deal: Deal) -> CottonClubState:
    """A game about to begin."""
    state = CottonClubState()
    state.set_up(seats=seats, seed=seed, deal=deal)
    return state


def replay(course: Playthrough) -> CottonClubState:
    """The position that a play-through comes to; raises IllegalAction."""
    state = new_state(seats=course.seats, seed=course.seed, deal=course.deal)
    for action in course.actions:
        state.apply(action)
    return state
