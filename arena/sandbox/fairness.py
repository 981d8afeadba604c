"""Whether this machine can tell whose time it was: a known burner is held against what the kernel counts on its core.

Where the counts are virtual, or of another core than the one asked for, no verdict about time could be trusted.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from arena.sandbox.counters import CoreCounters
from arena.sandbox.errors import SandboxError, SandboxUnavailable, UnfairClock
from arena.sandbox.leases import lease_core

CURE = (
    "run workers where /proc/stat is the kernel's own (no lxcfs over it, no gVisor) and where a process may choose its "
    "core (sched_setaffinity), then run `python -m arena doctor`."
)
TRIES = 3
BURN_MS = 200.0
# Counts move in steps of 10 ms, and on a busy machine a reading comes late.
TOLERANCE_MS, TOLERANCE = 40.0, 0.2
CORE_WAIT_S = 5.0
_BURNER = f"""
import time
end = time.monotonic() + {3 * BURN_MS / 1000}
while time.process_time() < {BURN_MS / 1000} and time.monotonic() < end: pass
"""


class CoreSample(NamedTuple):
    """What passed while a burner ran on one core: by the clock, by the kernel's counts, and by the burner's own."""

    core: int
    wall_ms: float
    counted_ms: float
    busy_ms: float
    burnt_ms: float

    @property
    def problem(self) -> str:
        """Why such counts can't tell foreign time; empty when they can."""
        if abs(self.counted_ms - self.wall_ms) > TOLERANCE_MS + TOLERANCE * self.wall_ms:
            return (
                f"in {self.wall_ms:.0f} ms the kernel counted {self.counted_ms:.0f} ms of core {self.core}: "
                "what others use of it can't be told."
            )
        if self.busy_ms < (1 - TOLERANCE) * self.burnt_ms - TOLERANCE_MS:
            return (
                f"a program used {self.burnt_ms:.0f} ms of core {self.core}, and the kernel counted {self.busy_ms:.0f}."
            )
        return ""


def require_fairness(measure: Callable[[], CoreSample] | None = None) -> None:
    """Measure until the counts are right once; raises UnfairClock with cause and cure when they never are.

    While every core plays a match there is nothing to measure on, and what was found before stands.
    """
    problem = ""
    for _ in range(TRIES):
        try:
            problem = (measure or measure_core)().problem
        except SandboxUnavailable:
            return
        except (SandboxError, OSError) as error:
            problem = f"{error}."
        if not problem:
            return
    raise UnfairClock(problem, CURE)


def measure_core() -> CoreSample:
    """Let a burner run on a core that no match has; raises SandboxUnavailable when none comes free."""
    until = time.monotonic() + CORE_WAIT_S

    def give_up() -> None:
        if time.monotonic() > until:
            raise SandboxUnavailable("no core came free to measure on.", "try again when fewer matches are played.")

    with lease_core(on_wait=give_up) as core:
        counters = CoreCounters(core)
        try:
            return _measured(core, counters)
        finally:
            counters.close()


def _measured(core: int, counters: CoreCounters) -> CoreSample:
    began, before = time.monotonic(), counters.read()
    burner = subprocess.Popen([sys.executable, "-I", "-S", "-c", _BURNER], env={})
    _, _, used = os.wait4(burner.pid, 0)
    burner.returncode = 0
    wall_ms, after = (time.monotonic() - began) * 1000, counters.read()
    return CoreSample(
        core=core,
        wall_ms=wall_ms,
        counted_ms=after.all_ms - before.all_ms,
        busy_ms=(after.all_ms - after.idle_ms - after.steal_ms) - (before.all_ms - before.idle_ms - before.steal_ms),
        burnt_ms=(used.ru_utime + used.ru_stime) * 1000,
    )
