"""Where things lie on this machine, and who can reach them."""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from pathlib import Path

from arena.sandbox.errors import SandboxUnavailable

_NOBODY = 65534
_WALKABLE = 0o711  # for its owner; others get through it, if they know where to
CODE_ROOT = Path(__file__).resolve().parents[2]


def is_root() -> bool:
    return os.geteuid() == 0


def is_reachable(path: Path) -> bool:
    """Whether any user can walk down to this path and read it."""
    path = path.resolve()
    for folder in path.parents:
        if not folder.stat().st_mode & stat.S_IXOTH:
            return False
    needed = stat.S_IROTH | stat.S_IXOTH if path.is_dir() else stat.S_IROTH
    return path.stat().st_mode & needed == needed


def sandbox_folder() -> Path:
    """The sandbox folder: RUMRUNNER_RUNTIME, or .runtime beside the code, or where a bot's user can reach it.

    As root the bots run under other users, for whom a checkout under a private home does not exist.
    """
    named = os.environ.get("RUMRUNNER_RUNTIME")
    if named:
        return Path(named).absolute()
    if is_root() and not is_reachable(CODE_ROOT):
        mark = hashlib.sha256(str(CODE_ROOT).encode()).hexdigest()[:12]
        return Path("/var/lib/rumrunner") / f"runtime-{mark}"
    if (CODE_ROOT / "pyproject.toml").exists() and os.access(CODE_ROOT, os.W_OK):
        return CODE_ROOT / ".runtime"
    if (CODE_ROOT / ".runtime").is_dir():
        return CODE_ROOT / ".runtime"
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(cache) / "rumrunner" / "runtime"


def starts_warm() -> bool:
    """Whether Python bots are forked from a warm parent, unless RUMRUNNER_STARTS=cold; then each begins anew."""
    named = os.environ.get("RUMRUNNER_STARTS", "warm")
    if named not in ("warm", "cold"):
        raise SandboxUnavailable(f"RUMRUNNER_STARTS is {named!r}.", "set it to warm or cold, or leave it out.")
    return named == "warm"


def own_folder() -> Path:
    """A folder on this machine that only we can write to, for locks and staged bundles; anyone may walk through it."""
    return own_folder_in(Path("/run") if is_root() and os.access("/run", os.W_OK) else Path(tempfile.gettempdir()))


def own_folder_in(base: Path) -> Path:
    """The same in a place of the caller's choice; raises SandboxUnavailable where somebody else has taken the name."""
    folder = base / f"rumrunner-{os.geteuid()}"
    folder.mkdir(mode=_WALKABLE, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise SandboxUnavailable(
            f"{folder} belongs to somebody else or can be written by others.", f"remove {folder} and try again."
        )
    if stat.S_IMODE(found.st_mode) != _WALKABLE:  # made under a narrow umask
        folder.chmod(_WALKABLE)
    return folder


def check_unspoilt(folder: Path) -> None:
    """Refuse what another user could have changed; raises SandboxUnavailable."""
    found = folder.stat()
    trusted = {0, os.geteuid()}
    if not _sees_all_users():
        # Inside a container the host's root has no number, and shows as nobody.
        trusted.add(_NOBODY)
    if found.st_uid not in trusted or found.st_mode & stat.S_IWOTH:
        raise SandboxUnavailable(
            f"{folder} can be changed by another user (owner {found.st_uid}, mode {stat.S_IMODE(found.st_mode):o}).",
            "remove it and run `make setup` again.",
        )


def _sees_all_users() -> bool:
    with open("/proc/self/uid_map") as table:
        return sum(int(line.split()[2]) for line in table) >= (1 << 32) - 1
