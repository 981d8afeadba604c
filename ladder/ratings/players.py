"""Who is who in a fit: one player for each owner and upload, linked to the version before.

Pure: rows in, numbers out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter


@dataclass(frozen=True, slots=True)
class ListedVersion:
    """A version that stands on a ladder."""

    version: int
    bot: int
    number: int
    owner: int | None  # none once the account is deleted
    digest: str
    has_played: bool
    is_listed: bool
    is_house: bool
    prior_rating: float | None = None  # at the end of the last season it played
    prior_sd: float | None = None

    @property
    def prior(self) -> tuple[float, float] | None:
        if self.prior_rating is None or self.prior_sd is None:
            return None
        return self.prior_rating, self.prior_sd

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
    priors: dict[int, tuple[float, float]] = field(default_factory=dict)  # who is known from an earlier season
    past: dict[tuple[str, int, str], tuple[float, float]] = field(default_factory=dict)  # the same of all identities
    _known: dict[tuple[str, int, str], int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._known)

    def is_known(self, entry: ListedVersion) -> bool:
        """Whether an earlier season, or what was entered, says who this is."""
        return entry.identity in self.past or entry.identity in self._known

    def enter(self, entry: ListedVersion, before: ListedVersion | None) -> int:
        """The number of a version's player; a new one is known from an earlier season, or follows the version before.

        A link beside a prior would count twice what the last season made of it.
        """
        if entry.identity not in self._known:
            self._introduce(entry, before)
        player = self._known[entry.identity]
        if entry.is_house and entry.is_listed and entry.has_played and player not in self.anchors:
            self.anchors.append(player)
        self.of_version[entry.version] = player
        return player

    def _introduce(self, entry: ListedVersion, before: ListedVersion | None) -> None:
        if (prior := self.past.get(entry.identity)) is None and before is not None:
            link = self.enter(before, None)
            self.links[len(self._known)] = link
        elif prior is not None:
            self.priors[len(self._known)] = prior
        self._known[entry.identity] = len(self._known)


def players_of(entries: Iterable[ListedVersion]) -> Players:
    """Everybody who has played, and the next version of those; who has no past and no match is left out."""
    ordered = sorted(entries, key=attrgetter("bot", "number"))
    players = Players(past={entry.identity: entry.prior for entry in ordered if entry.prior})
    for _, versions in groupby(ordered, key=attrgetter("bot")):
        before: ListedVersion | None = None
        for entry in versions:
            if entry.has_played or (entry.is_listed and (before is not None or players.is_known(entry))):
                players.enter(entry, before)
            if players.is_known(entry):
                before = entry
    return players
