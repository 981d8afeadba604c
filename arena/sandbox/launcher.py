"""Starts a bot behind the wall."""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO

from arena.sandbox import seccomp
from arena.sandbox.errors import SandboxError
from arena.sandbox.nursery import NO_HUGE_PAGES
from arena.sandbox.places import CODE_ROOT, is_root
from arena.sandbox.process import BotProcess, read_child_pid
from arena.sandbox.profile import Cell, Wall, command
from arena.sandbox.sandbox_folder import SandboxFolder
from arena.sandbox.warm import WarmStart, start_warm

STDERR_PIPE_BYTES = 1024 * 1024
_ASK_HUGE_PAGES = 42
_LIBC = ctypes.CDLL(None)


def launch(wall: Wall, folder: SandboxFolder, cell: Cell) -> BotProcess:
    """A bot that is about to run, in a cell of its own; raises SandboxError, which is never the bot's fault."""
    start = start_warm(wall, folder, cell) if wall.is_warm and cell.runtime == "python" else None
    return _launch_cold(wall, folder, cell) if start is None else _held_warm(start)


def _launch_cold(wall: Wall, folder: SandboxFolder, cell: Cell) -> BotProcess:
    report, report_end = os.pipe()
    filter_fd = _filter(wall)
    words = command(wall, folder, cell, status_fd=report_end, filter_fd=filter_fd)
    passed = [report_end] if filter_fd is None else [report_end, filter_fd]
    try:
        user = cell.user if wall.with_user_namespace and wall.has("own_user") else None
        with small_pages_only() if wall.has("limits") else nullcontext():
            outer = _spawn(words, passed, user=user, environment={} if wall.has("clean_environment") else None)
    except OSError as error:
        os.close(report)
        raise SandboxError(f"{wall.program} did not start: {error}") from error
    finally:
        for descriptor in passed:
            os.close(descriptor)
    pid, text = read_child_pid(report)
    if pid is None:
        os.close(report)
        raise SandboxError(f"bubblewrap did not start: {_last_words(outer)}")
    return _held(outer, pid, report, text)


@contextmanager
def small_pages_only() -> Iterator[None]:
    """Whoever is started meanwhile has no huge pages, it or what it becomes.

    Of a huge page that is given back but for a piece, the kernel counts the piece and keeps the whole: 2 GiB for 4 MiB.
    """
    before = _LIBC.prctl(_ASK_HUGE_PAGES, 0, 0, 0, 0)
    _LIBC.prctl(NO_HUGE_PAGES, 1, 0, 0, 0)
    try:
        yield
    finally:
        _LIBC.prctl(NO_HUGE_PAGES, max(0, before), 0, 0, 0)


def launch_trusted(folder: Path, runtime: str, entry: str, *, python: str, node: str | None) -> BotProcess:
    """The author's own file as a plain process: no wall, no limits."""
    program = str(folder / entry)
    words = {"python": [python, program], "node": [node or "node", program], "native": [program]}[runtime]
    environment = {**os.environ, "PYTHONPATH": str(CODE_ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        outer = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=folder
        )
    except OSError as error:
        raise SandboxError(f"{words[0]} did not start: {error}", retryable=False) from error
    return _held(outer, outer.pid, None, b"")


def _filter(wall: Wall) -> int | None:
    """The filter as a file that bwrap can read from its beginning."""
    if not wall.has("syscall_filter"):
        return None
    descriptor = os.memfd_create("filter")
    os.write(descriptor, seccomp.assemble(changing_user=not wall.with_user_namespace))
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _spawn(
    words: list[str], passed: list[int], *, user: int | None, environment: dict[str, str] | None
) -> subprocess.Popen[bytes]:
    """As root the launcher itself already runs under the bot's own user: no groups, no way back."""
    drops = user is not None and is_root()
    return subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=passed,
        env=environment,
        cwd="/",
        user=user if drops else None,
        group=user if drops else None,
        extra_groups=[] if drops else None,
    )


def _held(outer: subprocess.Popen[bytes], pid: int, status: int | None, text: bytes) -> BotProcess:
    """Take the pipes out of Popen's hands: from here on they are plain descriptors that never block."""
    assert outer.stdin is not None
    assert outer.stdout is not None
    assert outer.stderr is not None
    stdin, stdout, stderr = (_taken(stream) for stream in (outer.stdin, outer.stdout, outer.stderr))
    _widen(stderr)
    return BotProcess(
        outer=outer,
        pid=pid,
        pidfd=_pidfd(pid, outer),
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        status=status,
        status_text=text,
    )


def _held_warm(start: WarmStart) -> BotProcess:
    for descriptor in (start.stdin, start.stdout, start.stderr):
        os.set_blocking(descriptor, False)
    _widen(start.stderr)
    return BotProcess(
        outer=start.child,
        pid=start.child.pid,
        pidfd=os.pidfd_open(start.child.pid),
        stdin=start.stdin,
        stdout=start.stdout,
        stderr=start.stderr,
        status=start.report,
        forking_ms=start.parent_ms,
    )


def _widen(stderr: int) -> None:
    with suppress(OSError):  # it is read at looks only; where it must stay small, a bot that logs much waits for them
        fcntl.fcntl(stderr, fcntl.F_SETPIPE_SZ, STDERR_PIPE_BYTES)


def _taken(stream: IO[bytes]) -> int:
    descriptor = os.dup(stream.fileno())
    stream.close()
    os.set_blocking(descriptor, False)
    return descriptor


def _pidfd(pid: int, outer: subprocess.Popen[bytes]) -> int:
    """A handle on the inner process; if it is dead and reaped already, on the launcher, which is about to follow."""
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        return os.pidfd_open(outer.pid)


def _last_words(outer: subprocess.Popen[bytes]) -> str:
    """What bwrap said before it gave up."""
    outer.send_signal(signal.SIGKILL)
    assert outer.stderr is not None
    words = outer.stderr.read(2000).decode("utf-8", "replace").strip()
    outer.communicate()
    return words or "it said nothing"
