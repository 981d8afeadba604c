"""A running bot as the runner holds it: three pipes, a clock, and a sure way to end it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from arena.sandbox.errors import SandboxError

_START_WALL_S = 10.0
_DEATH_WALL_S = 30.0


class ThreadTimes(NamedTuple):
    """How long one thread ran, and how long it stood ready without a core."""

    ran_ms: float = 0.0
    waited_ms: float = 0.0


@dataclass(slots=True)
class BotProcess:
    """The inner process (pid 1 of its own world) and the launcher that holds it; status is bwrap's report."""

    outer: subprocess.Popen[bytes]
    pid: int
    pidfd: int
    stdin: int
    stdout: int
    stderr: int
    status: int | None = None
    status_text: bytes = b""
    peak_memory_kib: int = 0
    exit_code: int | None = None
    _cpu_ms: float = 0.0
    _tmp: int | None = None
    _ended: bool = False

    def cpu_ms(self) -> float:
        """Cpu time so far, threads included; the last known value once it is dead."""
        try:  # noqa: SIM105 on the path of every ply
            self._cpu_ms = time.clock_gettime_ns((~self.pid << 3) | 2) / 1e6
        except OSError:
            pass
        return self._cpu_ms

    def threads(self) -> dict[str, ThreadTimes]:
        """What the kernel knows of each thread that lives now."""
        found = {}
        with suppress(OSError, ValueError, IndexError):
            for task in os.listdir(f"/proc/{self.pid}/task"):
                with open(f"/proc/{self.pid}/task/{task}/schedstat", "rb") as stream:
                    ran, waited, _ = stream.read().split()
                found[task] = ThreadTimes(int(ran) / 1e6, int(waited) / 1e6)
        return found

    def files_made(self) -> int:
        """How many files stand in its /tmp; they cost the host memory that no limit of the bot's counts."""
        if self._tmp is None and self.status is not None:
            self._open_tmp()
        if self._tmp is None:
            return 0
        found = os.fstatvfs(self._tmp)
        return found.f_files - found.f_ffree

    def _open_tmp(self) -> None:
        """Hold on to the bot's own /tmp, once bwrap has put it in place; before that it is still the host's."""
        with suppress(OSError):
            descriptor = os.open(f"/proc/{self.pid}/root/tmp", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
            if os.fstat(descriptor).st_dev == os.stat("/tmp").st_dev:  # noqa: S108
                os.close(descriptor)
            else:
                self._tmp = descriptor

    def pause(self) -> None:
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        try:  # noqa: SIM105 on the path of every ply
            signal.pidfd_send_signal(self.pidfd, number)
        except ProcessLookupError:
            pass

    def is_dead(self) -> bool:
        return self._ended or bool(_poll(self.pidfd, 0))

    def end(self) -> None:
        """Kill it with everything it started, and come back only when all of it is gone."""
        if self._ended:
            return
        self._ended = True
        self.read_peak()
        self.cpu_ms()
        self._signal(signal.SIGKILL)
        # As pid 1 it is only gone when its whole namespace is; bwrap itself may come back earlier.
        died = _poll(self.pidfd, _DEATH_WALL_S)
        self._reap_outer()
        for descriptor in (self.stdin, self.stdout, self.stderr, self.pidfd, self.status, self._tmp):
            if descriptor is not None:
                os.close(descriptor)
        if not died:
            raise SandboxError(f"process {self.pid} did not die in {_DEATH_WALL_S:.0f} s", retryable=False)

    def read_peak(self) -> None:
        """Note the most memory it had so far, while it is alive to be asked."""
        with suppress(OSError, ValueError, IndexError), open(f"/proc/{self.pid}/status", "rb") as stream:
            # What the kernel reports to wait() would count the runner's own memory, which every fork begins with.
            self.peak_memory_kib = int(stream.read().split(b"VmHWM:")[1].split()[0])

    def _reap_outer(self) -> None:
        """bwrap leaves by itself when its child is dead, and hands on how it died."""
        descriptor = None
        with suppress(ProcessLookupError):
            descriptor = os.pidfd_open(self.outer.pid)
        if descriptor is not None:
            if not _poll(descriptor, 1.0):
                self.outer.kill()
            os.close(descriptor)
        self._drain_status()
        self.outer.wait()
        self.exit_code = self.outer.returncode

    def _drain_status(self) -> None:
        if self.status is None:
            return
        while _poll(self.status, 0.2):
            piece = os.read(self.status, 4096)
            if not piece:
                break
            self.status_text += piece

    @property
    def was_set_up(self) -> bool:
        """Whether the wall stood and the bot's own program began; bwrap reports an exit code only then."""
        return self.status is None or b'"exit-code"' in self.status_text


def _poll(descriptor: int, seconds: float) -> bool:
    poller = select.poll()
    poller.register(descriptor, select.POLLIN)
    return bool(poller.poll(int(seconds * 1000)))


def read_child_pid(status: int) -> tuple[int | None, bytes]:
    """The pid in bwrap's status report, which arrives in pieces; None when bwrap gave up before it had a child."""
    text = b""
    until = time.monotonic() + _START_WALL_S
    while b"\n" not in text and (left := until - time.monotonic()) > 0:
        if not _poll(status, left):
            break
        piece = os.read(status, 4096)
        if not piece:
            return None, text
        text += piece
    for line in text.splitlines():
        with suppress(orjson.JSONDecodeError):
            facts: Any = orjson.loads(line)
            if isinstance(facts, dict) and type(facts.get("child-pid")) is int:
                return int(facts["child-pid"]), text
    return None, text
