"""The command line that puts a bot behind the wall; every layer has a name, so that a test can take it away."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.runtimes import MIB, RUNTIME_KINDS, Start
from arena.sandbox.sandbox_folder import SandboxFolder

LAYERS = (
    "own_user",  # a user of its own outside, nobody inside
    "user_namespace",  # no rights over anything outside
    "no_more_namespaces",  # and none to be had
    "namespaces",  # no other processes, no network, no shared memory of others
    "no_kernel_tables",  # no /proc: it counts what all programs do, so that bots could talk through it
    "own_files",  # only the sandbox folder and its own bundle, read-only
    "forgetful_files",  # copies of them on a tmpfs, where no look-up or reading leaves a trace
    "small_tmp",  # the one writable place is small
    "read_only_dev",  # and it is the only one
    "clean_environment",
    "syscall_filter",
    "limits",
    "own_session",
    "dies_with_runner",
)
# Without one, bwrap may not signal a bot that has another user by then: what a killed runner leaves, the next one ends.
NEED_USER_NAMESPACE = ("user_namespace", "no_more_namespaces", "dies_with_runner")
TMP_BYTES = 16 * MIB
SIGNALS = 64  # that may wait for a bot; each takes the kernel's memory
STACK_BYTES = 8 * MIB  # a stack counts as data nowhere
INSIDE_ID = "65534"
INSIDE_TMP = "/tmp"  # noqa: S108 the bot's own, nobody else's
ENVIRONMENT = (("PATH", "/usr/bin:/bin"), ("LANG", "C.UTF-8"), ("HOME", INSIDE_TMP))


@dataclass(frozen=True, slots=True)
class Wall:
    """Which bubblewrap stands here; without names layers left out, which only tests and the doctor do."""

    kind: str
    program: str
    version: str
    with_user_namespace: bool = True
    without: frozenset[str] = frozenset()
    is_warm: bool = False  # Python bots are forked from a parent that has everything loaded

    def has(self, layer: str) -> bool:
        if layer in NEED_USER_NAMESPACE and not self.with_user_namespace:
            return False
        return layer not in self.without

    @property
    def layers(self) -> tuple[str, ...]:
        return tuple(layer for layer in LAYERS if self.has(layer))


@dataclass(frozen=True, slots=True)
class Cell:
    """One bot's place: what it runs, from where, with how much."""

    folder: Path
    runtime: str
    entry: str
    memory_mib: int
    cpu_s: int
    user: int | None = None


def command(wall: Wall, folder: SandboxFolder, cell: Cell, *, status_fd: int, filter_fd: int | None) -> list[str]:
    """The whole command, bubblewrap first."""
    kind = RUNTIME_KINDS[cell.runtime]
    start = Start(entry=cell.entry, python=folder.python, memory_mib=cell.memory_mib)
    return [
        wall.program,
        *_namespaces(wall),
        *_files(wall, folder, cell),
        *_environment(wall, kind.environment),
        *_rights(wall),
        "--json-status-fd",
        str(status_fd),
        *(["--seccomp", str(filter_fd)] if filter_fd is not None else []),
        "--",
        *_drop_user_inside(wall, cell),
        *_limits(wall, cell),
        *kind.command(start),
    ]


def _namespaces(wall: Wall) -> list[str]:
    words = ["--as-pid-1"] if wall.has("namespaces") else []
    if wall.has("namespaces"):
        words += ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
        words += ["--hostname", "bot"]
    if wall.has("user_namespace"):
        words += ["--unshare-user"]
        words += ["--uid", INSIDE_ID, "--gid", INSIDE_ID] if wall.has("own_user") else []
    if wall.has("no_more_namespaces") and wall.has("user_namespace"):
        words += ["--disable-userns"]
    words += ["--new-session"] if wall.has("own_session") else []
    # Asked for in any case: where the bot itself does not hear of it, bubblewrap does.
    words += ["--die-with-parent"] if "dies_with_runner" not in wall.without else []
    return words


def _files(wall: Wall, folder: SandboxFolder, cell: Cell) -> list[str]:
    words = ["--ro-bind", str(folder.root), "/"]
    if not wall.has("own_files"):
        words += ["--bind", "/etc", "/etc", "--bind", str(cell.folder), "/bot"]
    else:
        words += ["--ro-bind", str(cell.folder), "/bot"]
    words += ["--ro-bind", str(folder.code), "/opt/rumrunner/code", *_devices()]
    words += [] if wall.has("no_kernel_tables") else ["--proc", "/proc"]
    words += ["--size", str(TMP_BYTES)] if wall.has("small_tmp") else []
    # Without a user namespace it is root who mounts it, and another user who needs it.
    words += ["--perms", "1777", "--tmpfs", INSIDE_TMP, "--chdir", INSIDE_TMP]
    # /dev itself is a tmpfs that could be written without bound.
    return words + (["--remount-ro", "/dev"] if wall.has("read_only_dev") else [])


def _devices() -> list[str]:
    """No terminals, no shared memory, and no /dev/zero, whose shared mappings no limit counts."""
    words = ["--tmpfs", "/dev"]
    for name in ("null", "random", "urandom"):
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    return words


def _environment(wall: Wall, extra: tuple[tuple[str, str], ...]) -> list[str]:
    words = ["--clearenv"] if wall.has("clean_environment") else []
    for name, value in (*ENVIRONMENT, *extra):
        words += ["--setenv", name, value]
    return words


def _rights(wall: Wall) -> list[str]:
    if wall.with_user_namespace:
        return ["--cap-drop", "ALL"]
    # setpriv needs these to become the bot's user, and gives them up with everything else.
    return ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]


def _drop_user_inside(wall: Wall, cell: Cell) -> list[str]:
    """Without user namespaces root changes the user as the last thing before the bot."""
    if wall.with_user_namespace or cell.user is None or not wall.has("own_user"):
        return []
    user = str(cell.user)
    words = ["/usr/bin/setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs"]
    return [*words, "--inh-caps=-all", "--bounding-set=-all", "--"]


def fixed_limits(threads: int) -> dict[str, tuple[int, int]]:
    """The limits that no order changes, by the kernel's names for them."""
    limits = {
        "NPROC": threads,
        "STACK": STACK_BYTES,
        "NOFILE": 64,
        "FSIZE": TMP_BYTES,
        "CORE": 1,  # to the kernel, 0 forbids files only; 1 forbids to hand the dump to a program of the host as well
        "SIGPENDING": SIGNALS,
        "MSGQUEUE": 0,
        "MEMLOCK": 0,
    }
    return {f"RLIMIT_{name}": (most, most) for name, most in limits.items()}


def _limits(wall: Wall, cell: Cell) -> list[str]:
    if not wall.has("limits"):
        return []
    kind = RUNTIME_KINDS[cell.runtime]
    fixed = fixed_limits(kind.threads)
    return [
        "/usr/bin/prlimit",
        *(f"--{name.removeprefix('RLIMIT_').lower()}={soft}:{hard}" for name, (soft, hard) in fixed.items()),
        *(f"--{name}={mib * MIB}" for name, mib in kind.memory(cell.memory_mib).items()),
        f"--cpu={cell.cpu_s}:{cell.cpu_s + 1}",  # the first signal is none to pid 1, which a bot is; the second ends it
    ]
