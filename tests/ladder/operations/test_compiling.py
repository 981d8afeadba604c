"""The engines are compiled beside the service, and what is begun is stopped with it."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from ladder.operations import compiling
from ladder.operations.logs import Rotation
from ladder.operations.supervisor import Supervisor


@pytest.fixture
def slow_builder(tmp_path: Path, settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout whose builder takes a minute, and a source that has no build."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "compile_engines.py").write_text("import time; time.sleep(60)")
    settings.BASE_DIR = tmp_path
    monkeypatch.setattr(compiling, "current_build", lambda: None)
    monkeypatch.delenv("RUMRUNNER_ENGINES")
    return tmp_path / "compiling.log"


def test_it_is_begun_aside_and_stopped_with_the_service(slow_builder: Path) -> None:
    builder = compiling.compile_aside(slow_builder)
    assert builder is not None
    assert builder.poll() is None
    compiling.stop_compiling(builder)
    assert builder.poll() is not None


def test_a_builder_that_has_ended_is_gone_from_the_processes_while_the_service_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    supervisor = Supervisor(tmp_path, lambda text: None, rotation=Rotation(most_bytes=1000, kept=2))
    monkeypatch.setattr(time, "sleep", lambda seconds: setattr(supervisor, "stopping", True))  # after one round
    builder = subprocess.Popen(["true"])
    os.waitid(os.P_PID, builder.pid, os.WEXITED | os.WNOWAIT)
    supervisor.watch(beside=builder)
    assert not Path(f"/proc/{builder.pid}").exists()


def test_nothing_is_begun_where_pure_engines_are_asked_for(slow_builder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUMRUNNER_ENGINES", "pure")
    assert compiling.compile_aside(slow_builder) is None


def test_nothing_is_begun_where_a_build_is_there(slow_builder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "current_build", lambda: "/some/build")
    assert compiling.compile_aside(slow_builder) is None
    compiling.stop_compiling(None)
