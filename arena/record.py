"""What happened in a match: all that is needed to replay it, to judge it and to tell its authors why."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Literal, get_args

from arena.order import InvalidOrder, MatchOrder
from arena.shape import Fields
from engines import Outcome
from engines.api import Json
from engines.api import short as shown

RECORD_VERSION = 1
MAX_NAME = 80
FaultKind = Literal["timeout", "crash", "illegal_action", "invalid_answer", "out_of_memory", "output_limit"]
FaultStage = Literal["start", "act"]
FAULT_KINDS: tuple[str, ...] = get_args(FaultKind)
FAULT_STAGES: tuple[str, ...] = get_args(FaultStage)
FINISHED = "finished"
HOST_FAULT = "host_fault"
ENDINGS: tuple[str, ...] = (FINISHED, *FAULT_KINDS, HOST_FAULT)
UNSANDBOXED = "unsandboxed"


class InvalidRecord(ValueError):
    """A record that cannot be read."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What a seat did wrong, and when; at start the ply is 0. The reason is for people and outside the digest."""

    seat: int
    kind: FaultKind
    stage: FaultStage
    ply: int
    reason: str = ""

    @property
    def when(self) -> tuple[bool, int]:
        """Faults compare by this: all start faults are the same moment, before every ply."""
        return (self.stage == "act", self.ply if self.stage == "act" else 0)

    def as_json(self) -> dict[str, Json]:
        return {"seat": self.seat, "kind": self.kind, "stage": self.stage, "ply": self.ply, "reason": self.reason}

    def as_fact(self) -> dict[str, Json]:
        """The part of a fault that the digest covers."""
        return {"seat": self.seat, "kind": self.kind, "stage": self.stage, "ply": self.ply}


@dataclass(frozen=True, slots=True)
class PlayedAction:
    """One action as text, the seat that took it, and what it cost; a seat that is out costs nothing."""

    seat: int
    text: str
    cpu_ms: float
    wall_ms: float

    def as_json(self) -> dict[str, Json]:
        return {"seat": self.seat, "text": self.text, "cpu_ms": self.cpu_ms, "wall_ms": self.wall_ms}


@dataclass(frozen=True, slots=True)
class Note:
    """A remark a bot sent with an action, kept for its owner."""

    ply: int
    text: str

    def as_json(self) -> list[Json]:
        return [self.ply, self.text]


@dataclass(frozen=True, slots=True)
class SeatReport:
    """What one seat used, and what it wrote for its author (stderr and notes, control characters escaped)."""

    cpu_ms: float = 0.0
    idle_ms: float = 0.0
    peak_memory_kib: int = 0
    bot_seed: int = 0
    stderr: str = ""
    notes: tuple[Note, ...] = ()

    def as_json(self) -> dict[str, Json]:
        return {
            "cpu_ms": self.cpu_ms,
            "idle_ms": self.idle_ms,
            "peak_memory_kib": self.peak_memory_kib,
            "bot_seed": self.bot_seed,
            "stderr": self.stderr,
            "notes": [note.as_json() for note in self.notes],
        }


@dataclass(frozen=True, slots=True)
class SandboxFacts:
    """What stood between the bots and the host; kind is "unsandboxed" for an author's own trusted files."""

    kind: str
    layers: tuple[str, ...] = ()
    runtime: str = ""

    def as_json(self) -> dict[str, Json]:
        return {"kind": self.kind, "layers": list(self.layers), "runtime": self.runtime}


@dataclass(frozen=True, slots=True)
class HostFacts:
    """Where and under what load a match was played; problem says what went wrong when it ended by host_fault."""

    kernel: str = ""
    cpu: str = ""
    core: int | None = None
    started_at: str = ""
    wall_ms: float = 0.0
    wait_ms: float = 0.0
    steal_ms: float = 0.0
    problem: str = ""

    def as_json(self) -> dict[str, Json]:
        return {
            "kernel": self.kernel,
            "cpu": self.cpu,
            "core": self.core,
            "started_at": self.started_at,
            "wall_ms": self.wall_ms,
            "wait_ms": self.wait_ms,
            "steal_ms": self.steal_ms,
            "problem": self.problem,
        }


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """The report of one match; ranks are final (faults counted in) and None after a host fault.

    names, where they are known, say what the bots of the seats are called; they are for people and outside the digest.
    """

    order: MatchOrder
    actions: tuple[PlayedAction, ...]
    faults: tuple[Fault, ...]
    outcome: Outcome | None
    ending: str
    ranks: tuple[int, ...] | None
    seats: tuple[SeatReport, ...]
    sandbox: SandboxFacts
    host: HostFacts
    digest: str = ""
    names: tuple[str, ...] = ()

    @property
    def is_void(self) -> bool:
        """Every seat failed at start: unrated, and each version gets its fault."""
        failed = {fault.seat for fault in self.faults if fault.stage == "start"}
        return len(failed) == len(self.order.seats)

    @property
    def is_host_fault(self) -> bool:
        return self.ending == HOST_FAULT

    @property
    def is_rateable(self) -> bool:
        """Whether a ladder may count this match."""
        return not (self.is_void or self.is_host_fault or self.sandbox.kind == UNSANDBOXED)

    def sealed(self) -> MatchRecord:
        """The same record with its digest filled in."""
        return replace(self, digest=digest_of(self))

    def as_json(self) -> dict[str, Json]:
        return {
            "record": RECORD_VERSION,
            "order": self.order.as_json(),
            "actions": [action.as_json() for action in self.actions],
            "faults": [fault.as_json() for fault in self.faults],
            "outcome": outcome_json(self.outcome),
            "ending": self.ending,
            "ranks": None if self.ranks is None else list(self.ranks),
            "seats": [seat.as_json() for seat in self.seats],
            "sandbox": self.sandbox.as_json(),
            "host": self.host.as_json(),
            "digest": self.digest,
            **({"names": list(self.names)} if self.names else {}),
        }

    @classmethod
    def from_json(cls, data: Json) -> MatchRecord:
        """Read a record; raises InvalidRecord. It says nothing about whether the record is true: see verify."""
        return _read_record(data)


def canonical(value: Json) -> bytes:
    """JSON with one spelling: sorted keys, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def digest_of(record: MatchRecord) -> str:
    """The sha256 of what is fact in a record: order, action texts, faults and outcome."""
    facts = {
        "order": record.order.as_json(),
        "actions": [action.text for action in record.actions],
        "faults": [fault.as_fact() for fault in record.faults],
        "outcome": outcome_json(record.outcome),
    }
    return sha256(canonical(facts)).hexdigest()


def outcome_json(outcome: Outcome | None) -> dict[str, Json] | None:
    """Scores without a fraction are written as whole numbers, as every JSON writer would."""
    if outcome is None:
        return None
    scores = [int(score) if score == int(score) else float(score) for score in outcome.scores]
    return {"ranks": list(outcome.ranks), "scores": scores, "ending": outcome.ending}


def _read_record(data: Json) -> MatchRecord:
    read = Fields(data, "record", InvalidRecord)
    version = read.any("record")
    if version != RECORD_VERSION or isinstance(version, bool):
        raise InvalidRecord(f"record version {shown(version)} is not known here; this reads version {RECORD_VERSION}")
    try:
        order = MatchOrder.from_json(read.any("order"))
    except InvalidOrder as error:
        raise InvalidRecord(str(error)) from error
    count = len(order.seats)
    seats = tuple(_read_seat(item) for item in read.list("seats"))
    if len(seats) != count:
        raise InvalidRecord(f"the order has {count} seats, but the record reports on {len(seats)}")
    return MatchRecord(
        order=order,
        actions=tuple(_read_action(item, count) for item in read.list("actions")),
        faults=tuple(_read_fault(item, count) for item in read.list("faults")),
        outcome=_read_outcome(read.any("outcome"), count),
        ending=read.text("ending", choices=ENDINGS),
        ranks=None if read.any("ranks") is None else _ranks(read.list("ranks"), count, "record.ranks"),
        seats=seats,
        sandbox=_read_sandbox(read.any("sandbox")),
        host=_read_host(read.any("host")),
        digest=read.text("digest"),
        names=_read_names(read, count) if "names" in data else (),
    )


def _read_names(read: Fields, seats: int) -> tuple[str, ...]:
    names = read.texts("names")
    if len(names) not in (0, seats) or any(len(name) > MAX_NAME for name in names):
        raise InvalidRecord(f"record.names must be {seats} names of at most {MAX_NAME} characters, not {shown(names)}")
    return names


def _read_action(data: Json, seats: int) -> PlayedAction:
    read = Fields(data, "action", InvalidRecord)
    return PlayedAction(
        seat=read.int("seat", high=seats - 1),
        text=read.text("text"),
        cpu_ms=read.number("cpu_ms"),
        wall_ms=read.number("wall_ms"),
    )


def _read_fault(data: Json, seats: int) -> Fault:
    read = Fields(data, "fault", InvalidRecord)
    return Fault(
        seat=read.int("seat", high=seats - 1),
        kind=read.text("kind", choices=FAULT_KINDS),  # type: ignore[arg-type]
        stage=read.text("stage", choices=FAULT_STAGES),  # type: ignore[arg-type]
        ply=read.int("ply"),
        reason=read.text("reason"),
    )


def _read_outcome(data: Json, seats: int) -> Outcome | None:
    if data is None:
        return None
    read = Fields(data, "outcome", InvalidRecord)
    scores = read.list("scores")
    if len(scores) != seats or any(type(score) not in (int, float) or not abs(score) < 1e15 for score in scores):
        raise InvalidRecord(f"outcome.scores must be {seats} numbers, not {shown(scores)}")
    return Outcome(
        ranks=_ranks(read.list("ranks"), seats, "outcome.ranks"), scores=tuple(scores), ending=read.text("ending")
    )


def _ranks(values: Iterable[Json], seats: int, where: str) -> tuple[int, ...]:
    ranks = tuple(values)
    if len(ranks) != seats or any(type(rank) is not int or not 1 <= rank <= seats for rank in ranks):
        raise InvalidRecord(f"{where} must be {seats} ranks from 1 to {seats}, not {shown(list(ranks))}")
    return ranks


def _read_seat(data: Json) -> SeatReport:
    read = Fields(data, "seat", InvalidRecord)
    notes = []
    for item in read.list("notes"):
        if not isinstance(item, list) or len(item) != 2 or type(item[0]) is not int or not isinstance(item[1], str):
            raise InvalidRecord(f"seat.notes must hold [ply, text] pairs, not {shown(item)}")
        notes.append(Note(ply=item[0], text=item[1]))
    return SeatReport(
        cpu_ms=read.number("cpu_ms"),
        idle_ms=read.number("idle_ms"),
        peak_memory_kib=read.int("peak_memory_kib"),
        bot_seed=read.int("bot_seed"),
        stderr=read.text("stderr"),
        notes=tuple(notes),
    )


def _read_sandbox(data: Json) -> SandboxFacts:
    read = Fields(data, "sandbox", InvalidRecord)
    return SandboxFacts(kind=read.text("kind"), layers=read.texts("layers"), runtime=read.text("runtime"))


def _read_host(data: Json) -> HostFacts:
    read = Fields(data, "host", InvalidRecord)
    return HostFacts(
        kernel=read.text("kernel"),
        cpu=read.text("cpu"),
        core=None if read.any("core") is None else read.int("core"),
        started_at=read.text("started_at"),
        wall_ms=read.number("wall_ms"),
        wait_ms=read.number("wait_ms"),
        steal_ms=read.number("steal_ms"),
        problem=read.text("problem"),
    )
