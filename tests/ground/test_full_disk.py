"""A start on a disk without room: one line that says so and what to do, at whatever step it runs out."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
KIB = 1024
pytestmark = [pytest.mark.service, pytest.mark.slow]


def on_a_disk_of(size, data, *words):
    """Run Python with the data folder, and the bots' sandbox folder in it, on a file system of so many bytes."""
    data.mkdir()
    small = ["bwrap", "--dev-bind", "/", "/", "--size", str(size), "--tmpfs", str(data), "--die-with-parent", "--"]
    env = {"PATH": os.environ["PATH"], "RUMRUNNER_DATA": str(data), "PORT": str(free_port()), "RUMRUNNER_WORKERS": "1"}
    env["RUMRUNNER_RUNTIME"] = str(data / "runtime")
    return subprocess.run(
        [*small, sys.executable, *words], cwd=ROOT, env=env, capture_output=True, text=True, timeout=300
    )


@pytest.mark.parametrize(
    ("size", "step"), [(4 * KIB, "lock"), (64 * KIB, "tables"), (300 * KIB, "tables"), (4000 * KIB, "static files")]
)
def test_a_full_disk_at_start_is_told_in_one_line(tmp_path, size, step):
    told = on_a_disk_of(size, tmp_path / "data", "manage.py", "up")
    assert told.returncode == 1, step
    assert "Traceback" not in told.stderr
    assert f"the disk under {tmp_path / 'data'} is full" in told.stderr
    assert "RUMRUNNER_DATA" in told.stderr


def test_the_traceback_is_there_for_whoever_asks(tmp_path):
    assert "Traceback" in on_a_disk_of(64 * KIB, tmp_path / "data", "manage.py", "migrate", "--traceback").stderr


def test_a_sandbox_folder_that_does_not_fit_is_told_in_one_line(tmp_path):
    told = on_a_disk_of(64 * KIB, tmp_path / "data", "-m", "arena.sandbox.runtime")
    assert told.returncode == 1
    assert "No space left on device" in told.stderr
    assert len(told.stderr) < 1000
    assert told.stderr.count("\n") == 1


def test_a_command_whose_database_is_away_says_so_in_one_line(tmp_path):
    env = {"PATH": os.environ["PATH"], "RUMRUNNER_DATA": str(tmp_path)}
    env["RUMRUNNER_DATABASE_URL"] = f"postgres://nobody@127.0.0.1:{free_port()}/none"
    words = [sys.executable, "manage.py", "first_start"]
    told = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300)
    assert told.returncode == 1
    assert "the database does not answer" in told.stderr
    assert "Traceback" not in told.stderr
