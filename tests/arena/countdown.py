"""The smallest game with everything the arena needs: seats take 1, 2 or 3 from a heap; the last to take wins.

Each seat also holds a secret number that only it sees, drawn from the seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from engines import Game, IllegalAction, InvalidAction, InvalidObservation, InvalidSnapshot, Outcome, State
from engines.api import Words
from engines.chance import draw

HEAP = 12


class CountdownState(State):
    __slots__ = ("heap", "log", "secrets", "seed", "to_act", "winner")

    def __init__(self, seats: int, seed: int) -> None:
        self.heap, self.seed = HEAP, seed
        self.to_act: int | None = 0
        self.winner: int | None = None
        self.secrets = [draw(seed, f"secret/{seat}", 1000) for seat in range(seats)]
        self.log: list[str] = []

    def legal_actions(self) -> list[int]:
        return [] if self.to_act is None else [take for take in (1, 2, 3) if take <= self.heap]

    def format(self, action: int) -> str:
        if type(action) is not int or not 1 <= action <= 3:
            raise InvalidAction(f"{action!r} is no action")
        return f"take{action}"

    def parse(self, text: str) -> int:
        if text not in ("take1", "take2", "take3"):
            raise InvalidAction(f"{text!r} is no action")
        return int(text[-1])

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise IllegalAction(f"{action!r} is not legal with {self.heap} left")
        assert self.to_act is not None
        self.log.append(f"{self.to_act} {self.format(action)}")
        self.heap -= action
        if self.heap == 0:
            self.winner, self.to_act = self.to_act, None
        else:
            self.to_act = (self.to_act + 1) % len(self.secrets)

    def observe(self, seat: int | None) -> dict[str, Any]:
        seen = [secret if seat in (None, owner) else None for owner, secret in enumerate(self.secrets)]
        outcome = self.outcome()
        return {
            "game": "countdown", "rules_version": 1, "seat": seat, "seats": len(self.secrets), "options": {},
            "phase": "over" if self.to_act is None else "take", "pending": None, "to_act": self.to_act,
            "ply": len(self.log), "outcome": outcome and outcome.as_json(), "log": list(self.log),
            "heap": ["coin"] * self.heap, "secrets": seen,
        }  # fmt: skip

    def outcome(self) -> Outcome | None:
        if self.winner is None:
            return None
        won = tuple(seat == self.winner for seat in range(len(self.secrets)))
        return Outcome(tuple(1 if w else 2 for w in won), tuple(1.0 if w else 0.0 for w in won), "heap_empty")

    def copy(self) -> CountdownState:
        twin = CountdownState(len(self.secrets), self.seed)
        twin.heap, twin.to_act, twin.winner, twin.log = self.heap, self.to_act, self.winner, list(self.log)
        return twin

    def snapshot(self) -> dict[str, Any]:
        return {"seed": str(self.seed), "log": list(self.log), "seats": len(self.secrets)}


class CountdownWords(Words):
    gist = "Take 1, 2 or 3 from a heap; who takes the last wins."
    endings = {"heap_empty": "by taking the last"}
    by_seat = ("secrets",)

    def sentence(self, entry: str, before: dict[str, Any], after: dict[str, Any], names: Sequence[str]) -> str:
        return f"{names[int(entry[0])]} takes {len(before['heap']) - len(after['heap'])}."

    def asked(self, observation: dict[str, Any], names: Sequence[str]) -> str:
        if observation["to_act"] is None:
            return "The game is over."
        return f"{names[observation['to_act']]} has to take from the heap."

    def mark(self, entry: str, before: dict[str, Any], after: dict[str, Any]) -> str | None:
        return None if after["heap"] else "end"

    def board(self, observation: dict[str, Any]) -> str:
        return f"{len(observation['heap'])} left"

    def turn_order(self, state: State) -> tuple[int, ...]:
        assert isinstance(state, CountdownState)
        return tuple(range(len(state.secrets)))


class Countdown(Game):
    name = "countdown"
    title = "Countdown"
    rules_version = 1
    seats = range(2, 5)
    options = {}
    max_choices = HEAP
    words = CountdownWords()

    def new(self, *, seats: int = 2, seed: int = 0, **options: Any) -> CountdownState:
        self.check_setup(seats=seats, seed=seed, options=options)
        return CountdownState(seats, seed)

    def restore(self, snapshot: dict[str, Any]) -> CountdownState:
        raise InvalidSnapshot("countdown is not restored")

    def imagine(self, observation: dict[str, Any], rng: Random) -> CountdownState:
        raise InvalidObservation("countdown is not imagined")


CountdownState.game = Countdown()
