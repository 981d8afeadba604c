"""The bot's side of protocol version 1: JSON lines on stdin and stdout, your own words on stderr."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import IO, Any

import orjson

from engines import GAMES, Game, State


@dataclass(frozen=True, slots=True)
class Match:
    """What a bot is told before the first turn."""

    game: Game
    seat: int
    seats: int
    options: dict[str, Any]
    bot_seed: int
    start_ms: int
    turn_ms: int
    bank_ms: int
    memory_mib: int

    @classmethod
    def from_message(cls, message: dict[str, Any]) -> Match:
        limits = message["limits"]
        return cls(
            game=GAMES[message["game"]],
            seat=message["seat"],
            seats=message["seats"],
            options=message["options"],
            bot_seed=int(message["bot_seed"]),
            **{name: limits[name] for name in ("start_ms", "turn_ms", "bank_ms", "memory_mib")},
        )


@dataclass(slots=True)
class Turn:
    """One question: what you see, what you may answer, how much time there is."""

    match: Match
    observation: dict[str, Any]
    legal: list[str]  # the texts you may answer with, byte for byte
    ply: int
    turn_ms: int  # cpu time for this turn; it does not add up
    bank_ms: int  # cpu time left for the whole match beyond that
    rng: Random = field(repr=False)  # seeded with the match's bot_seed, so that a game can be played again
    note: str = ""  # kept for you beside the turn, up to 500 characters
    began: float = field(default_factory=time.process_time, repr=False)

    @property
    def seat(self) -> int:
        """The seat you sit on."""
        return self.match.seat

    @property
    def rivals(self) -> list[int]:
        """The seats of the others."""
        return [seat for seat in range(self.match.seats) if seat != self.match.seat]

    def spent_ms(self) -> float:
        """Cpu time used since the question came; what goes beyond turn_ms is taken from the bank."""
        return (time.process_time() - self.began) * 1000

    def history(self) -> list[tuple[int, str]]:
        """The log of the observation as (seat, action) pairs, oldest first; what is hidden from you reads `?`."""
        entries = (entry.partition(" ") for entry in self.observation["log"])
        return [(int(seat), action) for seat, _, action in entries]

    def imagine(self) -> State:
        """A full position that you could be in; hidden things are drawn anew each time."""
        return self.match.game.imagine(self.observation, self.rng)


class Bot:
    """Write `act`; the other methods may stay as they are."""

    def start(self, match: Match) -> None:
        """Called once, within start_ms, before the first turn."""

    def act(self, turn: Turn) -> str:
        """One of turn.legal."""
        raise NotImplementedError(
            f"{type(self).__name__} has no act method yet: write one that returns one of turn.legal"
        )

    def end(self, ranks: list[int], ending: str) -> None:
        """Called when the match is over; you have a second."""


def log(*values: object) -> None:
    """Write a line to your log; the server keeps its end for you."""
    print(*values, file=sys.stderr, flush=True)


def run(bot: Bot, lines: Iterable[bytes] | None = None, out: IO[bytes] | None = None) -> None:
    """Answer the referee until the match ends."""
    is_whole_program = lines is None
    lines = sys.stdin.buffer if lines is None else lines
    out = sys.stdout.buffer if out is None else out
    match: Match | None = None
    rng = Random()
    for line in lines:
        if not line.strip():
            continue
        message = orjson.loads(line)
        if message["type"] == "start":
            match = Match.from_message(message)
            rng.seed(match.bot_seed)
            bot.start(match)
            if is_whole_program:
                gc.freeze()  # what is loaded stays: no act has to pay for the collector's walk through all of it
            _say(out, {"type": "ready"})
        elif message["type"] == "act":
            if match is None:
                raise ValueError(
                    f"the message for ply {message['ply']} came before start: is the referee's start line missing?"
                )
            _say(out, _answer(bot, match, message, rng))
        elif message["type"] == "end":
            bot.end(message["ranks"], message["ending"])
            return


def _answer(bot: Bot, match: Match, message: dict[str, Any], rng: Random) -> dict[str, str]:
    clock = message["clock"]
    turn = Turn(
        match=match,
        observation=message["observation"],
        legal=message["legal"],
        ply=message["ply"],
        turn_ms=clock["turn_ms"],
        bank_ms=clock["bank_ms"],
        rng=rng,
    )
    answer = {"action": bot.act(turn)}
    if answer["action"] not in turn.legal:  # the referee will judge it; the author's log says why
        log(f"ply {turn.ply}: {answer['action']!r:.80} is not one of the {len(turn.legal)} legal actions")
    if turn.note:
        answer["note"] = turn.note[:500]
    return answer


def _say(out: IO[bytes], value: dict[str, str]) -> None:
    out.write(orjson.dumps(value) + b"\n")
    out.flush()
