"""How a bot of each runtime is started and how its memory is bounded: the one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Start:
    """What the command of a bot is made from."""

    entry: str
    python: str
    memory_mib: int


@dataclass(frozen=True, slots=True)
class RuntimeKind:
    """memory_limit is the prlimit that bounds it; threads is how many it may have, itself included."""

    command: Callable[[Start], list[str]]
    memory_limit: str
    threads: int
    environment: tuple[tuple[str, str], ...] = ()


def _python(start: Start) -> list[str]:
    return [f"/usr/bin/{start.python}", "-I", "-S", "/opt/rumrunner/boot.py", f"/bot/{start.entry}"]


def _node(start: Start) -> list[str]:
    # The heap is kept below the limit, so that an author reads node's own words about it.
    heap = f"--max-old-space-size={start.memory_mib * 3 // 4}"
    return ["/usr/bin/node", heap, "--v8-pool-size=1", "--single-threaded-gc", f"/bot/{start.entry}"]


def _native(start: Start) -> list[str]:
    return [f"/bot/{start.entry}"]


RUNTIME_KINDS = {
    "python": RuntimeKind(_python, "as", 16, (("OPENBLAS_NUM_THREADS", "1"), ("OMP_NUM_THREADS", "1"))),
    # node reserves far more addresses than it uses and dies under RLIMIT_AS. RLIMIT_DATA counts what is private and
    # writable, and the filter refuses the one kind of memory it misses: shared and anonymous.
    "node": RuntimeKind(_node, "data", 24, (("UV_THREADPOOL_SIZE", "1"),)),
    "native": RuntimeKind(_native, "as", 16),
}
