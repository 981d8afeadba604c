"""Python processes of a service, forked from one that is ready: to import and set up takes most of a start.

One process of a run has the libraries, which can be imported without settings. From it one is forked for each
environment that a service has: it reads settings and models there as any other does, and the service's commands are
forked from that one. That the commands start from nothing is what tests/ground/test_up.py holds.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import io
import json
import os
import runpy
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PR_SET_PDEATHSIG = 1
SIZE = struct.Struct("!I")
EXIT = struct.Struct("!i")
SET_UP = ("set up",)  # instead of a command: fork, too
LINE = 3  # where one that forks, too, has the line to who asks
# Nothing of ours: engines and arena choose by the environment what they are.
LIBRARIES = (
    "pysqlite3.dbapi2",
    "numpy",
    "orjson",
    "celery.bin.celery",
    "celery.apps.worker",
    "celery.apps.beat",
    "celery.concurrency.prefork",
    "celery.worker.consumer",
    "celery.worker.strategy",
    "kombu.transport.redis",
    "gunicorn.app.wsgiapp",
    "gunicorn.workers.gthread",
    "django.core.management.commands.migrate",
    "django.core.cache.backends.redis",
    "django.contrib.admin.sites",
    "django.contrib.staticfiles.storage",
    "django.db.models",
    "django.forms",
    "django.template.loader",
    "django.test",
    "django.views.generic",
    "django_structlog.celery.steps",
    "environ",
    "csp.constants",
    "rest_framework.serializers",
    "whitenoise.storage",
)


class Forked:
    """A process as ``subprocess.Popen`` knows one, but the child of the one that has the libraries."""

    def __init__(self, args: Sequence[str], pid: int, ending: socket.socket) -> None:
        self.args, self.pid, self._ending = list(args), pid, ending
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        if (code := self._look(timeout)) is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _look(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._ending], [], [], timeout)[0]:
            told = self._ending.recv(EXIT.size)
            self.returncode = EXIT.unpack(told)[0] if told else -signal.SIGKILL
            self._ending.close()
        return self.returncode


class Parent:
    """A process that forks commands."""

    def __init__(self, line: socket.socket) -> None:
        self._line, self._turn = line, threading.Lock()

    def start(self, command: Sequence[str], *, env: Mapping[str, str], out: int, err: int) -> Forked:
        """Run a command of this Python's (-m, -c or a script) with these files for its output."""
        return self._fork(command[1:], env, [out, err])

    def set_up(self, env: Mapping[str, str]) -> Parent | None:
        """One forked from this, with Django set up by this environment; None where Django refuses to be."""
        ours, theirs = socket.socketpair()
        with theirs, open(os.devnull, "wb") as nowhere:
            self._fork(SET_UP, env, [nowhere.fileno(), nowhere.fileno(), theirs.fileno()])
        return Parent(ours) if ours.recv(1) else None

    def _fork(self, command: Sequence[str], env: Mapping[str, str], files: list[int]) -> Forked:
        order = json.dumps({"command": list(command), "env": dict(env)}).encode()
        ending, told = socket.socketpair()
        with self._turn, told:
            socket.send_fds(self._line, [SIZE.pack(len(order))], [told.fileno(), *files])
            self._line.sendall(order)
            return Forked(command, EXIT.unpack(_read(self._line, EXIT.size))[0], ending)

    def end(self) -> None:
        """Forked processes that still live are killed."""
        self._line.close()

    def run(
        self, command: Sequence[str], *, env: Mapping[str, str], timeout: float
    ) -> subprocess.CompletedProcess[str]:
        """As ``subprocess.run`` with its output captured."""
        with _file() as out, _file() as err:
            process = self.start(command, env=env, out=out.fileno(), err=err.fileno())
            try:
                code = process.wait(timeout)
            except BaseException:
                process.kill()
                raise
            return subprocess.CompletedProcess(list(command), code, _text(out), _text(err))


class Libraries(Parent):
    """The process with the libraries, of one process of tests."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-m", __name__, str(theirs.fileno())]
        env = {name: value for name, value in os.environ.items() if not name.startswith(("RUMRUNNER_", "DJANGO_"))}
        with theirs:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=env | {"PYTHONPATH": str(ROOT)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                preexec_fn=_die_with_parent,
            )
        super().__init__(ours)

    def end(self) -> None:
        super().end()
        self.process.wait()


_parent: list[Libraries] = []
_is_wanted = False


@contextmanager
def forking() -> Iterator[None]:
    """Fork while it lasts. Tests do; what measures a service starts its processes as everybody does."""
    global _is_wanted
    _is_wanted = True
    yield
    _is_wanted = False
    while _parent:
        _parent.pop().end()


def parent_for(command: Sequence[str], env: Mapping[str, str]) -> Libraries | None:
    """Who can fork this command; None for another program, or where the interpreter itself would start otherwise."""
    if not _is_wanted or command[0] != sys.executable or env.get("PYTHONPATH") != str(ROOT):
        return None
    if any(
        name.startswith(("LD_", "PYTHON")) and env[name] != os.environ.get(name) for name in {*env} - {"PYTHONPATH"}
    ):
        return None
    if not _parent or _parent[0].process.poll() is not None:
        _parent[:] = [Libraries()]
    return _parent[0]


def run(command: Sequence[str], *, env: Mapping[str, str], timeout: float = 300) -> subprocess.CompletedProcess[str]:
    """As ``subprocess.run`` in the checkout with its output captured, forked where that makes no difference."""
    env = {**env, "PYTHONPATH": str(ROOT)}
    if parent := parent_for(command, env):
        return parent.run(command, env=env, timeout=timeout)
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=timeout, check=False)


@contextmanager
def _file() -> Iterator[io.FileIO]:
    with open(os.memfd_create("output"), "r+b", buffering=0) as file:
        yield file


def _text(file: io.FileIO) -> str:
    file.seek(0)
    return file.read().decode()


def _read(line: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        if not (more := line.recv(size - len(found))):
            raise ConnectionError("the process with the libraries has ended")
        found += more
    return found


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


# -- in the processes that fork ------------------------------------------------------------------------------


def load() -> None:
    """Import what every process of the service will."""
    os.environ.pop("DJANGO_SETTINGS_MODULE", None)
    import pysqlite3.dbapi2

    sys.modules |= {"sqlite3": pysqlite3, "sqlite3.dbapi2": pysqlite3.dbapi2}  # as ladder/__init__.py does
    for name in LIBRARIES:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def serve(line: socket.socket) -> dict[str, Any]:
    """Fork for every order and tell how each child ended; returns the order, in the child that is to follow it."""
    endings: dict[int, tuple[int, socket.socket]] = {}
    poll = select.poll()
    poll.register(line, select.POLLIN)
    while True:
        for ready, _ in poll.poll():
            if ready in endings:
                poll.unregister(ready)
                _tell_ending(ready, *endings.pop(ready))
                continue
            head, files, _, _ = socket.recv_fds(line, SIZE.size, 4)
            if not head:
                sys.exit()
            order = json.loads(_read(line, SIZE.unpack(head)[0]))
            pid = os.fork()
            if pid == 0:
                for held in (line, *(told for _, told in endings.values())):
                    held.detach()  # or its number would be closed when somebody else has it
                _become(*files[1:])
                return dict(order)
            handle, told = os.pidfd_open(pid), socket.socket(fileno=files[0])
            endings[handle] = pid, told
            poll.register(handle, select.POLLIN)
            for file in files[1:]:
                os.close(file)
            line.sendall(EXIT.pack(pid))


def _tell_ending(handle: int, pid: int, told: socket.socket) -> None:
    os.close(handle)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with told, suppress(OSError):
        told.send(EXIT.pack(code))


def _become(*files: int) -> None:
    """A child's own output (and line, if it is to fork, too), and nothing else that is open."""
    _die_with_parent()
    for number, file in enumerate(files, start=1):
        os.dup2(file, number)
    os.closerange(1 + len(files), 1 << 16)


def set_up(env: dict[str, str]) -> socket.socket:
    """Have what every process of a service in this environment has; returns the line to who asked."""
    os.environ.clear()
    os.environ.update(env)
    import django

    django.setup()
    importlib.import_module("ladder.urls")
    if threading.active_count() > 1:
        sys.exit("a process with threads can't be forked")
    gc.collect()
    gc.freeze()
    line = socket.socket(fileno=LINE)
    line.send(b"!")
    return line


def follow(command: list[str], env: dict[str, str]) -> None:
    """Do what the interpreter does with these words."""
    os.environ.clear()
    os.environ.update(env)
    kind, *rest = command
    if kind == "-c":
        code, sys.argv = rest[0], ["-c", *rest[1:]]
        main = types.ModuleType("__main__")
        sys.modules["__main__"] = main
        exec(compile(code, "<string>", "exec"), main.__dict__)
    elif kind == "-m":
        sys.argv = list(rest)
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = list(command)
        runpy.run_path(kind, run_name="__main__")


if __name__ == "__main__":
    load()
    order = serve(socket.socket(fileno=int(sys.argv[1])))
    while order["command"] == [*SET_UP]:
        order = serve(set_up(order["env"]))
    follow(**order)
