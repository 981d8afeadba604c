"""What a given viewer may have of a match: the public's record, the owner's, or only what one seat saw."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arena.framing import Frame, frames, told
from arena.record import Fault, MatchRecord, SeatReport, outcome_json
from arena.replay import states
from engines.api import Json


def redact(record: MatchRecord, seat: int | None = None) -> MatchRecord:
    """The record without stderr, notes and bot seeds, except those of the given seat; it still verifies.

    It holds the seed: give it out only when no unfinished match shares that seed. Until then there is seat_view.
    """
    private = {"stderr": "", "notes": (), "bot_seed": 0}
    seats = tuple(
        report if index == seat else replace(report, **private)  # type: ignore[arg-type]
        for index, report in enumerate(record.seats)
    )
    return replace(record, seats=seats)


@dataclass(frozen=True, slots=True)
class SeatView:
    """A match through one seat's eyes: no seed, no hidden action, no other seat's words."""

    seat: int
    game: str
    rules_version: int
    options: dict[str, Json]
    seats: tuple[str, ...]
    faults: tuple[Fault, ...]
    outcome: dict[str, Json] | None
    ending: str
    ranks: tuple[int, ...] | None
    report: SeatReport
    log: tuple[str, ...]
    frames: tuple[Frame, ...]

    def as_json(self) -> dict[str, Json]:
        return {
            "seat": self.seat,
            "game": self.game,
            "rules_version": self.rules_version,
            "options": self.options,
            "seats": list(self.seats),
            "faults": [fault.as_json() for fault in self.faults],
            "outcome": self.outcome,
            "ending": self.ending,
            "ranks": None if self.ranks is None else list(self.ranks),
            "report": self.report.as_json(),
            "log": list(self.log),
            "frames": [frame.as_json() for frame in self.frames],
        }


def seat_view(record: MatchRecord, seat: int) -> SeatView:
    """What that seat may know: its final log, its frames, its own report; raises Unplayable."""
    seen = tuple(frames(record, seat))
    reasons_hidden = tuple(fault if fault.seat == seat else replace(fault, reason="") for fault in record.faults)
    return SeatView(
        seat=seat,
        game=record.order.game,
        rules_version=record.order.rules_version,
        options=dict(record.order.options),
        seats=record.order.seats,
        faults=reasons_hidden,
        outcome=outcome_json(record.outcome),
        ending=record.ending,
        ranks=record.ranks,
        report=record.seats[seat],
        log=_log(record, seat),
        frames=seen,
    )


def _log(record: MatchRecord, seat: int) -> tuple[str, ...]:
    """The log as the seat saw it last; what our rules don't accept of a match under older ones is told."""
    reached = list(states(record))
    log = reached[-1].observe(seat)["log"] if reached else []
    return (*log, *(told(action, seat) for action in record.actions[max(0, len(reached) - 1) :]))
