"""One position of Nickel Dice."""

from __future__ import annotations

from engines.api import InvalidAction, Observation, Outcome, Snapshot, State, check_viewer
from engines.log import Log, entries
from engines.reading import short
from engines.refusals import refusal

FACES = 6
MOST_SEATS = 3
KEEP, BID = 0, FACES  # the first int of each verb
DOUBT = BID + MOST_SEATS * FACES
TEXTS = (
    *(f"keep {face}" for face in range(1, FACES + 1)),
    *(f"bid {dice}x{face}" for dice in range(1, MOST_SEATS + 1) for face in range(1, FACES + 1)),
    "doubt",
)
INTS = {text: action for action, text in enumerate(TEXTS)}
NOBODY = -1  # a viewer that knows only what every seat knows


class DiceState(State):
    """Cups on the table; lists are in seat order."""

    __slots__ = ("bid", "first", "kept", "log", "ply", "rolled", "seats", "seed", "to_act", "winner")

    def __init__(self, *, seed: int, first: int, rolled: tuple[tuple[int, int], ...]) -> None:
        self.seed, self.first, self.rolled, self.seats = seed, first, rolled, len(rolled)
        self.kept = [0] * self.seats
        self.bid: int | None = None
        self.winner: int | None = None
        self.to_act: int | None = first
        self.log: Log[tuple[int, int]] = None
        self.ply = 0

    def legal_actions(self) -> list[int]:
        if self.to_act is None:
            return []
        if not self.kept[self.to_act]:
            return sorted({KEEP + face - 1 for face in self.rolled[self.to_act]})
        bids = range(BID if self.bid is None else self.bid + 1, BID + self.seats * FACES)
        return [*bids] if self.bid is None else [*bids, DOUBT]

    def format(self, action: int) -> str:
        if type(action) is not int or not 0 <= action < len(TEXTS):
            raise InvalidAction(f"{short(action)} is no action of nickel_dice; actions are ints from 0 to {DOUBT}")
        return TEXTS[action]

    def parse(self, text: str) -> int:
        if type(text) is not str or text not in INTS:
            raise InvalidAction(f"{short(text)} is no action of nickel_dice; texts look like 'keep 3' or 'bid 2x5'")
        return INTS[text]

    def apply(self, action: int) -> None:
        if type(action) is not int or action not in self.legal_actions():
            raise refusal(self, action, why_not)
        seat = self.to_act or 0
        self.log = (self.log, (seat, action))
        self.ply += 1
        if action == DOUBT:
            self._lift_the_cups(doubter=seat)
            return
        if action < BID:
            self.kept[seat] = action - KEEP + 1
        else:
            self.bid = action
        self.to_act = (seat + 1) % self.seats

    def _lift_the_cups(self, *, doubter: int) -> None:
        dice, face = divmod((self.bid or BID) - BID, FACES)
        bid_stands = self.kept.count(face + 1) > dice
        self.winner = (doubter - 1) % self.seats if bid_stands else doubter
        self.to_act = None

    def outcome(self) -> Outcome | None:
        if self.winner is None:
            return None
        (doubter, _) = entries(self.log)[-1]
        bidder = (doubter - 1) % self.seats
        loser = bidder if self.winner == doubter else doubter
        ranks = tuple(1 if s == self.winner else self.seats if s == loser else 2 for s in range(self.seats))
        scores = tuple(1.0 if rank == 1 else 0.0 if rank == self.seats else 0.5 for rank in ranks)
        return Outcome(ranks, scores, "bid_stood" if self.winner == bidder else "bid_fell")

    def copy(self) -> DiceState:
        twin = DiceState(seed=self.seed, first=self.first, rolled=self.rolled)
        twin.kept, twin.bid, twin.winner = self.kept.copy(), self.bid, self.winner
        twin.to_act, twin.log, twin.ply = self.to_act, self.log, self.ply
        return twin

    def observe(self, seat: int | None) -> Observation:
        check_viewer(seat, self.seats)
        return self._view(seat)

    def public(self) -> Observation:
        return {**self._view(NOBODY), "seat": None}

    def _view(self, viewer: int | None) -> Observation:
        outcome = self.outcome()
        seats = range(self.seats)
        return {
            "game": self.game.name,
            "rules_version": self.game.rules_version,
            "seat": viewer,
            "seats": self.seats,
            "options": {},
            "phase": "over" if outcome else "bid" if all(self.kept) else "keep",
            "pending": None,
            "to_act": self.to_act,
            "ply": self.ply,
            "outcome": outcome.as_json() if outcome else None,
            "log": [f"{actor} {_told(actor, action, viewer)}" for actor, action in entries(self.log)],
            "order": [(self.first + turn) % self.seats for turn in seats],
            "bid": None if self.bid is None else [n + 1 for n in divmod(self.bid - BID, FACES)],
            "rolled": [sorted(self.rolled[owner]) if viewer in (owner, None) else None for owner in seats],
            "kept": [self.kept[owner] if outcome or viewer in (owner, None) else None for owner in seats],
        }

    def snapshot(self) -> Snapshot:
        return {
            "game": self.game.name,
            "rules_version": self.game.rules_version,
            "seats": self.seats,
            "options": {},
            "seed": str(self.seed),
            "first": self.first,
            "rolled": [list(dice) for dice in self.rolled],
            "actions": [TEXTS[action] for _, action in entries(self.log)],
        }


def _told(actor: int, action: int, viewer: int | None) -> str:
    return TEXTS[action] if viewer in (actor, None) or action >= BID else "keep ?"


def why_not(state: DiceState, action: int) -> str:
    """The reason why an action of the game is not legal now."""
    seat = state.to_act or 0
    if not state.kept[seat]:
        return f"seat {seat} has to keep one of its two dice"
    if action < BID:
        return f"seat {seat} has kept a die already"
    return "there is no bid to doubt yet" if action == DOUBT else "a bid must be higher, of no more dice than seats"
