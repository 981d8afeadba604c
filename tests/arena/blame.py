"""The blame matrix: who plays whom under what trouble, and what the right verdict is.

Matches are played in processes of their own, so that a runner can be frozen like any other program.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from arena import FINISHED, HOST_FAULT, Limits, MatchRecord
from tests.arena.blame_runner import die_with_parent
from tests.arena.table import make_bot

ROOT = Path(__file__).parents[2]
BURNERS = 10
TRIES = 20  # a quick bot's match may be over before it is frozen
# A bank of 1 s, memory that can be filled within it, and the default limits of idle time.
SMALL = Limits(start_ms=2_000, turn_ms=50, bank_ms=1_000, memory_mib=128, wall_ms=120_000)


@dataclass(frozen=True)
class Row:
    """A bot, and the one ending that is right for it when nothing else is wrong; finished where it is fair."""

    bot: str
    right: str = FINISHED
    stage: str = "act"

    @property
    def is_fair(self) -> bool:
        return self.right == FINISHED


ROWS = {
    "quick bot": Row("good"),
    "fair thinker": Row("thinks"),
    "fair threaded thinker": Row("thinks_in_threads"),
    "sleeper": Row("never_answers", "timeout"),
    "burner": Row("burns", "timeout"),
    "burner with threads": Row("burns_in_threads", "timeout"),
    "stderr dripper": Row("drips", "timeout"),
    "never-stopped thinker": Row("hides_in_vfork"),
    "bot that allocates": Row("hoards_memory", "out_of_memory"),
}
COLUMNS = ("quiet core", "ten burners", "frozen runner", "memory pressure", "both the same")


@dataclass(frozen=True)
class Cell:
    """One match of the matrix and what came of it."""

    row: str
    column: str
    record: MatchRecord

    @property
    def verdict(self) -> str:
        """In one word, the same for every reader: void, or who was blamed for what."""
        if self.record.ending == HOST_FAULT:
            return "void"
        return ", ".join(f"seat {fault.seat} {fault.kind}" for fault in self.record.faults) or FINISHED

    @property
    def wrong(self) -> str:
        """What is wrong with the verdict, empty when it is right."""
        row, faults = ROWS[self.row], self.record.faults
        if self.record.ending == HOST_FAULT:
            return "" if self.column == "ten burners" else f"void: {self.record.host.problem}"
        first = 0 if self.column == "both the same" else 1
        right = [] if row.is_fair else [(first, row.right, row.stage)]
        found = [(fault.seat, fault.kind, fault.stage) for fault in faults]
        reasons = ", ".join(fault.reason for fault in faults)
        return "" if found == right else f"{found} instead of {right}: {reasons}"


class Runner:
    """A process that plays matches one after another on one core, all under the same trouble."""

    def __init__(self, column: str, *, before_others: bool = False) -> None:
        trouble = {
            "burners": BURNERS if column == "ten burners" else 0,
            "hogs": 1 if column == "memory pressure" else 0,
            "before_others": before_others,
        }
        words = [sys.executable, "-m", "tests.arena.blame_runner", orjson.dumps(trouble).decode()]
        self._process = subprocess.Popen(
            words,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=die_with_parent,  # or it would stay frozen for ever
        )

    def play(self, wanted: dict[str, Any], *, freeze_s: float = 0.0, after_s: float = 0.0) -> MatchRecord:
        """One match; where freeze_s says so, the whole process is frozen after_s after the first progress it tells."""
        assert self._process.stdin is not None and self._process.stdout is not None  # noqa: PT018
        self._process.stdin.write(orjson.dumps(wanted) + b"\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if not line.startswith(b"asked"):
                return MatchRecord.from_json(orjson.loads(line))
            if freeze_s:
                time.sleep(after_s)
                self._freeze(freeze_s)
                freeze_s = 0.0
        raise RuntimeError(f"the runner left with code {self._process.wait()}")

    def _freeze(self, seconds: float) -> None:
        self._process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self._process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def play_cell(
    tmp_path: Path, row: str, column: str, *, limits: Limits, freeze_s: float, after_s: float = 0.3, runner: Runner
) -> Cell:
    """One match of this cell; a frozen runner is frozen after_s into the game, where it was over by then sooner."""
    bad = make_bot(tmp_path, ROWS[row].bot)
    first = bad if column == "both the same" else make_bot(tmp_path, "good")
    wanted = {"limits": limits.as_json(), "bots": [str(first.folder), str(bad.folder)]}
    if column != "frozen runner":
        return Cell(row, column, runner.play(wanted))
    for delay_s in (after_s * (ROWS[row].bot != "good"), after_s / 4, *[0.0] * TRIES):
        record = runner.play(wanted, freeze_s=freeze_s, after_s=delay_s)
        if record.host.wall_ms > 1000 * freeze_s:
            return Cell(row, column, record)
    raise RuntimeError(f"{TRIES} matches of {row} were over before they could be frozen")
