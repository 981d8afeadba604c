"""Starts Python bots from a warm parent: one for each thread that plays, forked from instead of begun anew.

The parent (nursery.py) stands inside the sandbox folder with the engines and the kit loaded. Every bot is forked from
it into namespaces, mounts, user, limits and filter of its own. Where it can't be had, bots start as they always did.
"""

from __future__ import annotations

import array
import atexit
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.sandbox import seccomp
from arena.sandbox.counters import program_ms
from arena.sandbox.leases import USERS
from arena.sandbox.nursery import COMMAND_LINE, ENTRY_BYTES, PATH_BYTES, REQUEST
from arena.sandbox.places import is_root
from arena.sandbox.profile import ENVIRONMENT, INSIDE_TMP, TMP_BYTES, Cell, Wall, fixed_limits
from arena.sandbox.runtimes import MIB, RUNTIME_KINDS, python_command
from arena.sandbox.sandbox_folder import SandboxFolder

LOADING_S = 60.0
FORKING_S = 10.0
COLD_S = 60.0  # for so long nobody tries again, where a parent did not come up or did not answer
SPARE_BYTES = 16 * MIB  # what a bot needs beside all that is loaded already


class NurseryLost(Exception):
    """The parent did not come up, or is gone: the bot can start cold."""


class Forked:
    """A bot that another process forked for us, and that is our child nevertheless; like a Popen, as far as needed."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
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
            except ChildProcessError:
                status = 0
            code = os.waitstatus_to_exitcode(status)
            self.returncode = code if code >= 0 else 128 - code
        return self.returncode


class Nursery:
    """One warm parent, for one wall and one sandbox folder; raises NurseryLost when it does not come up."""

    def __init__(self, wall: Wall, folder: SandboxFolder) -> None:
        self.wall, self.folder, self.maker = wall, folder, os.getpid()
        self._cores: set[int] = set()
        self._line, theirs = socket.socketpair()
        self._line.settimeout(LOADING_S)
        try:
            self._process = _started(wall, folder, theirs.fileno())
        except OSError as error:
            self._line.close()
            raise NurseryLost(f"the warm parent did not start: {error}") from error
        finally:
            theirs.close()
        try:
            self._line.sendall(_plan(wall, folder))
            self.loaded = frozenset(self._hear_line().decode().split())
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
        beside = {cell.folder, (cell.folder / cell.entry).parent}
        names = {name.partition(".")[0] for folder in beside for name in os.listdir(folder)}
        return not names & self.loaded and len(os.fsencode(cell.folder)) < PATH_BYTES

    def fork(self, cell: Cell, descriptors: tuple[int, int, int, int]) -> Forked:
        """A child of ours in a cell of its own, with these as stdin, stdout, stderr and report."""
        self._follow()
        # Beside the leased one, so that nobody takes it for a bot that bubblewrap has left behind.
        user = -1 if cell.user is None or not (is_root() and self.wall.has("own_user")) else cell.user + USERS
        request = REQUEST.pack(
            os.fsencode(cell.folder.resolve()), cell.entry.encode(), user, cell.memory_mib * MIB, cell.cpu_s
        )
        passed = array.array("i", descriptors)
        try:
            self._line.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, passed)])
            child = int(self._hear_line())
        except (OSError, ValueError) as error:
            raise NurseryLost(f"the warm parent is gone: {error}") from error
        if child < 0:
            raise NurseryLost("the warm parent could not fork")
        return Forked(child)

    def _follow(self) -> None:
        """It works where we do: the core of the match pays for it."""
        cores = os.sched_getaffinity(0)
        if cores != self._cores:
            with suppress(OSError):
                os.sched_setaffinity(self.pid, cores)
            self._cores = cores

    def _hear_line(self) -> bytes:
        heard = b""
        while not heard.endswith(b"\n"):
            piece = self._line.recv(65536)
            if not piece:
                raise NurseryLost(_last_words(self._process))
            heard += piece
        return heard

    def close(self) -> None:
        """End it, if it is ours to end; bots that were forked from it are nobody's concern here."""
        self._line.close()
        if self.maker != os.getpid():
            return
        self._process.kill()
        self._process.communicate()


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
    }
    text = json.dumps(facts).encode()
    steps = seccomp.assemble() if wall.has("syscall_filter") else b""
    return struct.pack("=II", len(text), len(steps)) + text + steps


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
