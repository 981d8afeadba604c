"""The contract every game keeps: a Game makes States, a State is played by ints until it has an Outcome."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from pathlib import Path

Json = Any
Observation = dict[str, Json]
Snapshot = dict[str, Json]

COMMON_FIELDS = (
    "game", "rules_version", "seat", "seats", "options", "phase", "pending", "to_act", "ply", "outcome", "log",
)  # fmt: skip


class EngineError(ValueError):
    """Something handed to an engine was wrong; the message shows the value and says what is expected."""


class InvalidSetup(EngineError):
    """A seat count, option or seed that the game does not have."""


class InvalidAction(EngineError):
    """A text or value that no action of the game has."""


class IllegalAction(EngineError):
    """An action of the game that may not be taken now."""


class InvalidSnapshot(EngineError):
    """A snapshot that no state of this game could have written."""


class InvalidObservation(EngineError):
    """An observation that no seat of this game could have seen."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: ranks by seat (1 is best, ties share), scores by seat, and the game's own word for why."""

    ranks: tuple[int, ...]
    scores: tuple[float, ...]
    ending: str

    def as_json(self) -> dict[str, Json]:
        return {"ranks": list(self.ranks), "scores": list(self.scores), "ending": self.ending}


def short(value: object) -> str:
    """The value as it stands in messages: printable and never long, whatever it is."""
    try:
        text = ascii(value)
    except Exception:  # noqa: BLE001 (thousands of digits or brackets, or an object that fails to say what it is)
        return f"{type(value).__name__} value that can't be shown"
    return text if len(text) <= 60 else f"{text[:57]}..."


def check_viewer(seat: object, seats: int) -> None:
    """Raise InvalidObservation unless it is a seat of a table of so many, or None for all eyes."""
    if seat is not None and (type(seat) is not int or not 0 <= seat < seats):
        raise InvalidObservation(
            f"seat {short(seat)} is not at this table; choose 0 to {seats - 1}, or None for all eyes"
        )


class State(ABC):
    """One position of one game; changes in place."""

    __slots__ = ()

    game: ClassVar[Game]
    to_act: int | None

    @abstractmethod
    def legal_actions(self) -> list[int]:
        """What the seat to act may choose, sorted and unique; empty only when the game is over."""

    @abstractmethod
    def format(self, action: int) -> str:
        """The text of an action; raises InvalidAction for an int that no action of the game has."""

    @abstractmethod
    def parse(self, text: str) -> int:
        """The action of a text, legal now or not; raises InvalidAction."""

    @abstractmethod
    def apply(self, action: int) -> None:
        """Take an action; raises IllegalAction or InvalidAction and then leaves the state as it was."""

    @abstractmethod
    def observe(self, seat: int | None) -> Observation:
        """What that seat may know; None sees everything but the seed."""

    def public(self) -> Observation:
        """What every seat may know, in the shape of an observation with no seat; it follows from each seat's alone."""
        raise NotImplementedError(f"{type(self).__name__} has no public view yet")

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """None until the game is over."""

    @abstractmethod
    def copy(self) -> State:
        """An independent state in the same position."""

    @abstractmethod
    def snapshot(self) -> Snapshot:
        """Everything, seed included, as JSON values."""

    def __reduce__(self) -> tuple[Callable[[Snapshot], State], tuple[Snapshot]]:
        """A state is pickled as its snapshot, so that every build of the engines reads it."""
        return self.game.restore, (self.snapshot(),)


class Words(ABC):
    """A game in plain English; everyone who shows games reads here and knows none of them by name.

    `names` are what the seats are called where the words appear, in seat order. What is told of an observation uses
    nothing but that observation, so that no viewer reads more than it may know.
    """

    gist: ClassVar[str]  # one sentence that says what the game is
    endings: ClassVar[
        Mapping[str, str]
    ]  # every `outcome.ending`: a phrase that follows "won", "by entering the Speakeasy"

    by_seat: ClassVar[
        tuple[str, ...]
    ] = ()  # fields of an observation with one value a seat, for cards of the plain table

    def seat_name(self, seat: int, seats: int) -> str:
        """What the game calls a seat at a table of so many."""
        return f"Seat {seat}"

    @abstractmethod
    def sentence(self, entry: str, before: Observation, after: Observation, names: Sequence[str]) -> str:
        """What one action did, told only from what the viewer of both observations may know.

        `entry` is the line the action left in that viewer's log: `1 a6-a7 8x3`, or `1 ?` where it was hidden.
        """

    @abstractmethod
    def asked(self, observation: Observation, names: Sequence[str]) -> str:
        """What the seat to act has to choose now, in a sentence; that the game is over when it is."""

    def offer(self, text: str, observation: Observation, names: Sequence[str]) -> str:
        """What a legal action would do, in a sentence without its subject: `Attacks the hidden piece on d7.`

        Told only from what the seat to act knows; a game that says nothing shows the action's own text.
        """
        return text

    def mark(self, entry: str, before: Observation, after: Observation) -> str | None:
        """One word for the time line if something notable happened: `capture`, `claim`, `score`."""
        return None

    @abstractmethod
    def board(self, observation: Observation) -> str:
        """The board as text, for terminals, screen readers and the plain table."""

    @abstractmethod
    def turn_order(self, state: State) -> tuple[int, ...]:
        """The seats in the order in which they move first, in the game's own sense; the same all through a game."""


class Game(ABC):
    """The rules of one game."""

    name: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int]
    seats: ClassVar[range]
    options: ClassVar[Mapping[str, tuple[Json, ...]]]
    max_choices: ClassVar[int]
    words: ClassVar[Words]
    first_ladders: ClassVar[tuple[int, ...]] = ()  # seats of the ladders that a new service opens
    draw_probability: ClassVar[float] = 0.02  # of neighbours in rank, measured over random play; TrueSkill asks for it

    @abstractmethod
    def new(self, /, *, seats: int = 2, seed: int = 0, **options: Json) -> State:
        """A game about to begin; raises InvalidSetup."""

    @abstractmethod
    def restore(self, snapshot: Snapshot) -> State:
        """The state a snapshot was taken of; raises InvalidSnapshot."""

    @abstractmethod
    def imagine(self, observation: Observation, rng: Random) -> State:
        """A full state that the observing seat could be in, hidden things drawn from rng; raises InvalidObservation."""

    @property
    def folder(self) -> Path:
        """Where the game's code lies, with its pages RULES.md and BOTS.md beside it."""
        from pathlib import Path  # takes as long to import as a game, and no bot asks

        return Path(str(sys.modules[type(self).__module__].__file__)).parent

    def check_setup(self, *, seats: int, seed: int, options: Mapping[str, Json]) -> dict[str, Json]:
        """All options of a game with the defaults filled in; raises InvalidSetup."""
        if type(seats) is not int or seats not in self.seats:
            allowed = ", ".join(str(n) for n in self.seats)
            raise InvalidSetup(f"{self.name} can't be played with {short(seats)} seats; choose one of {allowed}")
        if type(seed) is not int or not 0 <= seed < 1 << 128:
            raise InvalidSetup(f"seed {short(seed)} is not an int from 0 to 2**128 - 1")
        for option, value in options.items():
            if option not in self.options:
                known = ", ".join(self.options) or "none"
                raise InvalidSetup(f"{self.name} has no option {short(option)}; its options: {known}")
            if not any(type(value) is type(known) and value == known for known in self.options[option]):
                known = ", ".join(repr(v) for v in self.options[option])
                raise InvalidSetup(f"option {option} of {self.name} can't be {short(value)}; choose one of {known}")
        return {option: options.get(option, values[0]) for option, values in self.options.items()}
