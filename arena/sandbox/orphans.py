"""Ends launchers whose runner was killed in the moment of a start.

bubblewrap tells its child to die with it only after it has told it to go on. If the runner, and with it bubblewrap,
is killed between the two, the child waits for that word for ever: no bot runs in it, but it stays. Whoever comes next
clears it away.
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
    """End every such process of ours, and say which they were."""
    orphans = [int(name) for name in os.listdir("/proc") if name.isdigit() and _is_orphan(Path("/proc") / name)]
    for pid in orphans:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    return orphans


def _is_orphan(process: Path) -> bool:
    """A bubblewrap that is the first process of a namespace, started by us, and whose parent is no bubblewrap."""
    try:
        status = _status(process)
        if status["Name"] != "bwrap" or len(status["NSpid"].split()) < 2 or not _is_ours(process):
            return False
        return _status(Path("/proc") / status["PPid"])["Name"] != "bwrap"
    except (OSError, KeyError):
        return False


def _status(process: Path) -> dict[str, str]:
    lines = (process / "status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _is_ours(process: Path) -> bool:
    owner = process.stat().st_uid
    is_mine = owner in user_range() if is_root() else owner == os.geteuid()
    return is_mine and _MARK in (process / "cmdline").read_bytes()
