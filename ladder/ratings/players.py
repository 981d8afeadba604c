"""Who is who in a fit: one player for each owner and upload, linked to the version before.

Pure: rows in, numbers out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter


@dataclass(frozen=True, slots=True)
class Entry:
    """A version that stands on a ladder."""

    version: int
    bot: int
    number: int
    owner: int | None  # none once the account is deleted
    digest: str
    has_played: bool
    is_listed: bool
    is_house: bool

    @property
    def identity(self) -> tuple[str, int, str]:
        """The same owner's same bytes are the same player, whatever bot they were sent in for."""
        return ("bot", self.bot, self.digest) if self.owner is None else ("owner", self.owner, self.digest)


@dataclass(slots=True)
class Players:
    """The players of a fit, numbered from 0."""

    of_version: dict[int, int] = field(default_factory=dict)
    links: dict[int, int] = field(default_factory=dict)  # to the version before
    anchors: list[int] = field(default_factory=list)  # house players that go on playing
    _known: dict[tuple[str, int, str], int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._known)

    def enter(self, entry: Entry, before: int | None) -> int:
        """The number of a version's player; a new one follows the version before."""
        is_new = entry.identity not in self._known
        player = self._known.setdefault(entry.identity, len(self._known))
        if is_new and before is not None:
            self.links[player] = before
        if entry.is_house and entry.is_listed and entry.has_played and player not in self.anchors:
            self.anchors.append(player)
        self.of_version[entry.version] = player
        return player


def players_of(entries: Iterable[Entry]) -> Players:
    """Everybody who has played, and the next version of those; who has no past and no match is left out."""
    players = Players()
    ordered = sorted(entries, key=attrgetter("bot", "number"))
    for _, versions in groupby(ordered, key=attrgetter("bot")):
        before: int | None = None
        for entry in versions:
            if entry.has_played or (entry.is_listed and before is not None):
                before = players.enter(entry, before)
    return players
