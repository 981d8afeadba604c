"""``manage.py up``: the whole service on this machine with one command."""

from __future__ import annotations

import http.client
import io
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import IO, Any

import redis
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from ladder.broker import cache_url, server_command
from ladder.celery import app
from ladder.environment import read, read_int
from ladder.live.reports import last_report
from ladder.locks import take_file
from ladder.matches.registration import sandbox_message
from ladder.operations.compiling import compile_aside, stop_compiling
from ladder.operations.logs import Rotation
from ladder.operations.supervisor import Part, PartFailed, Supervisor

STOP_ORDER = ("beat", "matches", "service", "live", "web", "broker")
STEPS = ("broker", "database", "sandbox", "first start", "web", "live", "matches", "service", "beat")


class Command(BaseCommand):
    help = "Run broker, web server, workers and beat together; Ctrl-C stops them in order."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--no-workers", action="store_true", help="serve pages only; play nothing")

    def handle(self, *args: Any, no_workers: bool = False, **options: Any) -> None:
        host, port = read("HOST"), read_int("PORT")
        lock = take_folder(settings.DATA)
        check_port(host, port)
        supervisor = Supervisor(
            settings.DATA / "logs", self._say, rotation=Rotation(settings.LOG_MIB * settings.MEBIBYTE)
        )
        stop_on_signals(supervisor)
        builder = None
        try:
            self._start(supervisor, host, port, play=not no_workers)
            builder = compile_aside(supervisor.logs / "compiling.log")
            supervisor.watch(beside=builder)
        except PartFailed as failed:
            raise CommandError(str(failed)) from None
        finally:
            stop_compiling(builder)
            supervisor.stop(STOP_ORDER)
            lock.close()
        self._say("stopped; everything is kept in " + str(settings.DATA))

    def _start(self, supervisor: Supervisor, host: str, port: int, *, play: bool) -> None:
        run = self._step(supervisor)
        if settings.BROKER_EMBEDDED:
            run("broker", lambda: supervisor.start(broker_part()))
        run("database", prepare_database)
        run("sandbox", self._check_sandbox)
        run("first start", lambda: call_command("first_start", stdout=self.stdout))
        connections.close_all()
        run("web", lambda: supervisor.start(web_part(host, port)))
        if settings.SPECTATORS:
            run("live", lambda: supervisor.start(live_part()))
        if play:
            for name, queue, size in (
                ("matches", "matches", settings.WORKERS),
                ("service", "service", settings.SERVICE_PROCESSES),
            ):
                run(name, lambda n=name, q=queue, s=size: supervisor.start(worker_part(n, q, s)))  # type: ignore[misc]
            run("beat", lambda: supervisor.start(beat_part()))
        if not supervisor.stopping:
            prefix = settings.FORCE_SCRIPT_NAME or ""
            self._say(
                f"Rumrunner serves at http://{host}:{port}{prefix}/   (Ctrl-C stops it; logs in {supervisor.logs})"
            )

    def _step(self, supervisor: Supervisor) -> Callable[[str, Callable[[], object]], None]:
        def run(name: str, work: Callable[[], object]) -> None:
            if supervisor.stopping:
                return
            began = time.monotonic()
            self.stdout.write(f"[{STEPS.index(name) + 1}/{len(STEPS)}] {name:<12}", ending="")
            self.stdout.flush()
            work()
            self.stdout.write(f" ready in {time.monotonic() - began:.1f} s")

        return run

    def _check_sandbox(self) -> None:
        if message := sandbox_message():
            self.stdout.write(self.style.ERROR(f"\n{message}\nPages are served, but no matches are played until then."))

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def take_folder(data: Path) -> IO[str]:
    """Hold the data folder for this process; raises CommandError when another one has it."""
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    data.chmod(0o700)  # a folder that was there already may be open to everybody; bundles and keys are not
    lock = (data / "up.lock").open("a+")
    if not take_file(lock):
        lock.seek(0)
        raise CommandError(
            f"Rumrunner is already running on {data} (process {lock.read().strip() or 'unknown'}). "
            "Stop that one first, or set RUMRUNNER_DATA to another folder."
        )
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def check_port(host: str, port: int) -> None:
    """Raises CommandError when somebody listens there already."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            raise CommandError(
                f"Can't listen on {host}:{port} ({error}). Choose another port: PORT=8001 make run"
            ) from None


def prepare_database() -> None:
    call_command("migrate", verbosity=0, interactive=False)
    call_command("collectstatic", verbosity=0, interactive=False)
    call_command("build_wheel", stdout=io.StringIO())


def stop_on_signals(supervisor: Supervisor) -> None:
    def stop(signum: int, frame: FrameType | None) -> None:
        supervisor.stopping = True

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)


def broker_part() -> Part:
    def is_ready() -> bool:
        try:
            return bool(redis.Redis.from_url(cache_url(settings.CELERY_BROKER_URL)).ping())
        except (redis.RedisError, OSError):
            return False

    return Part("broker", server_command(settings.DATA), is_ready)


def web_part(host: str, port: int) -> Part:
    def is_ready() -> bool:
        connection = http.client.HTTPConnection(host, port, timeout=5)
        try:
            connection.request("GET", f"{settings.FORCE_SCRIPT_NAME or ''}/healthz", headers={"Host": "localhost"})
            return connection.getresponse().status > 0
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    command = [
        sys.executable, "-m", "gunicorn", "ladder.wsgi:application", "--bind", f"{host}:{port}",
        "--worker-class", "ladder.operations.connections.PatientWorker", "--workers", "1",
        "--threads", str(settings.WEB_THREADS), "--timeout", "120", "--graceful-timeout", "5",
        "--no-control-socket", "--logger-class", "ladder.operations.logs.OneFormat",
    ]  # fmt: skip
    return Part("web", command, is_ready)


def live_part() -> Part:
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "stream"]
    return Part("live", command, lambda: last_report() is not None)


def worker_part(name: str, queue: str, size: int) -> Part:
    node = f"{name}@{socket.gethostname()}"

    def is_ready() -> bool:
        return bool(app.control.ping(destination=[node], timeout=0.5))

    command = [
        sys.executable, "-m", "celery", "-A", "ladder", "worker", "--queues", queue, "--concurrency", str(size),
        "--hostname", node, "--loglevel", "INFO", "--without-gossip", "--without-mingle",
    ]  # fmt: skip
    # Killed with the supervisor: a match cut short is handed out again when its lease runs out.
    return Part(name, command, is_ready, stop_s=30, death_signal=signal.SIGKILL)


def beat_part() -> Part:
    schedule = settings.CELERY_BEAT_SCHEDULE_FILENAME
    command = [
        sys.executable, "-m", "celery", "-A", "ladder", "beat", "--loglevel", "WARNING", "--schedule", schedule,
        "--pidfile", "",
    ]  # fmt: skip
    return Part("beat", command, lambda: True)
