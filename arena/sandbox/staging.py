"""Puts a bundle where the bot's own user can read it."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.bundle.store import remove_folder
from arena.sandbox.errors import SandboxError
from arena.sandbox.orphans import clear_orphans
from arena.sandbox.places import is_reachable, is_root
from arena.sandbox.tmpfs import staging_home


@contextmanager
def new_folder(prefix: str = "staged-") -> Iterator[Path]:
    """An empty folder that every user can read, gone afterwards; if we are killed, the next one to come clears it."""
    home = staging_home()
    _clear_after_the_dead(home)
    folder = Path(tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-", dir=home))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        remove_folder(folder)


def _clear_after_the_dead(home: Path) -> None:
    """Remove folders whose maker is gone, and what it may have been starting; the number in their name is its pid."""
    left = [name for name in os.listdir(home) if _is_of_the_dead(name)]
    for name in left:
        remove_folder(home / name)
    if left:
        clear_orphans()


def _is_of_the_dead(name: str) -> bool:
    maker = name.split("-")[1] if name.count("-") > 1 else ""
    return maker.isdigit() and not os.path.exists(f"/proc/{maker}")


@contextmanager
def readable_by_bots(folder: Path, *, in_memory: bool) -> Iterator[Path]:
    """A fresh copy of the folder; itself where it may stay on disk and every bot's user can reach it."""
    if not in_memory and (not is_root() or (is_reachable(folder) and _all_readable(folder))):
        yield folder.resolve()
        return
    with new_folder() as staged:
        _copy(folder, staged)
        yield staged


def _copy(folder: Path, staged: Path) -> None:
    try:
        shutil.copytree(folder, staged, dirs_exist_ok=True, symlinks=True)
    except OSError as error:
        first = error.args[0][0][2] if isinstance(error, shutil.Error) else error
        raise SandboxError(f"the bundle could not be copied to {staged.parent}: {first}") from error
    open_up(staged)


def _all_readable(folder: Path) -> bool:
    for parent, _, names in os.walk(folder):
        if not is_open(os.stat(parent).st_mode, stat.S_IROTH | stat.S_IXOTH):
            return False
        for name in names:
            if not is_open(os.lstat(os.path.join(parent, name)).st_mode, stat.S_IROTH):
                return False
    return True


def is_open(mode: int, needed: int) -> bool:
    return mode & needed == needed


def open_up(folder: Path) -> None:
    """Let every user read a folder of ours, and start the programs in it."""
    for parent, _, names in os.walk(folder):
        os.chmod(parent, 0o755)  # noqa: S103 a bundle's own user has no other way in
        for path in (os.path.join(parent, name) for name in names):
            if os.path.islink(path):
                continue
            os.chmod(path, 0o755 if os.access(path, os.X_OK) and os.stat(path).st_mode & 0o111 else 0o644)
