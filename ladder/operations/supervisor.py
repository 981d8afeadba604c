"""Starts the parts of the service one after another, keeps them up, and stops them in the opposite order of need."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ladder.operations.logs import Rotation

PR_SET_PDEATHSIG = 1
RESTARTS_A_MINUTE = 5
_libc = ctypes.CDLL(None, use_errno=True)


class PartFailed(Exception):
    """A part did not get ready or keeps dying; the message says what its log says."""


@dataclass(slots=True)
class Part:
    """One process of the service."""

    name: str
    command: Sequence[str]
    is_ready: Callable[[], bool]
    ready_s: float = 60.0
    stop_s: float = 10.0
    death_signal: int = signal.SIGTERM  # what it gets when the supervisor is killed
    process: subprocess.Popen[bytes] | None = None
    starts: deque[float] = field(default_factory=lambda: deque(maxlen=RESTARTS_A_MINUTE))


class Supervisor:
    """Runs parts until told to stop."""

    def __init__(self, logs: Path, say: Callable[[str], None], *, rotation: Rotation) -> None:
        self.logs = logs
        self.say = say
        self.rotation = rotation
        self.complaints: set[str] = set()
        self.parts: list[Part] = []
        self.stopping = False
        logs.mkdir(parents=True, exist_ok=True)

    def start(self, part: Part) -> None:
        """Start a part and wait until it is ready; raises PartFailed."""
        self.parts.append(part)
        self._launch(part)
        deadline = time.monotonic() + part.ready_s
        while not part.is_ready():
            if self.stopping:
                return
            if part.process is not None and part.process.poll() is not None:
                raise PartFailed(
                    f"{part.name} stopped with exit code {part.process.returncode}. {self._log_tail(part)}"
                )
            if time.monotonic() > deadline:
                raise PartFailed(f"{part.name} was not ready after {part.ready_s:.0f} s. {self._log_tail(part)}")
            time.sleep(0.1)

    def watch(self, beside: subprocess.Popen[bytes] | None = None) -> None:
        """Start again what dies and keep logs small, until stopped; raises PartFailed for a part that keeps dying."""
        while not self.stopping:
            if beside is not None:
                beside.poll()  # a child that has ended and that nobody asks stays among the processes
            for part in self.parts:
                self._tidy_log(part)
                if part.process is not None and part.process.poll() is not None and not self.stopping:
                    self._restart(part)
            time.sleep(0.5)

    def stop(self, order: Sequence[str]) -> None:
        """Stop the parts by name in this order, each within its time; the rest after them."""
        self.stopping = True
        by_name = {part.name: part for part in self.parts}
        last_first = [part.name for part in reversed(self.parts) if part.name not in order]
        for name in [*last_first, *order]:
            if name in by_name:
                self._stop(by_name[name])

    def _launch(self, part: Part) -> None:
        part.starts.append(time.monotonic())
        self._tidy_log(part)
        with self._log_path(part).open("ab") as log:
            part.process = subprocess.Popen(
                part.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is for the supervisor, which stops the parts in order
                preexec_fn=_die_with_parent(part.death_signal, os.getpid()),
            )

    def _restart(self, part: Part) -> None:
        assert part.process is not None
        if len(part.starts) == RESTARTS_A_MINUTE and time.monotonic() - part.starts[0] < 60:
            raise PartFailed(f"{part.name} died {RESTARTS_A_MINUTE} times in a minute. {self._log_tail(part)}")
        self.say(f"{part.name} stopped with exit code {part.process.returncode}; starting it again")
        self._launch(part)

    def _stop(self, part: Part) -> None:
        if part.process is None or part.process.poll() is not None:
            return
        self.say(f"stopping {part.name}")
        part.process.terminate()
        try:
            part.process.wait(part.stop_s)
        except subprocess.TimeoutExpired:
            self.say(f"{part.name} did not stop in {part.stop_s:.0f} s; killing it")
            os.killpg(part.process.pid, signal.SIGKILL)
            part.process.wait()

    def _tidy_log(self, part: Part) -> None:
        complaint = self.rotation.apply(self._log_path(part))
        if complaint and complaint not in self.complaints:
            self.complaints.add(complaint)
            self.say(complaint)

    def _log_path(self, part: Part) -> Path:
        return self.logs / f"{part.name}.log"

    def _log_tail(self, part: Part) -> str:
        path = self._log_path(part)
        lines = path.read_text(errors="replace").splitlines()[-5:] if path.exists() else []
        return f"The end of {path}:\n  " + "\n  ".join(lines or ["(empty)"])


def _die_with_parent(death_signal: int, parent: int) -> Callable[[], None]:
    def set_up() -> None:
        _libc.prctl(PR_SET_PDEATHSIG, death_signal)
        if os.getppid() != parent:  # it died before we asked
            os.kill(os.getpid(), signal.SIGKILL)

    return set_up
