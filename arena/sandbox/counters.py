"""Reads what the kernel counts: of a core, of a program, of a thread. No privileges are needed for any of it."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from typing import NamedTuple

from arena.sandbox.errors import SandboxError

_TICK_MS = 10.0  # the unit of these tables, whatever the kernel's own ticks are


class CoreTimes(NamedTuple):
    """Of one core since boot, in steps of 10 ms: idle (waiting for disks included), stolen, interrupts, and all."""

    idle_ms: float
    steal_ms: float
    irq_ms: float
    all_ms: float


NOTHING_COUNTED = CoreTimes(0.0, 0.0, 0.0, 0.0)


class CoreCounters:
    """The line of one core in /proc/stat; raises SandboxError where it is not to be had."""

    def __init__(self, core: int) -> None:
        self._name = f"\ncpu{core} ".encode()
        try:
            self._table = os.open("/proc/stat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise SandboxError(f"the kernel does not say what its cores do: {error}", retryable=False) from error

    def read(self) -> CoreTimes:
        table = os.pread(self._table, 1 << 16, 0)
        try:
            line = table[table.index(self._name) + 1 :]
            user, nice, system, idle, iowait, irq, softirq, steal = map(int, line.split(None, 9)[1:9])
        except ValueError as error:
            name = self._name.decode().strip()
            raise SandboxError(f"the kernel does not say what {name} does: {error}", retryable=False) from error
        busy = user + nice + system + irq + softirq + steal
        return CoreTimes(
            (idle + iowait) * _TICK_MS, steal * _TICK_MS, (irq + softirq) * _TICK_MS, (busy + idle + iowait) * _TICK_MS
        )

    def close(self) -> None:
        os.close(self._table)


def program_ms(pid: int) -> float:
    """Cpu time of a program, all its threads included, also those that are gone; raises OSError when it is gone."""
    return time.clock_gettime_ns((~pid << 3) | 2) / 1e6


def reaped_ms(pid: int) -> float:
    """Cpu time of all that a program started, saw the end of and reaped; nothing when it is gone."""
    with suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/stat", "rb") as table:
        user, system = table.read().rpartition(b") ")[2].split()[13:15]
        return (int(user) + int(system)) * _TICK_MS
    return 0.0


def memory_kills() -> int:
    """How often the kernel has ended a program for want of memory since boot."""
    with suppress(OSError, ValueError, IndexError), open("/proc/vmstat", "rb") as table:
        return int(table.read().split(b"\noom_kill ")[1].split(None, 1)[0])
    return 0


class OwnThread:
    """What the thread that made this object has used, and how long it stood ready without a core."""

    def __init__(self) -> None:
        path = f"/proc/self/task/{threading.get_native_id()}/schedstat"
        self._table: int | None = None
        with suppress(OSError):
            self._table = os.open(path, os.O_RDONLY | os.O_CLOEXEC)

    def ran_ms(self) -> float:
        return time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID) / 1e6

    def waited_ms(self) -> float:
        return 0.0 if self._table is None else int(os.pread(self._table, 100, 0).split()[1]) / 1e6

    def close(self) -> None:
        if self._table is not None:
            os.close(self._table)
