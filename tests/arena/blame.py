"""The blame matrix: who plays whom under what trouble, and what the right verdict is.

Each match is played in a process of its own, so that its runner can be frozen like any other program.
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
from tests.arena.table import make_bot

ROOT = Path(__file__).parents[2]
BURNERS = 10
# A bank of 1 s, and the default limits of idle time.
SMALL = Limits(start_ms=2_000, turn_ms=50, bank_ms=1_000, wall_ms=120_000)


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
        return "" if found == right else f"{found} instead of {right}"


def play_cell(tmp_path: Path, row: str, column: str, *, limits: Limits, freeze_s: float, after_s: float = 0.3) -> Cell:
    """One match of this cell; a frozen runner is frozen after_s into the game."""
    bad = make_bot(tmp_path, ROWS[row].bot)
    first = bad if column == "both the same" else make_bot(tmp_path, "good")
    wanted = {
        "limits": limits.as_json(),
        "bots": [str(first.folder), str(bad.folder)],
        "burners": BURNERS if column == "ten burners" else 0,
        "hogs": 1 if column == "memory pressure" else 0,
    }
    return Cell(row, column, _played(wanted, freeze_s if column == "frozen runner" else 0.0, after_s))


def _played(wanted: dict[str, Any], freeze_s: float, after_s: float) -> MatchRecord:
    words = [sys.executable, "-m", "tests.arena.blame_runner", orjson.dumps(wanted).decode()]
    runner = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, start_new_session=True)
    assert runner.stdout is not None
    line = b""
    for line in runner.stdout:
        if freeze_s and line.startswith(b"asked"):
            time.sleep(after_s)
            _freeze(runner, freeze_s)
            freeze_s = 0.0
    assert runner.wait() == 0
    return MatchRecord.from_json(orjson.loads(line))


def _freeze(runner: subprocess.Popen[bytes], seconds: float) -> None:
    runner.send_signal(signal.SIGSTOP)
    time.sleep(seconds)
    runner.send_signal(signal.SIGCONT)
