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
from arena.sandbox.counters import program_ms, reaped_ms
from arena.sandbox.errors import SandboxError
from arena.sandbox.nursery import SET_UP
from arena.sandbox.room import Room
from arena.sandbox.warm import Forked

_START_WALL_S = 10.0
_DEATH_WALL_S = 30.0
# Stopped by a signal, by a tracer, dead and dead: what a thread can be that uses no cpu until it is let go on.
_AT_REST = b"TtZX"
# The kernel's mark (PF_EXITING) on a thread that runs no code of its own any more.
_LEAVING = 0x4


@dataclass(slots=True)
class BotProcess:
    """The inner process (pid 1 of its own world) and the launcher that holds it; status is bwrap's report."""

    outer: subprocess.Popen[bytes] | Forked
    pid: int
    pidfd: int
    stdin: int
    stdout: int
    stderr: int
    status: int | None = None
    status_text: bytes = b""
    peak_memory_kib: int = 0
    exit_code: int | None = None
    files_left: int = 0
    forking_ms: float = 0.0
    _cpu_ms: float = 0.0
    _room: Room | None = None
    _is_bounded: bool = False
    _freezer: Freezer | None = None
    _is_frozen: bool = False
    _has_network: bool | None = None
    _ended: bool = False

    def cpu_ms(self) -> float:
        """Cpu time so far, threads included; the last known value once it is dead."""
        try:
            if self.exit_code is None:  # its number may be another program's by now
                self._cpu_ms = program_ms(self.pid)
        except OSError:
            pass
        return self._cpu_ms

    @property
    def launcher(self) -> int:
        return self.outer.pid

    @property
    def is_warm(self) -> bool:
        """Whether it was forked from a warm parent."""
        return isinstance(self.outer, Forked)

    def launcher_ms(self) -> float:
        """Cpu time of what started it; raises OSError when that is gone."""
        return self.forking_ms if self.outer.pid == self.pid else program_ms(self.outer.pid)

    def threads(self) -> dict[str, ThreadTimes]:
        """What the kernel knows of each thread that lives now; on our own core, one that could run is waiting."""
        found = {}
        for task, state, _ in self._states():
            with suppress(OSError, ValueError, IndexError):
                ran, waited, _ = _read(f"{task}/schedstat").split()
                found[task] = ThreadTimes(int(ran) / 1e6, int(waited) / 1e6, state == b"R")
        return found

    def is_stopped(self) -> bool:
        """Whether every one of its threads is.

        A thread that freezes before its stop lands never shows the stop: frozen, it sleeps with the signal waiting.
        """
        if self._is_frozen and self._freezer is not None and self._freezer.is_frozen():
            return True
        return all(state in _AT_REST for _, state, _ in self._states())

    def is_leaving(self) -> bool:
        """Whether all of it is on its way out or gone: how it ends is decided, and the rest is the kernel's work."""
        return all(marks & _LEAVING for _, _, marks in self._states())

    def is_set_up(self) -> bool:
        """Whether its own program may have begun: the filter, the last of its layers, is in the kernel's count."""
        return filters(self.pid) != filters(os.getpid())

    def _states(self) -> Iterator[tuple[str, bytes, int]]:
        """The folder of each thread in the kernel's table, the letter of what it does, and the kernel's marks on it."""
        with suppress(OSError):
            for task in os.listdir(f"/proc/{self.pid}/task"):
                folder = f"/proc/{self.pid}/task/{task}"
                with suppress(OSError):
                    words = _read(f"{folder}/stat").rpartition(b") ")[2].split(None, 7)
                    yield folder, words[0], int(words[6])

    def files_made(self) -> int:
        """How many files stand in its /tmp; from the first question on the mount bounds them."""
        if self._room is None and self.status is not None:
            with suppress(OSError):
                self._room = Room(self.pid)
        return 0 if self._room is None else self._room.files()

    def sockets_held(self) -> int:
        """How many sockets stand in its own network, also those without a number for which a thread still waits."""
        if self._has_network is None:
            self._has_network = self.status is not None and _network(str(self.pid)) not in (None, _network("self"))
        if self._has_network:
            for folder in self._threads_to_ask():
                with suppress(OSError, ValueError, IndexError):
                    return int(_read(f"{folder}/net/sockstat").split(None, 3)[2])
        return 0

    def bound_files(self, most: int) -> None:
        """Let the mount refuse more files than that; once, and where there are more already they are counted anyway."""
        if self.files_made() and not self._is_bounded and self._room is not None:
            self._is_bounded = True
            with suppress(OSError):
                self._room.bound(most)

    def pause(self) -> None:
        self._signal(signal.SIGSTOP)

    def freeze(self) -> None:
        """Where a freezer can be had, a longer stop uses it: no thread of a frozen group runs, whatever it does."""
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
        if self._room is not None:
            self.files_left = self._room.files()
            self._room.close()
        for descriptor in (self.stdin, self.stdout, self.stderr, self.pidfd, self.status):
            if descriptor is not None:
                os.close(descriptor)
        if not died:
            raise SandboxError(f"process {self.pid} did not die in {_DEATH_WALL_S:.0f} s", retryable=False)

    def read_peak(self) -> None:
        """Note the most memory it had so far, page tables included, while a thread of it is alive to be asked."""
        # What the kernel reports to wait() would count the runner's own memory, which every fork begins with.
        for folder in self._threads_to_ask():
            with suppress(OSError, ValueError, IndexError):
                table = _read(f"{folder}/status")
                held, tables = (_number(table, name) for name in (b"VmHWM", b"VmPTE"))
                self.peak_memory_kib = max(self.peak_memory_kib, held + tables)
                return

    def _threads_to_ask(self) -> Iterator[str]:
        """The first thread, and where that is gone and knows nothing any more, the others."""
        yield f"/proc/{self.pid}"
        yield from (folder for folder, _, _ in self._states())

    def _reap_outer(self) -> None:
        """bwrap leaves by itself when its child is dead, and hands on how it died; a warm bot has none around it."""
        if not self.is_warm:
            self._see_launcher_off()
        self._drain_status()
        self.outer.wait()
        self.exit_code = self.outer.returncode

    def _see_launcher_off(self) -> None:
        with suppress(ProcessLookupError):
            descriptor = os.pidfd_open(self.outer.pid)
            if not _poll(descriptor, 1.0):
                self.outer.kill()
            os.close(descriptor)
        self._cpu_ms = max(self._cpu_ms, reaped_ms(self.outer.pid))  # of a bot that bwrap reaped before we looked

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
        """Whether the wall stood and the bot's own program began; what bwrap and a warm start report only then."""
        return self.status is None or any(word in self.status_text for word in (b'"exit-code"', SET_UP))


def filters(pid: int) -> int | None:
    """How many filters a process has, which it can't undo; None when it is gone or the kernel does not say."""
    with suppress(OSError, ValueError, IndexError):
        return _number(_read(f"/proc/{pid}/status"), b"Seccomp_filters")
    return None


def _network(process: str) -> int | None:
    """Which network a process is in; None when it is gone."""
    with suppress(OSError):
        return os.stat(f"/proc/{process}/ns/net").st_ino
    return None


def _number(table: bytes, name: bytes) -> int:
    """What the kernel says under a name, at the beginning of a line: what a bot calls itself stands in no other."""
    return int(table.split(b"\n" + name + b":")[1].split(None, 1)[0])


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
