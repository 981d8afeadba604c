"""What happens when the runner dies, and where there is no sandbox to be had."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from arena import require_sandbox
from arena.sandbox.leases import user_range
from arena.sandbox.orphans import clear_orphans
from arena.sandbox.places import is_root
from arena.sandbox.profile import Cell, command
from arena.sandbox.sandbox_folder import set_up
from arena.sandbox.walls import candidates
from tests.arena.table import PATIENT, Bot, make_bot, play_bots, processes_of

RUNNER = """
import sys
from dataclasses import replace
from pathlib import Path
from engines import GAMES
from tests.arena.countdown import Countdown
GAMES["countdown"] = Countdown()
from arena import require_sandbox
from arena.sandbox.walls import Sandbox, candidates
from tests.arena.table import Bot, play_bots
from arena.sandbox.sandbox_folder import set_up
from arena.sandbox.walls import candidates
set_up()
sandbox = require_sandbox()
wall = next(wall for wall in candidates() if wall.kind == sys.argv[3])
if "--without" in sys.argv:
    wall = replace(wall, without=frozenset({"dies_with_runner"}))
sandbox = Sandbox(replace(wall, is_warm=sandbox.wall.is_warm and wall.has("user_namespace")), sandbox.folder)
folders = [Path(word) for word in sys.argv[1:3]]
from arena import Limits
slow = Limits(start_ms=60_000, turn_ms=60_000, idle_act_ms=60_000, idle_match_ms=60_000)
play_bots(*(Bot(folder, folder.name) for folder in folders), sandbox=sandbox, limits=slow)
"""


def is_running(bot: Bot) -> bool:
    """Whether its own program has begun, so that every layer stands."""
    for pid in processes_of(bot):
        with suppress(OSError):
            lines = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
            if lines["Name"].startswith("python") and len(lines["NSpid"].split()) > 1:
                return True
    return False


def start_runner(*bots: Bot, kind: str | None = None, without: bool = False) -> subprocess.Popen[bytes]:
    """A match in a process of its own, behind some kind of wall, in which somebody will think forever."""
    words = [sys.executable, "-c", RUNNER, *(str(bot.folder) for bot in bots), kind or require_sandbox().wall.kind]
    words += ["--without"] if without else []
    runner = subprocess.Popen(words, cwd=Path(__file__).parents[2], stderr=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while not all(is_running(bot) for bot in bots) and time.monotonic() < until:
        assert runner.poll() is None
        time.sleep(0.02)
    return runner


def wait_until_gone(*bots: Bot, seconds: float = 200.0) -> bool:
    until = time.monotonic() + seconds
    while any(processes_of(bot) for bot in bots):
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


@pytest.mark.usefixtures("starts")
@pytest.mark.parametrize("kind", ["bwrap", "bwrap-wheel", "bwrap-setpriv"])
def test_when_the_runner_is_killed_its_bots_die_with_it_or_by_the_next_runner(kind: str, tmp_path: Path) -> None:
    wall = next((wall for wall in candidates() if wall.kind == kind), None)
    if wall is None:
        pytest.skip(f"{kind} is not to be had here")
    bots = make_bot(tmp_path, "good"), make_bot(tmp_path, "ignores_signals")
    runner = start_runner(*bots, kind=kind)
    runner.kill()
    runner.wait()
    if not wall.has("dies_with_runner"):
        until = time.monotonic() + 200
        while not wait_until_gone(*bots, seconds=0.5) and time.monotonic() < until:
            clear_orphans()
    assert wait_until_gone(*bots)


@pytest.mark.usefixtures("starts")
def test_without_that_layer_they_would_live_on(tmp_path: Path) -> None:
    """The layer "dies_with_runner" is what the test before this one sees."""
    bots = make_bot(tmp_path, "good"), make_bot(tmp_path, "ignores_signals")
    runner = start_runner(*bots, without=True)
    runner.kill()
    runner.wait()
    try:
        assert not wait_until_gone(*bots, seconds=0.5)
        clear_orphans()
    finally:
        for bot in bots:
            for pid in processes_of(bot):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
    assert wait_until_gone(*bots)


def start_half(bot: Bot) -> subprocess.Popen[bytes]:
    """A launcher that has a child but has not yet told it to go on."""
    sandbox, (gate, _), (report, report_end) = require_sandbox(), os.pipe(), os.pipe()
    user = user_range()[-1] if is_root() else None
    cell = Cell(bot.folder, "python", f"{bot.mark}.py", 128, 10, user)
    wall = replace(sandbox.wall, without=frozenset({"no_more_namespaces"}))
    words = command(wall, sandbox.folder, cell, status_fd=report_end, filter_fd=None)
    words = ["--info-fd" if word == "--json-status-fd" else word for word in words]
    words[1:1] = ["--userns-block-fd", str(gate)]
    outer = subprocess.Popen(words, pass_fds=[gate, report_end], env={}, user=user, group=user)
    os.close(report_end)
    assert os.read(report, 10)
    return outer


def test_a_launcher_that_died_in_the_middle_of_a_start_is_cleared_away_by_the_next_runner(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "good")
    for folder in (tmp_path, *list(tmp_path.parents)[:2]):
        folder.chmod(0o755)
    for _ in range(20):
        outer = start_half(bot)
        outer.kill()
        outer.wait()
        was_ours_to_clear = bool(clear_orphans())
        assert wait_until_gone(bot)
        if was_ours_to_clear:
            return
    pytest.fail("nothing was ever left: every time another runner of this machine was faster")


@pytest.mark.usefixtures("starts")
def test_clearing_orphans_leaves_running_matches_alone(tmp_path: Path) -> None:
    bots = make_bot(tmp_path, "good"), make_bot(tmp_path, "good")
    record = play_bots(*bots, limits=PATIENT, on_progress=lambda _: clear_orphans())
    assert (record.ending, record.faults) == ("finished", ())


NO_NAMESPACES = """
import ctypes, os, subprocess, sys
assert ctypes.CDLL(None).unshare(0x10000000) == 0
open("/proc/self/setgroups", "w").write("deny")
open("/proc/self/uid_map", "w").write("1000 %d 1" % int(sys.argv[1]))
open("/proc/self/gid_map", "w").write("1000 %d 1" % int(sys.argv[2]))
open("/proc/sys/user/max_user_namespaces", "w").write("0")
sys.exit(subprocess.run([sys.executable, "-m", *sys.argv[3:]]).returncode)
"""


def in_a_world_without_user_namespaces(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a module where no user namespace can be made any more; only this child lives in that world."""
    set_up()
    ids = [str(os.geteuid()), str(os.getegid())]
    return subprocess.run(
        [sys.executable, "-c", NO_NAMESPACES, *ids, *words],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=200,
    )


def test_without_user_namespaces_matches_are_refused_with_cause_and_cure(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("print()\n")
    done = in_a_world_without_user_namespaces("bots.cli", "play", "gatsby", str(bot), str(bot))
    if "unshare" in done.stderr:
        pytest.skip("this kernel gives no user namespace to try it in")
    assert done.returncode == 3
    assert "SANDBOX UNAVAILABLE" in done.stderr
    assert "user.max_user_namespaces" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_doctor_says_so_too() -> None:
    done = in_a_world_without_user_namespaces("arena", "doctor")
    assert done.returncode == 1
    assert "No match can be played here" in done.stdout
    assert "Fix:" in done.stdout
