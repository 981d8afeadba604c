"""Control groups, where this machine lets us have them: tried by doing, never assumed."""

from __future__ import annotations

import os
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_MOUNTS = Path("/proc/self/mountinfo")
_OWN = Path("/proc/self/cgroup")


@dataclass(frozen=True, slots=True)
class GroupKind:
    """Where our own group is, and how its files are called in this version."""

    folder: Path
    version: int

    @property
    def limit_file(self) -> str:
        return "memory.max" if self.version == 2 else "memory.limit_in_bytes"


def find_group() -> GroupKind | None:
    """Our own memory group; version 2 where it controls memory, else version 1."""
    mounts = _cgroup_mounts()
    for line in _OWN.read_text().splitlines():
        number, controllers, path = line.split(":", 2)
        if number == "0" and 2 in mounts:
            folder = mounts[2] / path.lstrip("/")
            if "memory" in _words(folder / "cgroup.controllers"):
                return GroupKind(folder, 2)
        elif "memory" in controllers.split(",") and 1 in mounts:
            return GroupKind(mounts[1] / path.lstrip("/"), 1)
    return None


def _cgroup_mounts() -> dict[int, Path]:
    found = {}
    for line in _MOUNTS.read_text().splitlines():
        before, _, after = line.partition(" - ")
        kind, place = after.split()[0], Path(before.split()[4])
        if kind == "cgroup2":
            found[2] = place
        elif kind == "cgroup" and "memory" in after.split()[-1].split(","):
            found[1] = place
    return found


def _words(path: Path) -> list[str]:
    try:
        return path.read_text().split()
    except OSError:
        return []


@contextmanager
def _group_of_our_own(kind: GroupKind) -> Iterator[Path]:
    folder = kind.folder / f"rumrunner-{os.getpid()}"
    folder.mkdir()
    try:
        yield folder
    finally:
        with suppress(OSError):
            folder.rmdir()


def probe() -> str:
    """Why memory cgroups cannot be had here, empty when they can: makes one, limits it, moves a child into it."""
    try:
        kind = find_group()
        if kind is None:
            return "no memory controller is mounted for this process"
        with _group_of_our_own(kind) as folder:
            (folder / kind.limit_file).write_text(str(64 * 1024 * 1024))
            child = subprocess.Popen(["/bin/sleep", "10"])
            try:
                (folder / "cgroup.procs").write_text(str(child.pid))
            finally:
                child.kill()
                child.wait()
    except OSError as error:
        return f"{error.strerror} ({error.filename})"
    return ""


class Freezer:
    """A group (version 2) for one program, in which every thread stops at once, wherever it sleeps."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._switch = os.open(folder / "cgroup.freeze", os.O_WRONLY | os.O_CLOEXEC)

    def freeze(self) -> None:
        os.write(self._switch, b"1")

    def is_frozen(self) -> bool:
        """Whether every thread in it stands still; the kernel brings that about a moment after it was told."""
        return b"frozen 1" in (self._folder / "cgroup.events").read_bytes()

    def thaw(self) -> None:
        os.write(self._switch, b"0")

    def close(self) -> None:
        """Give the group back; its program must be gone."""
        os.close(self._switch)
        with suppress(OSError):
            self._folder.rmdir()


def freezer_for(pid: int) -> Freezer | None:
    """A freezer with this program in it; None where none can be had, which stops nobody from being stopped."""
    home = freezer_home()
    if home is None:
        return None
    folder = home / f"rumrunner-{os.getpid()}-{secrets.token_hex(4)}"
    try:
        folder.mkdir()
        (folder / "cgroup.procs").write_text(str(pid))
        return Freezer(folder)
    except OSError:
        with suppress(OSError):
            folder.rmdir()
        return None


@cache
def freezer_home() -> Path | None:
    """Our own group, where others can be made in it; what killed runners left there goes."""
    try:
        path = next(line.split(":", 2)[2] for line in _OWN.read_text().splitlines() if line.startswith("0::"))
        home = _cgroup_mounts()[2] / path.lstrip("/")
        for left in home.glob("rumrunner-*-*"):
            if not os.path.exists(f"/proc/{left.name.split('-')[1]}"):
                with suppress(OSError):
                    left.rmdir()
        with _group_of_our_own(GroupKind(home, 2)) as folder:
            (folder / "cgroup.freeze").write_text("0")
    except (OSError, StopIteration, KeyError):
        return None
    return home
