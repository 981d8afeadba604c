"""One position of Capone: where pieces, cards and money are, and what is to be chosen next."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from engines.api import Game, IllegalAction, InvalidAction, Observation, Outcome, Snapshot, State
from engines.capone import choices, effects, observation, scoring, year
from engines.capone.actions import VERB_OF, action_of, is_action, text_of
from engines.capone.tables import ALL_MEMBERS, GUARDS, LEGAL, NOBODY, NOTHING, PRISON_BLOCKS, RESTS, SITES, START_CASH
from engines.capone.wants import OVER, RETURN
from engines.chance import draw

if TYPE_CHECKING:
    from engines.capone.history import Log


class CaponeState(State):
    """One position; sets of members are masks, lists run by seat or by site unless said otherwise."""

    __slots__ = (
        "_legal",
        "at_work",
        "card",
        "cash",
        "first",
        "guards",
        "hands",
        "harbour",
        "home",
        "income",
        "legal_owner",
        "log",
        "lost",
        "marker",
        "named",
        "need",
        "park",
        "pile",
        "place",
        "ply",
        "prison",
        "rests",
        "returned",
        "seats",
        "seed",
        "site_guards",
        "site_members",
        "site_owner",
        "site_total",
        "to_act",
        "unshown",
        "used",
        "want",
        "year",
    )

    game: ClassVar[Game]

    def __init__(self, *, seats: int, seed: int, income: str) -> None:
        """An empty table before year 1: all pieces at home, no card dealt (CA 1.4)."""
        self.seats = seats
        self.seed = seed
        self.income = income
        self.year = 0
        self.first = 0
        self.ply = 0
        self.to_act: int | None = None
        # What is chosen now: the kind of choice, the card in use, its site, the members named, the total still needed.
        self.want = RETURN
        self.card = NOTHING
        self.place = NOTHING
        self.named = 0
        self.need = 0
        self._legal: list[int] | None = None
        self.log: Log = None
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

    @classmethod
    def begin(cls, *, seats: int, seed: int, income: str) -> CaponeState:
        """A game about to begin: the first player is drawn, year 1 is dealt (CA 2.1, 2.2)."""
        state = cls(seats=seats, seed=seed, income=income)
        state.first = draw(seed, "first", seats)
        year.deal(state)
        return state

    def legal_actions(self) -> list[int]:
        if self._legal is None:
            self._legal = choices.CHOICES[self.want](self)
        return self._legal.copy()

    def format(self, action: int) -> str:
        return text_of(action, self.seats)

    def parse(self, text: str) -> int:
        return action_of(text, self.seats)

    def apply(self, action: int) -> None:
        legal = self._legal
        if legal is None:
            legal = choices.CHOICES[self.want](self)
        if type(action) is not int or action not in legal:
            self._legal = legal
            raise self._refusal(action)
        seat = self.to_act
        assert seat is not None
        self._legal = None
        self.ply += 1
        self.log = (self.log, seat, action)
        verb, argument = VERB_OF[action]
        effects.EFFECTS[verb](self, seat, argument)

    def _refusal(self, action: object) -> InvalidAction | IllegalAction:
        if type(action) is not int:
            return InvalidAction(f"{action!r:.60} is no action; actions are ints")
        if not is_action(action, self.seats):
            return IllegalAction(f"{action!r:.60}: no action of capone with {self.seats} seats has this number")
        return IllegalAction(f"{text_of(action, self.seats)}: {choices.why_not(self, action)}")

    def observe(self, seat: int | None) -> Observation:
        return observation.observe(self, seat)

    def outcome(self) -> Outcome | None:
        return scoring.outcome(self) if self.want == OVER else None

    def copy(self) -> CaponeState:
        twin: CaponeState = object.__new__(CaponeState)
        twin._legal = self._legal  # replaced, never changed in place
        twin.at_work = self.at_work.copy()
        twin.card = self.card
        twin.cash = self.cash.copy()
        twin.first = self.first
        twin.guards = self.guards.copy()
        twin.hands = self.hands.copy()
        twin.harbour = self.harbour.copy()
        twin.home = self.home.copy()
        twin.income = self.income
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
        twin.want = self.want
        twin.year = self.year
        return twin

    def snapshot(self) -> Snapshot:
        """All that all eyes see, and the seed."""
        return {**self.observe(None), "seed": str(self.seed)}
