"""What every format is told and what it answers: pure values, numbered entrants, no database."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

VERSION = 3  # of the draw; 1: in a Swiss the unbeaten met only if that was nearest, and a gauntlet went by points;
# 2: in a knockout the better seed went on from a level table, and places that luck allows went by points


class PlanRefused(ValueError):
    """Settings that this format can't be played with; the message shows the value and says what to do."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament on paper: entrants are 0, 1, … with the best seed first."""

    entrants: int
    seats: int
    seed: int
    cycles: int = 1  # round robin, gauntlet: how often
    rounds: int = 0  # Swiss: how many; 0 means enough to find a winner
    best_of: int = 1  # knockout: games at each table
    champion: int = 0  # gauntlet: who meets everybody
    version: int = VERSION  # what was drawn in an older way is proven in that way


@dataclass(frozen=True, slots=True)
class Table:
    """One set of matches: who sits where in its first match; the number is unique in the tournament."""

    number: int
    round: int
    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TableResult:
    """What a finished table gave to each of its entrants, in the order of its seats: 1 is all, 0 nothing."""

    table: Table
    points: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """The tables of one round and who sits it out."""

    tables: Iterable[Table]
    byes: tuple[int, ...] = ()


class Format:
    """How a tournament is drawn: a pure function of the plan and the results so far.

    What pages, standings and services have to know of a format is said here; none of them compares names.
    """

    name: str
    title: str
    words: str  # in the middle of a sentence
    gist: str = ""  # what happens, in a sentence
    settings: tuple[str, ...] = ("cycles",)  # what an organiser decides about it, besides what every format has
    places: str = "Ties are broken by the direct encounter, then by Sonneborn-Berger."
    has_rounds: bool = False  # a round is drawn from the results of those before
    has_champion: bool = False  # one bot meets everybody
    all_meet: bool = False  # every pair meets equally often
    byes_win: bool = False  # who sits a round out has won it
    sends_home: bool = False  # places follow the round reached
    places_by_average: bool = False  # not everybody plays equally often: points a match, not points

    def setting(self, plan: Plan) -> str:
        """The setting that counts in this format, in the middle of a sentence; empty when it is the usual one."""
        return f"{plan.cycles} cycles" if plan.cycles > 1 else ""

    def check(self, plan: Plan) -> None:
        """Raises PlanRefused."""
        raise NotImplementedError

    def round_count(self, plan: Plan) -> int:
        """How many rounds there are; a round is drawn when the one before is played."""
        raise NotImplementedError

    def table_count(self, plan: Plan) -> int:
        """How many tables all rounds have together, without those played again."""
        raise NotImplementedError

    def tables_through(self, plan: Plan, round_number: int, results: Sequence[TableResult]) -> int:
        """How many tables the rounds up to this one have together, itself included, as far as results tell."""
        raise NotImplementedError

    def draw(self, plan: Plan, round_number: int, results: Sequence[TableResult], *, first: int = 0) -> Round:
        """The round of this number (from 0), given all results so far; its tables from `first` on."""
        raise NotImplementedError


def table_seed(tournament_seed: int, number: int) -> int:
    """The 128-bit seed of a table: nobody can tell it before the tournament's own seed is told."""
    key = tournament_seed.to_bytes(32, "big")
    return int.from_bytes(blake2b(str(number).encode(), key=key, digest_size=16).digest(), "big")


def seed_commitment(tournament_seed: int) -> str:
    """The hash published when a tournament opens, so that its seed can't be chosen afterwards."""
    return blake2b(tournament_seed.to_bytes(32, "big"), digest_size=32).hexdigest()


def check_entrants(plan: Plan) -> None:
    """Raises PlanRefused when a table can't even be filled."""
    needed = max(2, plan.seats)
    if plan.entrants < needed:
        raise PlanRefused(f"{plan.entrants} entrants are too few: at least {needed} are needed to fill a table.")


def check_range(name: str, value: int, low: int, high: int) -> None:
    """Raises PlanRefused for a setting out of its range."""
    if not low <= value <= high:
        raise PlanRefused(f"{name} can't be {value}; choose from {low} to {high}.")
