"""Where pieces, cards and money are and what is to be chosen; the rules read and change it."""

from __future__ import annotations

from collections.abc import Sequence

from engines.api import State
from engines.capone.tables import ALL_MEMBERS, GUARDS, LEGAL, PRISON_BLOCKS, RESTS, SITES, START_CASH
from engines.log import Log

# The kinds of choice; choices.py has a row for each. From BAIL on the turns of the year are over.
RETURN, CARD, PLACE, MEMBER, SEAT, PIECES, BAIL, REHIRE, INVEST, OVER = range(10)

NOBODY = -1  # owner of an empty site
NOTHING = -1  # card or place while none is chosen


class Position(State):
    """Sets of members are masks, lists run by seat or by site unless said otherwise."""

    __slots__ = (
        "at_work", "card", "cash", "choice", "first", "guards", "hands", "harbour", "home", "income", "legal",
        "legal_owner", "log", "lost", "marker", "named", "need", "park", "pile", "place", "ply", "prison", "rests",
        "returned", "seats", "seed", "site_guards", "site_members", "site_owner", "site_total", "to_act", "unshown",
        "used", "year",
    )  # fmt: skip

    def set_up(self, *, seats: int, seed: int, income: str) -> None:
        """An empty table before year 1: all pieces at home, no card dealt (CA 1.4)."""
        self.seats = seats
        self.seed = seed
        self.income = income
        self.year = 0
        self.first = 0
        self.ply = 0
        self.to_act: int | None = None
        # What is chosen now: the kind of choice, the card in use, its site, the members named, the total still needed.
        self.choice = RETURN
        self.card = NOTHING
        self.place = NOTHING
        self.named = 0
        self.need = 0
        self.legal: Sequence[int] | None = None  # worked out once a ply; replaced, never changed in place
        self.log: Log[int] = None  # of this year: the entries of actions.py
        self.cash = [START_CASH] * seats
        self.marker = [0] * seats
        self.home = [ALL_MEMBERS] * seats
        self.guards = [GUARDS] * seats
        self.park = [0] * seats
        self.lost = [0] * seats
        self.harbour = [0] * seats
        self.at_work = [0] * seats  # members on illegal sites
        self.rests = [0] * (len(RESTS) * seats)  # by rest place, then by seat
        self.prison = [0] * (PRISON_BLOCKS * seats)  # by block from 1 up, then by seat
        self.site_owner = [NOBODY] * len(SITES)
        self.site_members = [0] * len(SITES)
        self.site_guards = [0] * len(SITES)
        self.site_total = [0] * len(SITES)
        self.legal_owner = [NOBODY] * len(LEGAL)
        # Cards are kinds; hands and returned cards are kept in card order.
        self.hands: list[tuple[int, ...]] = [()] * seats
        self.returned: list[tuple[int, ...]] = [()] * seats
        self.unshown: list[tuple[int, ...]] = [()] * seats
        self.used: tuple[int, ...] = ()
        self.pile: tuple[int, ...] = ()
