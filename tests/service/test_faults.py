"""Whatever fails between machines, every scheduled match is counted exactly once when it is over."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.service.bots import SLOW_RANDOM, marked
from tests.service.harness import Service, running
from tests.service.postgres import (
    remove_postgres,
    restart_postgres,
    server_user,
    start_postgres_with_tables,
    stop_postgres,
)
from tests.service.test_kills import LAG, REGISTER, SCHEDULE, check_counts
from tests.service.trouble import HOST, Line, another_machine, cut, full, small_disk, wrong_clock

pytestmark = [pytest.mark.service, pytest.mark.slow, pytest.mark.timeout(1800)]
root_only = pytest.mark.skipif(os.geteuid() != 0, reason="makes namespaces and mounts: run as root")
UNSETTLED = "select count(*) from matches_match where status in ('queued', 'running')"
ATTEMPTS = "select cause, count(*) from matches_failedattempt group by cause order by cause"
DAY_S = 86_400
LONG_CUT_S = float(os.environ.get("RUMRUNNER_CUT_S", "300"))


class Fleet:
    """A service on PostgreSQL and a broker with ports, the matches it was given, and further machines."""

    def __init__(self, service: Service, stack: ExitStack) -> None:
        self.service, self._stack, self.scheduled = service, stack, list[int]()
        self.players: list[Service] = []

    def schedule(self, sets: int) -> None:
        sources = json.dumps([marked(SLOW_RANDOM).decode() for _ in range(3)])
        if not self.scheduled:
            self.service.ask(f"import io; sys.stdin = io.StringIO({sources!r})\n{REGISTER}")
        self.scheduled += self.service.ask(SCHEDULE.format(sets=sets))

    def add_machine(
        self, name: str, *, prefix: list[str] | None = None, data: Path | None = None, **env: str
    ) -> Service:
        """A machine that plays, with a data folder of its own."""
        machine = self._stack.enter_context(running(data or self.service.data.parent / name))
        machine.env = self.service.env | {"RUMRUNNER_DATA": str(machine.data)} | env
        machine.prefix = prefix or []
        machine.start_worker("matches", name=name)
        self.players.append(machine)
        return machine

    def far(self, *, host: str = "127.0.0.1", delay_s: float = 0.0) -> dict[str, str]:
        """The addresses of database and broker at the other end of a line."""
        env = {}
        for setting, delay in (("RUMRUNNER_DATABASE_URL", delay_s), ("RUMRUNNER_BROKER_URL", 0.0)):
            url = urlsplit(self.service.env[setting])
            line = Line(url.port or 0, host=host, delay_s=delay)
            self._stack.callback(line.close)
            env[setting] = self.service.env[setting].replace(f"127.0.0.1:{url.port}", line.address)
        return env

    def revive(self) -> None:
        """Start again what has ended by itself, as ``up``, systemd and containers do."""
        for machine in (self.service, *self.players):
            ended = [name for name, process in machine.processes.items() if process.poll() is not None]
            for name in sorted(ended, key=lambda name: name != "postgres"):
                process = machine.processes[name]
                machine.start(name, list(process.args), **(server_user() if name == "postgres" else {}))

    def unsettled(self) -> int:
        self.revive()
        try:
            return int(self.service.one(UNSETTLED))
        except psycopg.OperationalError:
            return -1

    def wait_until_playing(self) -> None:
        half = len(self.scheduled) - 2
        self.service.wait_for("the first results", lambda: 0 < self.unsettled() <= half)

    def finish(self, note: Callable[[str, object], None]) -> None:
        """Wait for the end of everything, count, and write down what there was to count."""
        self.service.wait_for("the end of all matches", lambda: self.unsettled() == 0, patience_s=900)
        self.service.wait_for("the last rating", lambda: self.service.one(LAG) == 0)
        check_counts(self.service, self.scheduled)
        assert "no differences" in self.service.manage("recompute_ratings", "--check")
        note("matches counted once", len(self.scheduled))
        for cause, count in self.service.sql(ATTEMPTS):
            note(f"attempts {cause} and repeated", count)


@contextmanager
def fleet(
    folder: Path, *, lease_s: int = 4, disk: Path | None = None, broker_disk: Path | None = None
) -> Iterator[Fleet]:
    """The machine of the service with one beat and one worker that rates, and nobody who plays yet."""
    with ExitStack() as stack:
        service = Service(folder / "service", RUMRUNNER_LEASE_S=str(lease_s), RUMRUNNER_DEMO="false")
        stack.callback(remove_postgres, service)
        stack.callback(service.stop)
        start_postgres_with_tables(service, disk=disk)
        if broker_disk:
            (service.data / "broker").symlink_to(broker_disk)
        service.start_broker(tcp=True)
        service.prepare()
        service.start_worker("service")
        service.start_beat()
        yield Fleet(service, stack)


def crash_database(service: Service, *, away_s: float) -> None:
    """PostgreSQL ends as in a crash, and comes back."""
    stop_postgres(service, with_signal=signal.SIGQUIT)
    time.sleep(away_s)
    restart_postgres(service)


def start_second_beat(service: Service) -> None:
    schedule = str(service.data / "second-beat")
    service.start("second beat", [sys.executable, "-m", "celery", "-A", "ladder", "beat", "-s", schedule])


def test_crashes_flushes_and_two_beats_lose_and_double_nothing(tmp_path: Path, record_property) -> None:
    with fleet(tmp_path) as machines:
        start_second_beat(machines.service)
        machines.schedule(6)
        machines.add_machine("player")
        machines.wait_until_playing()
        machines.service.broker().flushall()
        crash_database(machines.service, away_s=1)
        machines.finish(record_property)


@pytest.mark.soak
def test_a_database_that_crashes_again_and_again_loses_nothing(tmp_path: Path, record_property) -> None:
    with fleet(tmp_path) as machines:
        machines.schedule(30)
        machines.add_machine("player")
        for away_s in (0, 1, 3, 10, 20):
            time.sleep(3)
            crash_database(machines.service, away_s=away_s)
        record_property("crashes", 5)
        machines.finish(record_property)


@pytest.mark.soak
def test_a_broker_that_is_flushed_again_and_again_loses_nothing(tmp_path: Path, record_property) -> None:
    with fleet(tmp_path) as machines:
        machines.schedule(30)
        machines.add_machine("player")
        for _ in range(20):
            time.sleep(0.5)
            machines.service.broker().flushall()
        record_property("flushes", 20)
        machines.finish(record_property)


@pytest.mark.soak
def test_two_beats_and_two_raters_do_everything_once(tmp_path: Path, record_property) -> None:
    with fleet(tmp_path, lease_s=30) as machines:
        start_second_beat(machines.service)
        machines.service.start_worker("service", name="second rater")
        machines.schedule(30)
        machines.add_machine("player")
        machines.finish(record_property)
        record_property("beats", 2)
        assert machines.service.sql(ATTEMPTS) == []


@root_only
@pytest.mark.soak
def test_a_machine_that_is_cut_off_and_comes_back_doubles_nothing(tmp_path: Path, record_property) -> None:
    with another_machine() as (prefix, cable), fleet(tmp_path) as machines:
        machines.schedule(30)
        machines.add_machine("far", prefix=prefix, **machines.far(host=HOST))
        machines.wait_until_playing()
        with cut(cable):
            machines.add_machine("near")
            time.sleep(LONG_CUT_S)
            machines.schedule(10)
        record_property("seconds cut off", LONG_CUT_S)
        machines.finish(record_property)


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_workers_whose_clocks_are_wrong_by_a_day_lose_no_lease(tmp_path: Path, record_property) -> None:
    with fleet(tmp_path, lease_s=30) as machines:
        machines.schedule(15)
        machines.add_machine("early", **wrong_clock(tmp_path, by_s=-DAY_S))
        machines.add_machine("late", **wrong_clock(tmp_path, by_s=DAY_S))
        machines.finish(record_property)
        assert machines.service.sql(ATTEMPTS) == []


@root_only
@pytest.mark.soak
@pytest.mark.parametrize("host", ["database", "broker", "worker"])
def test_a_full_disk_stops_its_host_until_there_is_room(tmp_path: Path, record_property, host: str) -> None:
    with small_disk(mib=400) as disk:
        places = {"database": {"disk": disk}, "broker": {"broker_disk": disk}, "worker": {}}[host]
        with fleet(tmp_path, **places) as machines:
            machines.schedule(15)
            machines.add_machine("player", data=disk / "player" if host == "worker" else None)
            machines.wait_until_playing()
            with full(disk):
                time.sleep(20)
            machines.finish(record_property)


@pytest.mark.soak
def test_a_database_that_takes_a_tenth_of_a_second_each_time_is_only_slow(tmp_path: Path, record_property) -> None:
    with fleet(tmp_path, lease_s=30) as machines:
        machines.schedule(15)
        machines.add_machine("far", **machines.far(delay_s=0.1))
        machines.finish(record_property)
        assert machines.service.sql(ATTEMPTS) == []
