"""Everything on the table of 1923 Cotton Club, and whose choice it is; the rules read and change it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.api import State
from engines.cotton_club.deal import Deal
from engines.cotton_club.tables import NUMBERS, PLACES, PRICES, STARTS, TRACK_ENDS
from engines.log import Log

# The kinds of choice; choices.py has a row for each.
DROP: Final = 0
ADD: Final = 1
PLACE: Final = 2
PLACE_SALVATORE: Final = 3
MOVE_TIP_OFF: Final = 4
BRIBE: Final = 5
OVER: Final = 6

# A disc is the track's number below plus its seat: an index into levels and stamps.
INFLUENCE: Final = 0
INITIATIVE: Final = 4
CRIMINALITY: Final = 8
DISCS: Final = 12


class Position(State):
    """The table in the middle of a game; lists with one entry for each seat are in seat order."""

    __slots__ = (
        "bonuses", "choice", "clubs", "deal", "discarded", "dropped", "event_pile", "event_row", "hands", "last_round",
        "legal", "levels", "log", "money", "moves", "pawns", "ply", "prices", "reputation", "round", "rows", "seats",
        "seed", "shown", "stamps", "step", "tipped_off", "to_act", "turn_order", "used_events", "weapons",
    )  # fmt: skip

    def set_up(self, *, seats: int, seed: int, deal: Deal) -> None:
        """The table after the deal (CC 2)."""
        order = tuple((deal.first_seat + turn) % seats for turn in range(seats))  # CC 2.1
        starts = [STARTS[order.index(seat)] for seat in range(seats)]
        row_cards = NUMBERS["row_cards"]
        self.seats = seats
        self.seed = seed
        self.deal = deal
        self.log: Log[tuple[int, int]] = None  # seat, action
        self.ply = 0
        self.legal: Sequence[int] | None = None  # worked out when first asked for, never changed in place
        # where we are
        self.round = 0
        self.last_round = False
        self.choice = DROP
        self.step = 0  # counts seats, pawns or tip-off spaces while the choice stays the same
        self.turn_order = order
        self.to_act: int | None = order[0]
        # tracks
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
