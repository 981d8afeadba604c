"""Processes that are forked from one with the libraries behave as those that the interpreter starts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.service.loaded import ROOT, Forked, Libraries, parent_for

ENV = {"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]}


def parent() -> Libraries:
    found = parent_for([sys.executable], ENV)
    assert found is not None
    return found


def started(code: str, log: Path) -> Forked:
    with log.open("ab") as out:
        return parent().start([sys.executable, "-c", code], env=ENV, out=out.fileno(), err=out.fileno())


def test_it_has_the_output_environment_and_words_it_was_given(tmp_path: Path) -> None:
    code = "import os, sys; print(sys.argv, sorted(os.environ), __name__); print('wrong', file=sys.stderr)"
    both = [
        parent().run([sys.executable, "-c", code, "a", "b"], env=ENV, timeout=300),
        subprocess.run([sys.executable, "-c", code, "a", "b"], env=ENV, capture_output=True, text=True, timeout=300),
    ]
    assert [(done.returncode, done.stdout.replace("'LC_CTYPE', ", ""), done.stderr) for done in both] == [
        (0, "['-c', 'a', 'b'] ['PATH', 'PYTHONPATH'] __main__\n", "wrong\n")
    ] * 2


@pytest.mark.parametrize(
    ("code", "expected"), [("raise SystemExit(3)", 3), ("1 / 0", 1), ("import os; os.kill(os.getpid(), 9)", -9)]
)
def test_its_exit_code_is_told(code: str, expected: int, tmp_path: Path) -> None:
    process = started(code, tmp_path / "log")
    assert process.wait(300) == process.poll() == process.returncode == expected


def test_it_reads_settings_of_its_own_and_nothing_of_ours_is_loaded_before() -> None:
    code = "import sys; from django.conf import settings; print(settings.configured, sorted(sys.modules))"
    told = parent().run([sys.executable, "-c", code], env=ENV, timeout=300).stdout
    assert told.startswith("False")
    assert "'celery.apps.worker'" in told
    assert not [package for package in ("ladder", "arena", "engines") if f"'{package}" in told]


def service_in(folder: Path, **more: str) -> dict[str, str]:
    return {**ENV, "DJANGO_SETTINGS_MODULE": "ladder.settings", "RUMRUNNER_DATA": str(folder), **more}


SEEN = """
from django.conf import settings
from django.db import connections
print(settings.configured, settings.BOTS_A_USER, [one.connection for one in connections.all()])
"""


def test_where_django_was_set_up_it_has_its_environment_s_settings_and_no_connection(tmp_path: Path) -> None:
    told = []
    for number in ("3", "4"):
        env = service_in(tmp_path, RUMRUNNER_BOTS_A_USER=number)
        ready = parent().set_up(env)
        assert ready is not None
        told.append(ready.run([sys.executable, "-c", SEEN], env=env, timeout=300).stdout)
        ready.end()
    assert told == ["True 3 [None]\n", "True 4 [None]\n"]


def test_nothing_is_set_up_where_the_settings_refuse_to_be_read(tmp_path: Path) -> None:
    assert parent().set_up(service_in(tmp_path, RUMRUNNER_BOTS_A_USER="many")) is None


def test_two_of_the_same_parent_have_chances_of_their_own(tmp_path: Path) -> None:
    env = service_in(tmp_path)
    ready = parent().set_up(env)
    assert ready is not None
    words = [sys.executable, "-c", "import random, uuid; print(random.random(), uuid.uuid4())"]
    assert ready.run(words, env=env, timeout=300).stdout != ready.run(words, env=env, timeout=300).stdout
    ready.end()


def test_it_lives_until_it_is_told_to_end(tmp_path: Path) -> None:
    process = started("import time; print('here', flush=True); time.sleep(600)", tmp_path / "log")
    while not (tmp_path / "log").read_text():
        time.sleep(0.01)
    assert process.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.01)
    process.send_signal(signal.SIGTERM)
    assert process.wait(300) == -signal.SIGTERM
    assert not psutil.pid_exists(process.pid)
    process.kill()  # does nothing, and to nobody


def test_a_module_and_a_script_run_as_the_main_one(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import sys\nif __name__ == '__main__': print(sys.argv[1:])")
    for words in ([str(tmp_path / "script.py"), "gin"], ["-m", "json.tool", "--help"]):
        told = parent().run([sys.executable, *words], env=ENV, timeout=300)
        assert (told.returncode, "gin" in told.stdout or "usage" in told.stdout) == (0, True), told


@pytest.mark.parametrize(
    ("command", "more"),
    [(["/bin/true"], {}), ([sys.executable], {"LD_PRELOAD": "/x.so"}), ([sys.executable], {"PYTHONHASHSEED": "1"})],
)
def test_what_the_interpreter_would_start_otherwise_is_not_forked(command: list[str], more: dict[str, str]) -> None:
    assert parent_for(command, ENV | more) is None


def test_nobody_survives_the_process_with_the_libraries(tmp_path: Path) -> None:
    alone = Libraries()
    with (tmp_path / "log").open("ab") as out:
        words = [sys.executable, "-c", "import time; time.sleep(600)"]
        process = alone.start(words, env=ENV, out=out.fileno(), err=out.fileno())
    alone.end()
    assert process.wait(300) == -signal.SIGKILL


def test_nobody_survives_the_process_that_was_set_up(tmp_path: Path) -> None:
    env = service_in(tmp_path)
    ready = parent().set_up(env)
    assert ready is not None
    with (tmp_path / "log").open("ab") as out:
        words = [sys.executable, "-c", "import time; time.sleep(600)"]
        process = ready.start(words, env=env, out=out.fileno(), err=out.fileno())
    ready.end()
    assert process.wait(300) == -signal.SIGKILL
