"""Ends what a killed runner left behind.

bubblewrap tells its child to die with it only after it has told it to go on. If the runner, and with it bubblewrap,
is killed between the two, the child waits for that word for ever: no bot runs in it, but it stays. If the runner is
killed before bubblewrap has asked to die with it, bubblewrap itself stays. And where there are no user namespaces,
bots of root do not die with it at all. Whoever comes next clears all of them away. Bots of a warm parent are not among
them: they are the runner's own children, ask to die with it before they begin, and have users of their own range.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

from arena.sandbox.leases import user_range
from arena.sandbox.places import is_root

_MARK = b"/opt/rumrunner/code"


def clear_orphans() -> list[int]:
    """End every such process of ours, and say which they were; a bot dies with its launcher."""
    orphans = [int(name) for name in os.listdir("/proc") if name.isdigit() and _is_orphan(Path("/proc") / name)]
    for pid in orphans:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    return orphans


def _is_orphan(process: Path) -> bool:
    """A bot or bubblewrap of ours without its parent: for the first of a namespace a bubblewrap, else us."""
    try:
        status = _status(process)
        if not (_is_bot_of_root(process, status) or (status["Name"] == "bwrap" and _is_ours(process))):
            return False
        parent = _status(Path("/proc") / status["PPid"])["Name"]
    except (OSError, KeyError):
        return False
    if len(status["NSpid"].split()) > 1:
        return parent != "bwrap"
    # Orphans go to process 1; where that is a Python, it may well be the runner itself.
    return status["PPid"] == "1" and not parent.startswith("python")


def _is_bot_of_root(process: Path, status: dict[str, str]) -> bool:
    """The first process of a namespace under one of the user ids that only bots have."""
    names = status["NSpid"].split()
    return is_root() and len(names) > 1 and names[-1] == "1" and process.stat().st_uid in user_range()


def _status(process: Path) -> dict[str, str]:
    # A process may call itself anything but a new line, which the kernel escapes.
    lines = (process / "status").read_bytes().decode("utf-8", "replace").split("\n")
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _is_ours(process: Path) -> bool:
    owner = process.stat().st_uid
    is_mine = owner in user_range() if is_root() else owner == os.geteuid()
    return is_mine and _MARK in (process / "cmdline").read_bytes()
