"""Things of which each match has its own: a core, and for each of its bots a user id."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from arena.sandbox.errors import SandboxError, SandboxUnavailable
from arena.sandbox.places import own_folder

CORES = Path("/sys/devices/system/cpu")
CORE_WAIT_S = 600.0
_HELD: dict[int, int] = {}  # cores that a process has leased, by the process: a fork knows that it is another
_WIDE_BASE, _NARROW_BASE, USERS = 1_900_000_000, 40_000, 4_096


@contextmanager
def lease(kind: str, numbers: Iterable[int]) -> Iterator[int | None]:
    """The first number nobody else holds, held until the block is left; None when all are taken."""
    folder = own_folder()
    for number in numbers:
        held = _locked(f"{folder}/{kind}-{number}.lock")
        if held is not None:
            try:
                yield number
            finally:
                os.close(held)
            return
    yield None


def _locked(path: str, how: int = os.O_RDWR | os.O_CREAT) -> int | None:
    """The file, made where it is missing and locked; None when another holds it."""
    held = os.open(path, how | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        return None
    return held


@contextmanager
def lease_user() -> Iterator[int]:
    """A user id that no other running bot has; only root can give one."""
    with lease("user", user_range()) as user:
        if user is None:
            raise SandboxError(f"all {USERS} user ids for bots are in use", retryable=True)
        yield user


@cache
def user_range() -> range:
    """High ids that belong to nobody, inside what this user namespace knows, as the same number after them is."""
    with open("/proc/self/uid_map") as table:
        top = max(int(line.split()[0]) + int(line.split()[2]) for line in table)
    base = _WIDE_BASE if top > _WIDE_BASE + 2 * USERS else _NARROW_BASE
    return range(base, base + USERS)


@contextmanager
def lease_core(core: int | None = None, *, on_wait: Callable[[], None] = lambda: None) -> Iterator[int]:
    """A core that no other match has, with this thread and so the bots it starts pinned to it; back again afterwards.

    Where every core has its match already it waits for one, calling on_wait once a second; raises SandboxUnavailable
    when none comes free. A process that holds a core can lease it again.
    """
    before = os.sched_getaffinity(0)
    with _own_core([core] if core is not None else _nearest_first(before), on_wait) as pinned:
        os.sched_setaffinity(0, {pinned})
        try:
            yield pinned
        finally:
            os.sched_setaffinity(0, before)


@contextmanager
def _own_core(cores: list[int], on_wait: Callable[[], None]) -> Iterator[int]:
    mine = next((core for core in cores if _HELD.get(core) == os.getpid()), None)
    if mine is not None:
        yield mine
        return
    word = time.monotonic()
    until = word + CORE_WAIT_S
    while (found := _first_free(cores)) is None:
        if time.monotonic() > until:
            raise SandboxUnavailable(
                f"no core came free in {CORE_WAIT_S:.0f} s: each of {', '.join(map(str, cores))} plays a match.",
                "play no more matches at once than the machine has cores.",
            )
        if time.monotonic() >= word:
            word += 1.0
            on_wait()
        time.sleep(0.02)
    core, held = found
    _HELD[core] = os.getpid()
    try:
        yield core
    finally:
        del _HELD[core]
        os.close(held)


def _first_free(cores: list[int]) -> tuple[int, int] | None:
    for core in cores:
        held = _locked(*_core_file(core))
        if held is not None:
            return core, held
    return None


@cache
def _core_file(core: int) -> tuple[str, int]:
    """The kernel's own folder about this core, where all who play on this machine meet, whatever user they are.

    And how to open it; where there is none, a file of ours.
    """
    folder = CORES / f"cpu{core}"
    return (
        (str(folder), os.O_DIRECTORY)
        if folder.is_dir()
        else (f"{own_folder()}/core-{core}.lock", os.O_RDWR | os.O_CREAT)
    )


def _nearest_first(cores: set[int]) -> list[int]:
    """The core the kernel has just chosen for us comes first: it knows which of them are busy."""
    with open("/proc/self/stat") as words:
        here = int(words.read().rpartition(")")[2].split()[36])
    return sorted(cores, key=lambda core: (core != here, core))
