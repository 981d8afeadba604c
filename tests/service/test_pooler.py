"""Workers with narrow rights behind pgbouncer, set up as docs/9 says, play and hold few connections of the database."""

from __future__ import annotations

import re
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.service.harness import ROOT, Service
from tests.service.ports import free_port
from tests.service.postgres import server_user
from tests.service.test_narrow import Fleet, narrow_fleet, play_a_set

pytestmark = [pytest.mark.service, pytest.mark.slow, pytest.mark.timeout(900)]
POOLER = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin")
PAGE = (ROOT / "docs" / "9-operations.md").read_text()
POOL_SIZE = 4  # as the page says
SECRET = "SELECT format('\"%s\" \"%s\"', rolname, rolpassword) FROM pg_authid WHERE rolname = 'player'"
FROM_POOLER = "select count(*) from pg_stat_activity where usename = 'player'"


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Fleet]:
    if POOLER is None:
        pytest.skip("pgbouncer is not installed")
    with narrow_fleet(tmp_path) as made:
        start_pooler(made)
        yield made


def start_pooler(fleet: Fleet) -> None:
    """With the configuration of the page, on the ports and in the folder of this test."""
    service, port = fleet.service, free_port()
    folder = Path(service.data.joinpath("postgres.folder").read_text())
    database = urlsplit(fleet.database_url)
    told = re.search(r"```ini\n(\[databases\].*?)```", PAGE, re.DOTALL)
    assert told is not None
    configuration = (
        told[1]
        .replace("rumrunner = host=10.0.0.1 port=5432", f"postgres = host=127.0.0.1 port={database.port}")
        .replace("10.0.0.1", "127.0.0.1")
        .replace("6432", str(port))
        .replace("/etc/pgbouncer/userlist.txt", str(folder / "userlist.txt"))
    )
    (folder / "pgbouncer.ini").write_text(f"{configuration}unix_socket_dir =\n")
    (folder / "userlist.txt").write_text(service.one(SECRET))
    service.start("pooler", [str(POOLER), str(folder / "pgbouncer.ini")], **server_user())
    service.wait_for("the pooler", lambda: _listens(port))
    fleet.worker.env["RUMRUNNER_DATABASE_URL"] = fleet.database_url.replace(f":{database.port}/", f":{port}/")


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def connected_workers(service: Service) -> int:
    return int(service.one(FROM_POOLER))


def test_narrow_workers_play_through_a_pooler_and_share_its_connections(fleet: Fleet) -> None:
    play_a_set(fleet)
    assert 1 <= connected_workers(fleet.service) <= POOL_SIZE
    play_a_set(fleet)
    assert 1 <= connected_workers(fleet.service) <= POOL_SIZE
