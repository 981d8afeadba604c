"""What a bot's fault leaves on the desk: its log in a frame, and the questions it was asked, to be asked again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel

from arena.bundle import open_folder
from arena.protocol import act_line, start_line
from arena.qualifying import start_advice
from arena.record import Fault, MatchRecord
from arena.replay import Unplayable, states
from engines import GAMES
from engines.api import EngineError

LOG_SHOWN = 3000  # characters; the cause stands at the end
HINTS = {
    "timeout": "A turn has {turn_ms} ms of CPU time, the whole match {bank_ms} ms more. Is there an endless loop?",
    "illegal_action": "An answer must be one of the texts in `legal`, character for character.",
    "invalid_answer": "Write nothing but answers to stdout; log to stderr.",
    "out_of_memory": "A bot has {memory_mib} MiB, including what Python itself needs.",
    "output_limit": "Answers and logs are limited; write less.",
}


def describe(fault: Fault) -> str:
    """A fault in one sentence, as the server's report has it."""
    where = "at start" if fault.stage == "start" else f"at ply {fault.ply}"
    return f"{fault.kind} {where}" + (f": {fault.reason}" if fault.reason else "")


def log_end(record: MatchRecord, fault: Fault) -> str:
    """The last words of the bot at fault."""
    return record.seats[fault.seat].stderr.strip()[-LOG_SHOWN:]


def hint(record: MatchRecord, fault: Fault) -> str:
    """What its author might not know; empty where the log says it all."""
    limits = record.order.limits
    told = HINTS.get(fault.kind, "").format(
        turn_ms=limits.turn_ms, bank_ms=limits.bank_ms, memory_mib=limits.memory_mib
    )
    if fault.stage != "start":
        return told
    if fault.kind == "timeout":
        told = f"It may use {limits.start_ms} ms of CPU time to get ready."
    return " ".join(filter(None, (start_advice(fault.kind), told)))


def show_fault(out: Console, name: str, path: Path, record: MatchRecord, fault: Fault, saved: Path | None) -> None:
    """The fault with the bot's log, framed, and how the same questions can be asked again."""
    log = log_end(record, fault) or "(it wrote nothing to stderr)"
    title = escape(f"{name} in seat {fault.seat}: {fault.kind}")
    told = "\n".join(filter(None, (describe(fault), hint(record, fault))))
    out.print(Panel(f"{escape(told)}\n\n{escape(log)}", title=title, border_style="red"))
    if saved is not None:
        out.print(
            f"Every message up to there is in {escape(saved.name)}. To send them again, without clock and sandbox:"
        )
        out.print(f"  {escape(starting(path))} < {escape(saved.name)}", soft_wrap=True, highlight=False)


def starting(path: Path) -> str:
    """How a person starts this bot at the desk."""
    if not path.is_dir():
        return f"python {path}" if path.suffix == ".py" else "THE-UNPACKED-BOT"
    manifest = open_folder(path)
    program = {"python": "python ", "node": "node "}.get(manifest.runtime, "")
    return f"{program}{path / manifest.entry}"


def save_turn(record: MatchRecord, fault: Fault, folder: Path) -> Path | None:
    """Write every line the bot was sent, the last being the one it failed on; None where that can't be done."""
    stage = "start" if fault.stage == "start" else str(fault.ply)
    path = folder / f"turn-{record.digest[:8]}-{stage}.jsonl"
    try:
        path.write_bytes(b"".join(_lines_to(record, fault)))
    except (OSError, Unplayable, EngineError):
        return None
    return path


def _lines_to(record: MatchRecord, fault: Fault) -> Iterator[bytes]:
    order, seat = record.order, fault.seat
    options = GAMES[order.game].check_setup(seats=len(order.seats), seed=order.seed, options=dict(order.options))
    yield start_line(order, options, seat, record.seats[seat].bot_seed)
    if fault.stage == "start":
        return
    for ply, state in enumerate(states(record)):
        if state.to_act == seat:
            legal = [state.format(action) for action in state.legal_actions()]
            yield act_line(ply, state.observe(seat), legal, order.limits.turn_ms, order.limits.bank_ms)
        if ply == fault.ply:
            return
