"""One position of 1923 Cotton Club."""

from __future__ import annotations

from typing import Any

from engines.api import IllegalAction, Observation, Outcome, Snapshot, State
from engines.cotton_club.actions import ACTIONS, TEXTS, format_action, parse_action
from engines.cotton_club.deal import Deal
from engines.cotton_club.observation import observe
from engines.cotton_club.quotes import quote
from engines.cotton_club.refusals import why_not
from engines.cotton_club.rounds import DROP, OVER, choices, take_choice
from engines.cotton_club.scoring import count_outcome
from engines.cotton_club.snapshots import write_snapshot
from engines.cotton_club.tables import NUMBERS, PLACES, PRICES, STARTS, TRACK_ENDS
from engines.cotton_club.tracks import CRIMINALITY, DISCS, INFLUENCE, INITIATIVE

# The log is linked from the last entry back, so that copies share it: (earlier log, seat, action).
Log = tuple[Any, int, int] | None


class CottonClubState(State):
    """The table in the middle of a game; lists with one entry for each seat are in seat order."""

    __slots__ = (
        "_legal",
        "bonuses",
        "clubs",
        "deal",
        "discarded",
        "dropped",
        "event_pile",
        "event_row",
        "hands",
        "last_round",
        "levels",
        "log",
        "money",
        "moves",
        "pawns",
        "ply",
        "prices",
        "reputation",
        "round",
        "rows",
        "seats",
        "seed",
        "shown",
        "stage",
        "stamps",
        "step",
        "tipped_off",
        "to_act",
        "turn_order",
        "used_events",
        "weapons",
    )

    def __init__(self, *, seats: int, seed: int, deal: Deal) -> None:
        order = tuple((deal.first_seat + turn) % seats for turn in range(seats))  # CC 2.1
        starts = [STARTS[order.index(seat)] for seat in range(seats)]
        row_cards = NUMBERS["row_cards"]
        self.seats = seats
        self.seed = seed
        self.deal = deal
        self.log: Log = None
        self.ply = 0
        self._legal: list[int] | None = None
        # where we are
        self.round = 0
        self.last_round = False
        self.stage = DROP
        self.step = 0  # counts seats, pawns or tip-off spaces within the stage
        self.turn_order = order
        self.to_act: int | None = order[0]
        # tracks: see tracks.py for how a disc is an index
        self.levels = [0] * DISCS
        self.stamps = [0] * DISCS  # number of the move that brought the disc here: later lies higher
        self.moves = seats
        # clubs
        self.money = [start.usd for start in starts]
        self.reputation = [start.reputation for start in starts]
        self.bonuses = [0] * seats  # initiative bonuses paid
        self.weapons = [0] * seats
        self.prices = [PRICES] * seats  # what each celebrity would cost, in influence
        self.clubs: list[tuple[int, ...]] = [()] * seats  # take actions, in order
        # rows, piles and pawns
        self.rows = [pile[:row_cards] for pile in deal.piles]
        self.shown = [row_cards] * len(deal.piles)
        self.discarded: tuple[int, ...] = ()
        self.pawns: list[tuple[int, ...]] = [()] * len(PLACES)
        # events
        self.event_pile = len(deal.event_pile)
        self.event_row: tuple[tuple[int | None, int], ...] = ()  # by whom, which
        self.used_events: tuple[tuple[int, int | None, int], ...] = ()  # round, by whom, which
        self.hands = list(deal.hands)
        self.dropped: list[tuple[int, ...]] = [()] * seats
        self.tipped_off = 0  # one bit for each seat that knows the row
        self._place_discs(order, starts_influence=[start.influence for start in starts])

    def _place_discs(self, order: tuple[int, ...], *, starts_influence: list[int]) -> None:
        """Put the discs down in reverse turn order, so that the first player's lie on top (CC 2.1)."""
        for height, seat in enumerate(reversed(order)):
            self.levels[INFLUENCE + seat] = starts_influence[seat]
            self.levels[INITIATIVE + seat] = TRACK_ENDS["initiative"].start
            self.levels[CRIMINALITY + seat] = TRACK_ENDS["criminality"].start
            for track in (INFLUENCE, INITIATIVE, CRIMINALITY):
                self.stamps[track + seat] = height

    def legal_actions(self) -> list[int]:
        if self._legal is None:
            self._legal = choices(self)
        return self._legal.copy()

    def format(self, action: int) -> str:
        return format_action(action)

    def parse(self, text: str) -> int:
        return parse_action(text)

    def apply(self, action: int) -> None:
        if type(action) is not int:
            format_action(action)  # raises InvalidAction
        if self._legal is None:
            self._legal = choices(self)
        if action not in self._legal:
            text = TEXTS[action] if 0 <= action < ACTIONS else quote(action)
            raise IllegalAction(f"{text}: {why_not(self, action)}")
        self.log = (self.log, self.to_act or 0, action)
        self.ply += 1
        self._legal = None
        take_choice(self, action)

    def entries(self) -> list[tuple[int, int]]:
        """Every (seat, action) so far, the first first."""
        entries = []
        log = self.log
        while log is not None:
            log, seat, action = log
            entries.append((seat, action))
        entries.reverse()
        return entries

    def observe(self, seat: int | None) -> Observation:
        return observe(self, seat)

    def outcome(self) -> Outcome | None:
        return count_outcome(self) if self.stage == OVER else None

    def copy(self) -> CottonClubState:
        twin = CottonClubState.__new__(CottonClubState)
        twin.seats, twin.seed, twin.deal, twin.log, twin.ply = self.seats, self.seed, self.deal, self.log, self.ply
        twin._legal = self._legal  # never changed in place
        twin.round, twin.last_round, twin.stage, twin.step = self.round, self.last_round, self.stage, self.step
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
