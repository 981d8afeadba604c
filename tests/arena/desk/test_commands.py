"""`python -m arena doctor`, as a person reads it."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner, Result

from arena.desk import commands
from arena.sandbox.doctor import Check, DoctorReport

FINE = Check("machine", True, "x86_64, Linux 6.1")
BROKEN = Check("walls", False, "no user namespace [EPERM]", "sysctl user.max_user_namespaces=100")
WANTED = Check("memory cgroups", False, "not delegated", "ask systemd", is_needed=False)


def run(*words: str) -> Result:
    result = CliRunner().invoke(commands.app, list(words), env={"COLUMNS": "200"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def told(monkeypatch: pytest.MonkeyPatch, *checks: Check, sandbox: str = "bwrap") -> Result:
    """What is told of a machine on which this was found."""
    monkeypatch.setattr(commands, "doctor", lambda: DoctorReport(checks, sandbox, ("limits", "syscall_filter")))
    return run("doctor")


def test_the_doctor_finds_this_machine_fit() -> None:
    done = run("doctor")
    assert done.exit_code == 0, done.output
    assert "Matches are played behind" in done.output
    assert "layer syscall_filter" in done.output


def test_a_machine_without_sandbox_is_told_the_cure_and_the_command_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    done = told(monkeypatch, FINE, BROKEN, sandbox="")
    assert done.exit_code == 1
    assert "no user namespace [EPERM]" in done.output
    assert "Fix: sysctl user.max_user_namespaces=100" in done.output
    assert "No match can be played here until the lines marked no are fixed." in done.output


def test_what_is_not_needed_may_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    done = told(monkeypatch, FINE, WANTED)
    assert done.exit_code == 0
    assert "Fix: ask systemd" in done.output
    assert "Matches are played behind bwrap, 2 layers." in done.output


def test_no_cure_is_told_for_what_works(monkeypatch: pytest.MonkeyPatch) -> None:
    healthy = Check("walls", True, "all layers hold", "reinstall bubblewrap")
    assert "Fix:" not in told(monkeypatch, healthy).output


@pytest.mark.parametrize("word", ["play", "verify", "check"])
def test_matches_are_for_the_other_command_line(word: str) -> None:
    done = run(word)
    assert done.exit_code == 2
    assert f"No such command '{word}'" in done.output
