"""The trials of a bot at its author's desk: the server's, in the server's order, with the bytes that would be sent."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.desk.faults import describe
from arena.desk.series import Entrant, enter
from arena.desk.upload import Upload
from arena.house import house_bots
from arena.match import play
from arena.order import Limits, MatchOrder
from arena.qualifying import MAX_TRIES, NO_PARTNER, NOT_NEEDED, SPARRING_PARTNER, TrialKind, plan_of, seats_of_bot
from arena.record import Fault, MatchRecord
from engines import GAMES

# A path and no import: the house bots lie beside the arena, in a checkout as in the wheel.
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


class HostFailed(RuntimeError):
    """This machine could not play a match, through no fault of the bot."""


@dataclass(frozen=True, slots=True)
class PlannedTrial:
    """One trial as it is planned."""

    order: int
    game: str
    kind: TrialKind
    seats: int
    version: int

    @property
    def ladder(self) -> str:
        return f"{self.game}-{self.seats}"

    @property
    def mine(self) -> tuple[int, ...]:
        """The seats of the bot on trial."""
        return seats_of_bot(self.kind, seats=self.seats, version=self.version)


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial and how it went; fault is the bot's own."""

    step: PlannedTrial
    status: str
    reason: str = ""
    record: MatchRecord | None = None
    fault: Fault | None = None

    def as_json(self) -> dict[str, Any]:
        """With the keys that the server's report has."""
        step = self.step
        told = {"order": step.order, "ladder": step.ladder, "kind": str(step.kind)}
        return {**told, "status": self.status, "reason": self.reason}


def sparring_partner(game: str) -> Path | None:
    """The file of the house bot that everybody meets first."""
    return house_bots(game).get(SPARRING_PARTNER)


def hold_trials(
    upload: Upload, game: str, tables: Sequence[int], *, partner: Path | None, trust: bool = False, version: int = 1
) -> Iterator[Trial]:
    """Play the trials until one fails, and skip the rest; raises HostFailed, SandboxUnavailable or BundleRejected."""
    with tempfile.TemporaryDirectory(prefix="rumrunner-check-") as folder:
        path = Path(folder) / upload.filename
        path.write_bytes(upload.content)
        bot, rival = enter(path, game), None if partner is None else enter(partner, game)
        has_failed = False
        for order, (kind, seats) in enumerate(plan_of(tables), start=1):
            step = PlannedTrial(order, game, kind, seats, version)
            trial = Trial(step, SKIPPED, NOT_NEEDED) if has_failed else _held(step, bot, rival, trust)
            has_failed = has_failed or trial.status == FAILED
            yield trial


def _held(step: PlannedTrial, bot: Entrant, rival: Entrant | None, trust: bool) -> Trial:
    if step.kind is TrialKind.HOUSE and rival is None:
        return Trial(step, SKIPPED, NO_PARTNER)
    record = _played(step, bot, rival or bot, trust)
    faults = sorted((fault for fault in record.faults if fault.seat in step.mine), key=lambda fault: fault.seat)
    if faults:
        return Trial(step, FAILED, describe(faults[0]), record, faults[0])
    return Trial(step, PASSED, record=record)


def _played(step: PlannedTrial, bot: Entrant, rival: Entrant, trust: bool) -> MatchRecord:
    """One match, played again when the host fails it, as on the server; raises HostFailed."""
    bundles = {rival.digest: rival.path, bot.digest: bot.path}
    for _ in range(MAX_TRIES):
        record = play(_order(step, bot, rival), bundles, trust=trust)
        if not record.is_host_fault:
            return record
    raise HostFailed(f"this machine could not play the match: {record.host.problem}")


def _order(step: PlannedTrial, bot: Entrant, rival: Entrant) -> MatchOrder:
    return MatchOrder(
        game=step.game,
        rules_version=GAMES[step.game].rules_version,
        seed=secrets.randbits(128),
        seats=tuple(bot.digest if seat in step.mine else rival.digest for seat in range(step.seats)),
        limits=Limits().lasting(step.game, step.seats),
    )
