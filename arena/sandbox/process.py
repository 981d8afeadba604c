"""A running bot as the runner holds it: three pipes, a clock, and a sure way to end it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson

from arena.accounting import ThreadTimes
from arena.sandbox.cgroups import Freezer, freezer_for
from arena.sandbox.counters import program_ms
from arena.sandbox.errors import SandboxError

_START_WALL_S = 10.0
_DEATH_WALL_S = 30.0
# Stopped by a signal, by a tracer, dead and dead: what a thread can be that uses no cpu until it is let go on.
_AT_REST = b"TtZX"


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
    _freezer: Freezer | None = None
    _is_frozen: bool = False
    _ended: bool = False

    def cpu_ms(self) -> float:
        """Cpu time so far, threads included; the last known value once it is dead."""
        try:  # noqa: SIM105 on the path of every ply
            self._cpu_ms = program_ms(self.pid)
        except OSError:
            pass
        return self._cpu_ms

    @property
    def launcher(self) -> int:
        return self.outer.pid

    def threads(self) -> dict[str, ThreadTimes]:
        """What the kernel knows of each thread that lives now; on our own core, one that could run is waiting."""
        found = {}
        for task, state in self._states():
            with suppress(OSError, ValueError, IndexError):
                ran, waited, _ = _read(f"{task}/schedstat").split()
                found[task] = ThreadTimes(int(ran) / 1e6, int(waited) / 1e6, state == b"R")
        return found

    def is_stopped(self) -> bool:
        """Whether every one of its threads is."""
        return all(state in _AT_REST for _, state in self._states())

    def _states(self) -> Iterator[tuple[str, bytes]]:
        """The folder of each thread in the kernel's table, and the letter of what it does."""
        with suppress(OSError):
            for task in os.listdir(f"/proc/{self.pid}/task"):
                folder = f"/proc/{self.pid}/task/{task}"
                with suppress(OSError):
                    yield folder, _read(f"{folder}/stat").rpartition(b") ")[2][:1]

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

    def freeze(self) -> None:
        """Where that can be had, a longer stop is made sure: no thread of a frozen group runs, whatever it does."""
        if self._freezer is None and not self._is_frozen:
            self._freezer = freezer_for(self.pid)
        self._is_frozen = True
        if self._freezer is not None:
            self._freezer.freeze()

    def resume(self) -> None:
        if self._is_frozen:
            self._is_frozen = False
            if self._freezer is not None:
                self._freezer.thaw()
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
        if self._freezer is not None:
            self._freezer.close()
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


def _read(path: str) -> bytes:
    """A small file of the kernel's; open() would take longer to make its object than the kernel to answer."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, 4096)
    finally:
        os.close(descriptor)


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
