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
    """memory gives the prlimits that bound it, in MiB; threads is how many it may have, itself included."""

    command: Callable[[Start], list[str]]
    memory: Callable[[int], dict[str, int]]
    threads: int
    environment: tuple[tuple[str, str], ...] = ()


def python_command(python: str) -> list[str]:
    """What a bot's entry follows; not -I, which would not see the seed of the hashes in its environment."""
    return [f"/usr/bin/{python}", "-s", "-P", "-S", "/opt/rumrunner/boot.py"]


def _python(start: Start) -> list[str]:
    return [*python_command(start.python), f"/bot/{start.entry}"]


def _node(start: Start) -> list[str]:
    # The heap is kept below the limit, so that an author reads node's own words about it.
    heap = f"--max-old-space-size={start.memory_mib * 3 // 4}"
    return ["/usr/bin/node", heap, "--v8-pool-size=1", "--single-threaded-gc", f"/bot/{start.entry}"]


def _native(start: Start) -> list[str]:
    return [f"/bot/{start.entry}"]


def _addresses(memory_mib: int) -> dict[str, int]:
    return {"as": memory_mib}


def _data(memory_mib: int) -> dict[str, int]:
    """For node, which reserves far more addresses than it uses and dies under a tight RLIMIT_AS.

    RLIMIT_DATA counts what is private and writable; the filter refuses the one kind of memory it misses, shared and
    anonymous; and a wide RLIMIT_AS bounds the page tables of what is only ever read.
    """
    return {"data": memory_mib, "as": 32 * 1024}


# Hashes can't change after a fork, so no bot has other ones.
_PYTHON_ENVIRONMENT = (("OPENBLAS_NUM_THREADS", "1"), ("OMP_NUM_THREADS", "1"), ("PYTHONHASHSEED", "0"))
RUNTIME_KINDS = {
    "python": RuntimeKind(_python, _addresses, 16, _PYTHON_ENVIRONMENT),
    "node": RuntimeKind(_node, _data, 24, (("UV_THREADPOOL_SIZE", "1"),)),
    "native": RuntimeKind(_native, _addresses, 16),
}
