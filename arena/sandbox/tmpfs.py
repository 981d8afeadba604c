"""What bots see of files lives in memory: a disk's caches remember who looked for what, a tmpfs doesn't.

A failed look-up on a disk is quicker the second time, and so is a page that somebody has read: enough for one match to
tell the next. So root, code and bundles are copied to a tmpfs of the host; where none serves, matches are played
from disk, and the layer "forgetful_files" is missing from their records.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from arena.bundle.store import remove_folder
from arena.sandbox.errors import SandboxUnavailable
from arena.sandbox.places import own_folder, own_folder_in
from arena.sandbox.sandbox_folder import SandboxFolder, current_folder

SETTING = "RUMRUNNER_TMPFS"
CURE = f"mount one (`mount -t tmpfs -o size=512m,mode=1777 tmpfs DIR`) and set {SETTING}=DIR"
MIB = 1024 * 1024
ROOT_MIB, BUNDLES_MIB = 256, 64
_PARTS = ("root-", "code-", ".making-")
KEEP_S = 3600
_HELD: list[int] = []  # what this process uses stays, as long as it lives


@dataclass(frozen=True, slots=True)
class Home:
    """The tmpfs of this machine that serves; None, and why none does."""

    base: Path | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class PlacedFolder:
    """The sandbox folder as bots get it: in memory, or on disk for the reason given."""

    folder: SandboxFolder
    problem: str = ""


def find_home() -> Home:
    """The first tmpfs on which programs can be started and which has room; RUMRUNNER_TMPFS alone where it is set."""
    problems = []
    for base in _candidates():
        problem = _problem_with(base)
        if not problem:
            return Home(base)
        problems.append(f"{base} {problem}")
    return Home(None, "; ".join(problems))


def _candidates() -> list[Path]:
    named = os.environ.get(SETTING)
    if named:
        return [Path(named).absolute()]
    found = [Path("/dev/shm"), Path("/run"), *map(Path, filter(None, [os.environ.get("XDG_RUNTIME_DIR")]))]  # noqa: S108
    return list(dict.fromkeys([*found, Path(tempfile.gettempdir())]))


def _problem_with(base: Path) -> str:
    if not base.is_dir():
        return "is missing"
    if (kind := kind_of(base)) != "tmpfs":
        return f"is {kind}, not tmpfs"
    found = os.statvfs(base)
    if found.f_flag & os.ST_NOEXEC:
        return "is mounted noexec"
    try:
        own = own_folder_in(base)
    except (OSError, SandboxUnavailable) as error:
        return f"can't be used: {error}"
    free, needed = found.f_bavail * found.f_frsize // MIB, BUNDLES_MIB + (0 if _has_root(own) else ROOT_MIB)
    return "" if free >= needed else f"has {free} MiB free of the {needed} that are needed"


def kind_of(folder: Path) -> str:
    device = os.stat(folder).st_dev
    mark = f"{os.major(device)}:{os.minor(device)}"
    with open("/proc/self/mountinfo") as table:
        mounts = [line.split() for line in table]
    return next((words[words.index("-") + 1] for words in mounts if words[2] == mark), "unknown")


def _has_root(own: Path) -> bool:
    return any(name.startswith("root-") for name in os.listdir(own))


@cache
def home() -> Home:
    return find_home()


def staging_home() -> Path:
    """Where bundles are put for the time of a match."""
    base = home().base
    return own_folder() if base is None else own_folder_in(base)


@cache
def moved_folder() -> PlacedFolder:
    """The sandbox folder, copied into memory where that can be had; raises SandboxUnavailable where there is none."""
    on_disk = current_folder()
    base = home().base
    if base is None:
        return PlacedFolder(on_disk, home().problem)
    try:
        return PlacedFolder(_copied_whole(on_disk, own_folder_in(base)))
    except OSError as error:
        return PlacedFolder(on_disk, f"{base} could not take the root: {error.strerror or error}")


def _copied_whole(on_disk: SandboxFolder, folder: Path) -> SandboxFolder:
    with _locked(folder):
        root = _copied(on_disk.root.resolve(), folder, _name_of(on_disk.root.resolve()))
        code = _copied(on_disk.code.resolve(), folder, code_name(on_disk))
        _hold(root, code)
        forget_unused(folder)
    return replace(on_disk, root=root, code=code, is_in_memory=True)


def _name_of(root: Path) -> str:
    """Roots that set-up made are named by what they are made of; any other by where it stands and since when."""
    if root.name.startswith("root-"):
        return root.name
    found = root.stat()
    return f"root-{sha256(f'{root} {found.st_ino} {found.st_ctime_ns}'.encode()).hexdigest()[:16]}"


def code_name(on_disk: SandboxFolder) -> str:
    """The code by what it was made from; with compiled engines it is another than without."""
    is_compiled = (on_disk.code / "engines" / "_compiled").is_dir()
    return f"code-{on_disk.digest[:16]}{'-compiled' if is_compiled else ''}"


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    with open(folder / ".lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _copied(source: Path, folder: Path, name: str) -> Path:
    target = folder / name
    if target.is_dir():
        return target
    fresh = Path(tempfile.mkdtemp(prefix=".making-", dir=folder))
    try:
        shutil.copytree(source, fresh, symlinks=True, dirs_exist_ok=True)
        fresh.rename(target)
    finally:
        remove_folder(fresh)
    return target


def _hold(*parts: Path) -> None:
    for part in parts:
        held = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        fcntl.flock(held, fcntl.LOCK_SH)
        _HELD.append(held)


def forget_unused(folder: Path) -> None:
    """Memory is dear: what nobody holds any more, and nobody is about to, goes."""
    for path in folder.iterdir():
        if path.name.startswith(_PARTS) and path.lstat().st_ctime < time.time() - KEEP_S and _is_free(path):
            remove_folder(path)


def _is_free(path: Path) -> bool:
    held = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(BlockingIOError):
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        return False
    finally:
        os.close(held)
