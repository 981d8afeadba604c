"""A table of Capone set up by hand, read and played in the words of the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engines.capone import GAME
from engines.capone.actions import PLACES
from engines.capone.pieces import occupy
from engines.capone.position import BAIL, CARD, INVEST, REHIRE
from engines.capone.state import CaponeState, empty_table
from engines.capone.tables import CARDS, MEMBERS, RESTS


def mask(members: str) -> int:
    """The mask of some members: `mask("don novice")`."""
    return sum(1 << MEMBERS.index(name) for name in members.split())


def kinds(cards: str) -> tuple[int, ...]:
    """The kinds of some cards: `kinds("bar bar fbi")`."""
    return tuple(sorted(CARDS.index(name) for name in cards.split()))


@dataclass
class Table:
    """A state and short words to set it up and to play on it."""

    state: CaponeState

    def hold(self, seat: int, cards: str) -> None:
        self.state.hands[seat] = kinds(cards)

    def keep_home(self, seat: int, members: str, guards: int) -> None:
        """Only these pieces are at home; the other members are dead, the other bodyguards lost."""
        self.state.harbour[seat] = 255 & ~mask(members)
        self.state.home[seat] = mask(members)
        self.state.lost[seat] = 8 - guards
        self.state.guards[seat] = guards

    def station(self, seat: int, site: str, members: str = "", guards: int = 0) -> None:
        occupy(self.state, seat, PLACES.index(site), mask(members), guards)

    def rest(self, seat: int, place: str, member: str) -> None:
        self.state.home[seat] &= ~mask(member)
        self.state.rests[RESTS.index(place) * self.state.seats + seat] |= mask(member)

    def jail(self, seat: int, block: int, member: str) -> None:
        self.state.home[seat] &= ~mask(member)
        self.state.prison[(block - 1) * self.state.seats + seat] |= mask(member)

    def do(self, *texts: str) -> None:
        self.state.legal = None  # the table may have been set up anew since
        for text in texts:
            self.state.apply(self.state.parse(text))

    def legal(self, verb: str = "") -> list[str]:
        """The texts of the legal actions, or of those with one verb."""
        self.state.legal = None
        texts = [self.state.format(action) for action in self.state.legal_actions()]
        return [text for text in texts if not verb or text.split()[0] == verb]

    def site(self, name: str) -> dict[str, Any]:
        (content,) = (row for row in self.state.observe(None)["sites"] if row["site"] == name)
        return {key: content[key] for key in ("owner", "members", "guards", "total")}

    def family(self, seat: int) -> dict[str, Any]:
        family: dict[str, Any] = self.state.observe(None)["families"][seat]
        return family

    def end_year(self) -> None:
        """Everyone discards what is left, till the year's turns are over."""
        year = self.state.year
        while self.state.choice < BAIL and self.state.year == year:
            self.do(self.legal("discard")[0])

    def settle_nothing(self) -> None:
        """Everyone chooses nothing in what is left of the settlements."""
        while self.state.choice in (BAIL, REHIRE, INVEST):
            self.do("rehire 0" if self.legal("rehire") else "invest 0")


def turns(hands: str | list[str] = "bar bar bar", *, seats: int = 3, year: int = 1, income: str = "pieces") -> Table:
    """A table at the start of the turns with seat 0 first; one hand for all, or one each."""
    state = empty_table(seats=seats, seed=1, income=income)
    state.year = year
    state.to_act = 0
    state.choice = CARD
    table = Table(state)
    for seat in range(seats):
        table.hold(seat, hands if isinstance(hands, str) else hands[seat])
    return table


def settlement(*, cash: list[int], marker: list[int], park: list[int] | None = None, jailed: str = "") -> Table:
    """Three seats whose year has ended, seat 0 about to settle; `jailed` members of seat 0 sit in block 2."""
    table = turns("bakery")
    table.state.cash[:] = cash
    table.state.marker[:] = marker
    for seat, count in enumerate(park or [0, 0, 0]):
        table.state.park[seat] = count
        table.state.guards[seat] -= count
    for member in jailed.split():
        table.jail(0, 3, member)
    table.do("discard bakery", "discard bakery", "discard bakery")
    return table


def new(seats: int = 4, seed: int = 1, **options: str) -> Table:
    """A table as it is dealt."""
    return Table(GAME.new(seats=seats, seed=seed, **options))
