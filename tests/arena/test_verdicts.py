"""Which verdict is given where several could be: what a bot holds before its time, its own end before the clock's."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from arena import referee, require_sandbox
from arena.clock import Spent, Stopwatch
from arena.sandbox.process import BotProcess, filters
from arena.sandbox.room import Room
from arena.sandbox.warm import nursery_for
from tests.arena.table import SHORT, make_bot, play_bots

pytestmark = pytest.mark.usefixtures("starts")


def time_is_up(watch: Stopwatch) -> tuple[Spent, str]:
    return Spent(cpu_ms=1.0, wall_ms=1.0), "timeout"


def test_a_bot_that_holds_too_much_when_its_time_is_up_is_out_of_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Stopwatch, "look", time_is_up)
    monkeypatch.setattr(BotProcess, "read_peak", lambda process: setattr(process, "peak_memory_kib", 1 << 20))
    record = play_bots(make_bot(tmp_path, "never_ready"), make_bot(tmp_path, "never_ready"))
    assert {fault.kind for fault in record.faults} == {"out_of_memory"}


def test_a_bot_whose_death_takes_longer_than_its_time_is_judged_by_its_death(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel may take seconds to end a program; here the referee is never told that it is gone."""
    monkeypatch.setattr(referee, "EARS", ("stdout",))
    limits = replace(SHORT, bank_ms=5_000)  # on a busy machine memory is slow to come
    record = play_bots(make_bot(tmp_path, "good"), make_bot(tmp_path, "hoards_memory"), limits=limits)
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(1, "out_of_memory")], record.faults


def test_a_cell_that_is_not_set_up_in_time_is_the_hosts_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stopwatch, "look", time_is_up)
    monkeypatch.setattr(BotProcess, "is_set_up", lambda process: False)
    record = play_bots(make_bot(tmp_path, "never_ready"), make_bot(tmp_path, "good"))
    assert (record.ending, record.faults) == ("host_fault", ())
    assert "did not set up a bot's cell" in record.host.problem


def test_the_kernel_tells_a_cell_that_is_set_up_from_one_that_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    look = Stopwatch.look

    def looked(watch: Stopwatch) -> object:
        seen.append(watch.bot.is_set_up())  # type: ignore[attr-defined]
        return look(watch)

    monkeypatch.setattr(Stopwatch, "look", looked)
    play_bots(make_bot(tmp_path, "never_ready"), make_bot(tmp_path, "good"), limits=SHORT)
    assert any(seen)


def test_before_its_cell_is_set_up_no_file_of_the_host_is_counted_as_a_bots(starts: str) -> None:
    """A warm bot begins where its parent stands: in the sandbox folder, whose files are no bot's."""
    if starts == "cold":
        pytest.skip("there is no warm parent")
    sandbox = require_sandbox()
    parent = nursery_for(sandbox.wall, sandbox.folder)
    assert filters(parent.pid) == filters(os.getpid())
    with pytest.raises(FileNotFoundError, match="no /tmp of its own"):
        Room(parent.pid)
