"""Starts Python bots from a warm parent: one for each thread that plays, forked from instead of begun anew.

The parent (nursery.py) stands inside the sandbox folder with the engines and the kit loaded. Every bot is forked from
it into namespaces, mounts, user, limits and filter of its own. Where it can't be had, bots start as they always did.
"""

from __future__ import annotations

import array
import atexit
import fcntl
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from arena.sandbox import seccomp
from arena.sandbox.counters import program_ms
from arena.sandbox.leases import USERS
from arena.sandbox.nursery import (
    CHILD,
    COMMAND_LINE,
    ENTRY_BYTES,
    IDS_BYTES,
    INSIDE_ID,
    LENGTH,
    NETWORKS,
    PATH_BYTES,
    REQUEST,
)
from arena.sandbox.places import is_root
from arena.sandbox.profile import ENVIRONMENT, INSIDE_TMP, TMP_BYTES, Cell, Wall, fixed_limits
from arena.sandbox.runtimes import MIB, RUNTIME_KINDS, python_command
from arena.sandbox.sandbox_folder import SandboxFolder

LOADING_S = 60.0
FORKING_S = 10.0
COLD_S = 60.0  # for so long nobody tries again, where a parent did not come up or did not answer
MOST_PROGRAMS = 64  # that are kept compiled
SPARE_BYTES = 16 * MIB  # what a bot needs beside all that is loaded already


class NurseryLost(Exception):
    """The parent did not come up, or is gone: the bot can start cold."""


class Forked:
    """A bot that another process forked for us, and that is our child nevertheless; like a Popen, as far as needed."""

    def __init__(self, pid: int, when_gone: Callable[[], None]) -> None:
        self.pid, self._when_gone = pid, when_gone
        self.returncode: int | None = None

    def kill(self) -> None:
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """How it ended, as a shell and bubblewrap say it: 128 and the signal."""
        if self.returncode is None:
            try:
                _, status = os.waitpid(self.pid, 0)
                self._when_gone()
            except ChildProcessError:
                status = 0
            code = os.waitstatus_to_exitcode(status)
            self.returncode = code if code >= 0 else 128 - code
        return self.returncode


class Programs:
    """Bots' sources, compiled once by the first of their starts, in its cell and before anything of the bot runs.

    Each is a file in memory, by what stands in the source: whoever has the same gets the same, and nobody else. From
    its second start on nobody can write to it.
    """

    def __init__(self) -> None:
        self._files: dict[bytes, int] = {}
        self._sealed: set[int] = set()
        self._none = _file_in_memory()
        _seal(self._none)

    def of(self, folder: Path, entry: str) -> int:
        """The file to start with: the program, an empty one to write it to, or one that takes nothing."""
        with open(f"{folder}/{entry}", "rb", buffering=0) as source:
            key = sha256(entry.encode() + b"\0" + source.read()).digest()
        known = self._files.get(key)
        if known is None:
            return self._new(key)
        if known not in self._sealed and _is_whole(known):
            _seal(known)
            self._sealed.add(known)
        return known if known in self._sealed else self._none

    def _new(self, key: bytes) -> int:
        if len(self._files) >= MOST_PROGRAMS:
            oldest = self._files.pop(next(iter(self._files)))
            self._sealed.discard(oldest)
            os.close(oldest)
        self._files[key] = _file_in_memory()
        return self._files[key]

    def close(self) -> None:
        if self._none >= 0:
            for number in (self._none, *self._files.values()):
                os.close(number)
        self._none, self._files = -1, {}


def _file_in_memory() -> int:
    return os.memfd_create("program", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)


def _is_whole(number: int) -> bool:
    """Whether its writer came to the end: its length stands there, and is what follows."""
    length = os.pread(number, LENGTH.size, 0)
    return bool(length) and LENGTH.unpack(length)[0] == os.fstat(number).st_size - LENGTH.size


def _seal(number: int) -> None:
    fcntl.fcntl(number, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK)


class Nursery:
    """One warm parent, for one wall and one sandbox folder; raises NurseryLost when it does not come up."""

    def __init__(self, wall: Wall, folder: SandboxFolder) -> None:
        self.wall, self.folder, self.maker = wall, folder, os.getpid()
        self._cores: set[int] = set()
        self._lent: set[int] = set()  # the networks that a bot is in
        self._programs = Programs()
        self._line, theirs = socket.socketpair()
        self._line.settimeout(LOADING_S)
        try:
            self._process = _started(wall, folder, theirs.fileno())
        except OSError as error:
            self._line.close()
            self._programs.close()
            raise NurseryLost(f"the warm parent did not start: {error}") from error
        finally:
            theirs.close()
        try:
            self._line.sendall(_plan(wall, folder))
            self.loaded = frozenset(self._hear(lambda heard: heard.endswith(b"\n")).decode().split())
            self.bytes = int(Path(f"/proc/{self.pid}/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, NurseryLost) as error:
            self.close()
            raise NurseryLost(f"the warm parent did not come up: {error}") from error
        self._line.settimeout(FORKING_S)

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_for(self, wall: Wall, folder: SandboxFolder) -> bool:
        return (self.wall, self.folder, self.maker) == (wall, folder, os.getpid()) and self.is_alive()

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def suits(self, cell: Cell) -> bool:
        """Whether this bot would notice no difference: nothing it brings has the name of what is loaded already."""
        if cell.memory_mib * MIB < self.bytes + SPARE_BYTES or len(cell.entry.encode()) >= ENTRY_BYTES:
            return False
        if cell.user is None and _changes_user(self.wall):
            return False
        beside = {str(cell.folder), os.path.dirname(f"{cell.folder}/{cell.entry}")}
        names = {name.partition(".")[0] for folder in beside for name in os.listdir(folder)}
        return not names & self.loaded and len(os.fsencode(cell.folder)) < PATH_BYTES

    def fork(self, cell: Cell, pipes: tuple[int, int, int, int]) -> Forked:
        """A child of ours in a cell of its own, with these as stdin, stdout, stderr and report."""
        self._follow()
        network = self._borrow_network()
        request = self._request(cell, network)
        passed = array.array("i", (*pipes, self._programs.of(cell.folder, cell.entry)))
        try:
            self._line.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, passed)])
            (child,) = CHILD.unpack(self._hear(lambda heard: len(heard) == CHILD.size))
        except (OSError, NurseryLost) as error:
            self._process.kill()
            self._process.wait()  # from here on it forks nothing more
            end_unheard(pipes[0])
            raise NurseryLost(f"the warm parent is gone: {error}") from error
        return Forked(child, lambda: self._lent.discard(network))

    def _borrow_network(self) -> int:
        """The first that no bot is in; it comes back when its bot is known to be gone, and else never."""
        network = next(number for number in range(len(self._lent) + 1) if number not in self._lent)
        self._lent.add(network)
        return network

    def _request(self, cell: Cell, network: int) -> bytes:
        memory = cell.memory_mib * MIB
        # Beside the leased one, so that nobody takes it for a bot that bubblewrap has left behind.
        user = (cell.user or 0) + USERS
        ids = f"{INSIDE_ID} {user} 1".ljust(IDS_BYTES)
        return REQUEST.pack(
            os.fsencode(os.path.abspath(cell.folder)), cell.entry.encode(),
            memory, memory, cell.cpu_s, cell.cpu_s + 1, ids.encode(), NETWORKS + network, *(user,) * 6,
        )  # fmt: skip

    def _follow(self) -> None:
        """It works where we do: the core of the match pays for it."""
        cores = os.sched_getaffinity(0)
        if cores != self._cores:
            with suppress(OSError):
                os.sched_setaffinity(self.pid, cores)
            self._cores = cores

    def _hear(self, is_all: Callable[[bytes], bool]) -> bytes:
        heard = b""
        while not is_all(heard):
            piece = self._line.recv(65536)
            if not piece:
                raise NurseryLost(_last_words(self._process))
            heard += piece
        return heard

    def close(self) -> None:
        """End it, if it is ours to end; bots that were forked from it are nobody's concern here."""
        self._line.close()
        self._programs.close()
        if self.maker != os.getpid():
            return
        self._process.kill()
        self._process.communicate()


def end_unheard(stdin: int) -> None:
    """Kill and reap the bot that was forked without our being told its number: the child of ours that holds this."""
    for pid in _children():
        with suppress(OSError):
            if any(os.path.samestat(os.stat(entry), os.fstat(stdin)) for entry in os.scandir(f"/proc/{pid}/fd")):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


def _children() -> Iterator[int]:
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError, IndexError), open(f"/proc/{name}/stat", "rb") as table:
            if int(table.read().rpartition(b") ")[2].split()[1]) == os.getpid():
                yield int(name)


def _started(wall: Wall, folder: SandboxFolder, line: int) -> subprocess.Popen[bytes]:
    kind = RUNTIME_KINDS["python"]
    facts = {
        "root": str(folder.root.resolve()),
        "code": str(folder.code.resolve()),
        "layers": wall.layers,
        "command": [*python_command(folder.python), "--nursery", "-" * COMMAND_LINE],
        "environment": dict([*_leaked(wall), *ENVIRONMENT, ("PWD", INSIDE_TMP), *kind.environment]),
        "socket": line,
    }
    door = Path(__file__).with_name("nursery_door.py")
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(door), json.dumps(facts)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=[line],
        env={},
        cwd="/",
        start_new_session=wall.has("own_session"),
    )


def _leaked(wall: Wall) -> list[tuple[str, str]]:
    return [] if wall.has("clean_environment") else list(os.environ.items())


def _plan(wall: Wall, folder: SandboxFolder) -> bytes:
    """What every cell has in common; the filter comes after it as it is."""
    kind = RUNTIME_KINDS["python"]
    facts = {
        "layers": wall.layers,
        "limits": fixed_limits(kind.threads),
        "tmp_bytes": TMP_BYTES,
        "command": python_command(folder.python),
        "changes_user": _changes_user(wall),
    }
    text = json.dumps(facts).encode()
    steps = seccomp.assemble() if wall.has("syscall_filter") else b""
    return struct.pack("=II", len(text), len(steps)) + text + steps


def _changes_user(wall: Wall) -> bool:
    return is_root() and wall.has("own_user")


def _last_words(process: subprocess.Popen[bytes]) -> str:
    process.kill()
    _, words = process.communicate()
    return words.decode("utf-8", "replace").strip()[-300:] or "it said nothing"


_OF_THIS_THREAD = threading.local()
_ALL: list[Nursery] = []


def nursery_for(wall: Wall, folder: SandboxFolder) -> Nursery:
    """The one of this thread, with which it and its bots would die; another wall or sandbox folder needs a new one."""
    held: Nursery | None = getattr(_OF_THIS_THREAD, "nursery", None)
    if held is not None and held.is_for(wall, folder):
        return held
    if held is not None:
        forget(held)
    _close_dead()
    _OF_THIS_THREAD.nursery = made = Nursery(wall, folder)
    _ALL.append(made)
    return made


def forget(nursery: Nursery) -> None:
    """The next bot of this thread gets a new one."""
    nursery.close()
    _OF_THIS_THREAD.nursery = None
    if nursery in _ALL:
        _ALL.remove(nursery)


def _close_dead() -> None:
    """Those of threads that are gone went with them."""
    for nursery in [nursery for nursery in _ALL if not nursery.is_alive()]:
        nursery.close()
        _ALL.remove(nursery)


def parents_ms() -> float:
    """Cpu time of the warm parents of this process, which no count of children has before they are gone."""
    return sum(program_ms(nursery.pid) for nursery in _ALL if nursery.is_alive())


@atexit.register
def close_all() -> None:
    while _ALL:
        _ALL.pop().close()


@dataclass(frozen=True, slots=True)
class WarmStart:
    """A bot that was just forked: the process, our ends of its four pipes, and what its parent used to fork it."""

    child: Forked
    stdin: int
    stdout: int
    stderr: int
    report: int
    parent_ms: float


def try_again() -> None:
    """Look for a warm parent at the next start, whatever became of the last one."""
    _OF_THIS_THREAD.cold_until = 0.0


def start_warm(wall: Wall, folder: SandboxFolder, cell: Cell) -> WarmStart | None:
    """A bot forked from the warm parent; None where it has to start cold."""
    if time.monotonic() < getattr(_OF_THIS_THREAD, "cold_until", 0.0):
        return None
    try:
        nursery = nursery_for(wall, folder)
        return _forked(nursery, cell) if nursery.suits(cell) else None
    except NurseryLost:
        _OF_THIS_THREAD.cold_until = time.monotonic() + COLD_S
        return None


def _forked(nursery: Nursery, cell: Cell) -> WarmStart:
    (stdin, to_bot), (from_bot, stdout), (log, stderr), (report, report_end) = (os.pipe() for _ in range(4))
    theirs = stdin, stdout, stderr, report_end
    try:
        before = program_ms(nursery.pid)
        child = nursery.fork(cell, theirs)
        return WarmStart(child, to_bot, from_bot, log, report, program_ms(nursery.pid) - before)
    except (NurseryLost, OSError) as error:
        for number in (to_bot, from_bot, log, report):
            os.close(number)
        forget(nursery)
        raise NurseryLost(str(error)) from error
    finally:
        for number in theirs:
            os.close(number)
