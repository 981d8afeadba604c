"""Nickel Dice in plain English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from engines.api import Observation, State, Words
from nickel_dice.state import DiceState


class DiceWords(Words):
    """Told from observations alone."""

    gist: ClassVar[str] = "Keep one of two dice under your cup, bid on all that were kept, and doubt in time."
    endings: ClassVar[Mapping[str, str]] = {
        "bid_stood": "with a bid that stood",
        "bid_fell": "by doubting a bid that fell",
    }
    by_seat: ClassVar[tuple[str, ...]] = ("kept",)

    def sentence(self, entry: str, before: Observation, after: Observation, names: Sequence[str]) -> str:
        seat, verb, *rest = entry.split(" ")
        who = names[int(seat)]
        if verb == "keep":
            return f"{who} keeps {'one of two dice' if rest == ['?'] else f'a {rest[0]}'} under the cup."
        if verb == "bid":
            return f"{who} bids {_spelled(after)}."
        faces = ", ".join(str(face) for face in after["kept"])
        return f"{who} doubts {_spelled(before)}, and the cups are lifted: {faces}."

    def asked(self, observation: Observation, names: Sequence[str]) -> str:
        if observation["to_act"] is None:
            return "The game is over."
        what = "keep one of two dice" if observation["phase"] == "keep" else "bid or doubt"
        return f"{names[observation['to_act']]} has to {what}."

    def mark(self, entry: str, before: Observation, after: Observation) -> str | None:
        return "doubt" if entry.endswith("doubt") else None

    def board(self, observation: Observation) -> str:
        lines = [f"Bid: {_spelled(observation) if observation['bid'] else 'none'}"]
        for seat, (rolled, kept) in enumerate(zip(observation["rolled"], observation["kept"], strict=True)):
            dice = "? ?" if rolled is None else " ".join(map(str, rolled))
            cup = "?" if kept is None else str(kept or "-")
            lines.append(f"Seat {seat}: rolled {dice}, under the cup {cup}")
        return "\n".join(lines)

    def turn_order(self, state: State) -> tuple[int, ...]:
        assert isinstance(state, DiceState)
        return tuple((state.first + turn) % state.seats for turn in range(state.seats))


def _spelled(observation: Observation) -> str:
    dice, face = observation["bid"]
    return f"{dice} {'die' if dice == 1 else 'dice'} of face {face}"
