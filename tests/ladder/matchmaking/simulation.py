"""A ladder with known skills, played in memory: how well does a way of pairing find the true order?"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ladder.matches.services import rotations
from ladder.matchmaking.pairing import Aims, Contender, choose_tables
from ladder.ratings.book import Book, BookEntry, SeatFinish
from ladder.ratings.models import BETA
from ladder.ratings.skill import Manner, Skill

Pairing = Callable[[Sequence[Contender], int, random.Random], list[tuple[int, ...]]]
ENDLESS = Aims(sigma_goal=0.0, most_matches=10**9, most_pending=10**9)


def our_pairing(contenders: Sequence[Contender], seats: int, rng: random.Random) -> list[tuple[int, ...]]:
    return choose_tables(contenders, seats=seats, count=1, aims=ENDLESS, rng=rng)


def random_pairing(contenders: Sequence[Contender], seats: int, rng: random.Random) -> list[tuple[int, ...]]:
    return [tuple(each.version for each in rng.sample(contenders, seats))]


@dataclass
class Season:
    """A population with true skills, and the book about it."""

    truth: dict[int, float]
    seats: int
    rng: random.Random
    book: Book = field(init=False)
    met: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.book = Book(Manner(0.02, 0.008), {version: BookEntry(Skill()) for version in self.truth})

    def contenders(self) -> list[Contender]:
        lines = self.book.lines.items()
        return [Contender(version, line.skill.mu, line.skill.sigma, line.matches) for version, line in lines]

    def play_set(self, table: tuple[int, ...]) -> None:
        """One table in all rotations; each match draws its own performances."""
        for seating in rotations(table):
            shown = [self.rng.gauss(self.truth[version], BETA) for version in seating]
            order = sorted(shown, reverse=True)
            places = [SeatFinish(seat, version, order.index(shown[seat]) + 1) for seat, version in enumerate(seating)]
            self.book.enter(places)
        self.met.update(table)

    def play(self, pairing: Pairing, matches_a_bot: int) -> None:
        """Go on until every bot has had about so many matches."""
        wanted = matches_a_bot * len(self.truth)
        while sum(line.matches for line in self.book.lines.values()) < wanted:
            for table in pairing(self.contenders(), self.seats, self.rng):
                self.play_set(table)

    def correlation(self) -> float:
        """Spearman's rank correlation between the book and the truth."""
        by_truth = ranks(self.truth)
        by_book = ranks({version: line.skill.mu for version, line in self.book.lines.items()})
        n = len(by_truth)
        return 1 - 6 * sum((by_truth[each] - by_book[each]) ** 2 for each in by_truth) / (n * (n * n - 1))


def ranks(values: dict[int, float]) -> dict[int, int]:
    return {version: place for place, version in enumerate(sorted(values, key=lambda each: -values[each]))}


def season(*, bots: int, seats: int, seed: int) -> Season:
    """True skills spread as on a grown ladder."""
    rng = random.Random(seed)
    return Season({version: rng.gauss(25, 8) for version in range(bots)}, seats, rng)


def mean_correlation(pairing: Pairing, *, bots: int, seats: int, matches_a_bot: int, seasons: int) -> float:
    """The correlation after so many matches a bot, over several seasons."""
    total = 0.0
    for seed in range(seasons):
        played = season(bots=bots, seats=seats, seed=seed)
        played.play(pairing, matches_a_bot)
        total += played.correlation()
    return total / seasons


def main() -> None:
    """The table of docs/6-ladder.md."""
    print("| seats | matches a bot | ours | random pairing |\n|---|---|---|---|")
    for seats, matches in ((2, 10), (2, 20), (2, 40), (2, 80), (4, 12), (4, 24), (4, 48)):
        figures = [
            mean_correlation(pairing, bots=60, seats=seats, matches_a_bot=matches, seasons=6)
            for pairing in (our_pairing, random_pairing)
        ]
        print(f"| {seats} | {matches} | {figures[0]:.4f} | {figures[1]:.4f} |", flush=True)


if __name__ == "__main__":
    main()
