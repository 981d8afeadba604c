"""``manage.py up`` as an operator meets it: one command, readable progress, ordered stop, nothing left behind."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.service import harness
from tests.service.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 300
pytestmark = [pytest.mark.service, pytest.mark.slow]


class Service:
    """A service in a folder of its own."""

    def __init__(self, folder):
        self.port = free_port()
        self.out = folder / "up.out"
        self.data = folder / "data"
        self.data.mkdir(mode=0o755)
        self.env = {
            "PATH": os.environ["PATH"],
            "RUMRUNNER_DATA": str(self.data),
            "RUMRUNNER_DEMO": "false",
            "RUMRUNNER_WORKERS": "1",
            "PORT": str(self.port),
            "COVERAGE_PROCESS_START": "",
        }

    def start(self):
        with self.out.open("w") as out:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up"], cwd=ROOT, env=self.env, stdout=out, stderr=subprocess.STDOUT
            )
        self.wait_for(lambda: "serves at" in self.said() or self.process.poll() is not None)
        return self

    def said(self):
        return self.out.read_text()

    def wait_for(self, condition, patience_s=PATIENCE_S):
        deadline = time.monotonic() + patience_s
        while not condition():
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.2)

    def family(self):
        """The service's processes and all their descendants, as (pid, start time)."""
        parents, started = {}, {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(stat.parent.name)], started[int(stat.parent.name)] = int(fields[1]), fields[19]
        found = {self.process.pid}
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        return {(pid, started[pid]) for pid in found if pid in started}

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(PATIENCE_S)


def survivors(family):
    """Who of these still lives; a zombie does not."""
    alive = set()
    for pid, started in family:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[19] == started and fields[0] != "Z":
            alive.add((pid, started))
    return alive


@pytest.fixture
def service(tmp_path):
    service = Service(tmp_path)
    yield service.start()
    service.end()


@pytest.fixture
def prepared(tmp_path):
    """One whose folder has tables and files already; what `up` makes of an empty one is the other's matter."""
    service = Service(tmp_path)
    before = harness.Service(service.data)
    before.make_tables()
    before.collect_static()
    yield service.start()
    service.end()


def test_up_serves_refuses_a_second_and_stops_in_order(service):
    assert service.process.poll() is None, service.said()
    steps = [line.split("]")[0] for line in service.said().splitlines() if line.startswith("[")]
    assert steps == [f"[{n}/9" for n in range(1, 10)]
    assert "password:" in service.said()
    second = subprocess.run(
        [sys.executable, "manage.py", "up"], cwd=ROOT, env=service.env, capture_output=True, text=True, timeout=300
    )
    assert second.returncode == 1
    assert f"already running on {service.data} (process {service.process.pid})" in second.stderr
    sockets = subprocess.run(["cat", "/proc/net/unix"], capture_output=True, text=True, check=True).stdout
    assert str(service.data / "broker" / "valkey.sock") in sockets
    assert {path.stat().st_mode & 0o777 for path in (service.data, service.data / "broker")} == {0o700}
    family = service.family()
    service.end()
    stopped = [line.removeprefix("stopping ") for line in service.said().splitlines() if line.startswith("stopping")]
    assert stopped == ["beat", "matches", "service", "live", "web", "broker"]
    assert survivors(family) == set()


def test_no_process_outlives_an_up_that_is_killed(prepared):
    assert prepared.process.poll() is None, prepared.said()
    family = prepared.family()
    assert len(family) >= 9  # up, broker, web and its worker, two pools of one with their masters, beat
    prepared.process.kill()
    prepared.process.wait()
    prepared.wait_for(lambda: not survivors(family))


def test_a_busy_port_is_told_before_anything_starts(tmp_path):
    service = Service(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", service.port))
        taken.listen()
        service.start()
    assert service.process.returncode == 1
    assert f"Can't listen on 127.0.0.1:{service.port}" in service.said()
    assert "[1/9]" not in service.said()
    assert "Traceback" not in service.said()
