"""The rating book: applies results in order, in memory; rating and recomputing both go through it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ladder.ratings.skill import Manner, Skill, rate

RECENT = 20  # matches that the trend looks back


@dataclass(frozen=True, slots=True)
class SeatFinish:
    """How one seat of a match ended."""

    seat: int
    version: int
    rank: int
    has_fault: bool = False
    bot: int = 0


@dataclass(frozen=True, slots=True)
class SkillChange:
    """What a match did to the skill of one version."""

    place: SeatFinish
    before: Skill
    after: Skill
    nth: int  # rated match of its bot


@dataclass(slots=True)
class BookEntry:
    """One version in the book: its skill and its tallies."""

    skill: Skill
    matches: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    rank_sum: int = 0
    faults: int = 0
    recent_mu: list[float] = field(default_factory=list)

    def enter(self, change: SkillChange, *, first_is_shared: bool) -> None:
        """Count one rated match."""
        self.recent_mu = [*self.recent_mu, self.skill.mu][-RECENT:]
        self.skill = change.after
        self.matches += 1
        self.rank_sum += change.place.rank
        self.faults += change.place.has_fault
        count_result(self, change.place.rank, first_is_shared=first_is_shared)


@dataclass(slots=True)
class ResultCount:
    """How one seat of the table has fared."""

    matches: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    rank_sum: int = 0

    def enter(self, rank: int, *, first_is_shared: bool) -> None:
        self.matches += 1
        self.rank_sum += rank
        count_result(self, rank, first_is_shared=first_is_shared)


def count_result(tally: BookEntry | ResultCount, rank: int, *, first_is_shared: bool) -> None:
    """A win is the first rank alone, a draw the first rank shared, anything else a loss."""
    if rank > 1:
        tally.losses += 1
    elif first_is_shared:
        tally.draws += 1
    else:
        tally.wins += 1


@dataclass(slots=True)
class Book:
    """All lines of one ladder that have been looked at."""

    manner: Manner
    lines: dict[int, BookEntry] = field(default_factory=dict)
    tallies: dict[int, ResultCount] = field(default_factory=dict)
    played: dict[int, int] = field(default_factory=dict)  # rated matches of each bot, over all its versions

    def enter(self, places: Sequence[SeatFinish]) -> list[SkillChange]:
        """Apply one finished match; the versions must have lines."""
        before = [self.lines[place.version].skill for place in places]
        after = rate(before, [place.rank for place in places], self.manner)
        counts = [self._count(place.bot) for place in places]
        changes = [SkillChange(*each) for each in zip(places, before, after, counts, strict=True)]
        shared = sum(place.rank == 1 for place in places) > 1
        for change in changes:
            self.lines[change.place.version].enter(change, first_is_shared=shared)
            tally = self.tallies.setdefault(change.place.seat, ResultCount())
            tally.enter(change.place.rank, first_is_shared=shared)
        return changes

    def _count(self, bot: int) -> int:
        self.played[bot] = self.played.get(bot, 0) + 1
        return self.played[bot]

    def counted(self) -> Book:
        """The same book without the lines on which nothing stands."""
        lines = {version: line for version, line in self.lines.items() if line.matches or line.faults}
        return replace(self, lines=lines)

    def enter_void(self, places: Sequence[SeatFinish]) -> None:
        """A void match changes no skill, but a version that failed in it has one more fault."""
        for place in places:
            self.lines[place.version].faults += place.has_fault
