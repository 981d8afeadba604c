"""Things of which each match has its own: a core, and for each of its bots a user id."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache

from arena.sandbox.errors import SandboxError
from arena.sandbox.places import own_folder

_WIDE_BASE, _NARROW_BASE, _USERS = 1_900_000_000, 40_000, 4_096


@contextmanager
def lease(kind: str, numbers: Iterable[int]) -> Iterator[int | None]:
    """The first number nobody else holds, held until the block is left; None when all are taken."""
    folder = own_folder()
    for number in numbers:
        held = os.open(folder / f"{kind}-{number}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(held)
            continue
        try:
            yield number
        finally:
            os.close(held)
        return
    yield None


@contextmanager
def lease_user() -> Iterator[int]:
    """A user id that no other running bot has; only root can give one."""
    with lease("user", user_range()) as user:
        if user is None:
            raise SandboxError(f"all {_USERS} user ids for bots are in use", retryable=True)
        yield user


@cache
def user_range() -> range:
    """High ids that belong to nobody, inside what this user namespace knows."""
    with open("/proc/self/uid_map") as table:
        top = max(int(line.split()[0]) + int(line.split()[2]) for line in table)
    base = _WIDE_BASE if top > _WIDE_BASE + _USERS else _NARROW_BASE
    return range(base, base + _USERS)


@contextmanager
def lease_core(core: int | None = None) -> Iterator[int]:
    """Pin this process, and so the bots it starts, to one core; back to all of them afterwards.

    When every core has its match already, this one shares a core; clocks of cpu time stay fair.
    """
    before = os.sched_getaffinity(0)
    wanted = _nearest_first(before) if core is None else [core]
    with lease("core", wanted) as held:
        pinned = held if held is not None else wanted[os.getpid() % len(wanted)]
        os.sched_setaffinity(0, {pinned})
        try:
            yield pinned
        finally:
            os.sched_setaffinity(0, before)


def _nearest_first(cores: set[int]) -> list[int]:
    """The core the kernel has just chosen for us comes first: it knows which of them are busy."""
    with open("/proc/self/stat") as words:
        here = int(words.read().rpartition(")")[2].split()[36])
    return sorted(cores, key=lambda core: (core != here, core))
