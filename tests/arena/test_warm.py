"""Bots forked from a warm parent: nothing of it, of other bots or of earlier matches reaches them, and it may die."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from arena import MatchRecord, require_sandbox
from arena.sandbox import nursery, warm
from arena.sandbox.errors import SandboxUnavailable
from arena.sandbox.process import BotProcess
from arena.sandbox.sandbox_folder import current_folder
from arena.sandbox.warm import Nursery, NurseryLost, nursery_for
from tests.arena.table import PATIENT, make_bot, play_bots, start, words_of
from tests.arena.test_hostile import check_refused


@pytest.fixture(autouse=True)
def warm_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUMRUNNER_STARTS", "warm")
    monkeypatch.setattr(warm, "COLD_S", 0.0)
    if not require_sandbox().wall.is_warm:
        pytest.skip("this machine has no warm starts")


def parent() -> Nursery:
    sandbox = require_sandbox()
    return nursery_for(sandbox.wall, sandbox.folder)


def is_forked(process: BotProcess) -> bool:
    process.end()
    return process.is_warm


def play_two(tmp_path: Path, name: str, **files: str) -> MatchRecord:
    bots = [make_bot(tmp_path, name, files={f"{stem}.txt": text for stem, text in files.items()}) for _ in range(2)]
    return play_bots(*bots, limits=PATIENT)


def shifted(word: str) -> str:
    return "".join(chr(ord(letter) + 1) for letter in word)


def test_a_python_bot_is_forked_from_the_warm_parent_and_is_our_own_child(tmp_path: Path) -> None:
    process = start(make_bot(tmp_path, "good"))
    lines = Path(f"/proc/{process.pid}/status").read_text()
    assert f"PPid:\t{os.getpid()}\n" in lines
    assert is_forked(process)


def test_a_warm_bot_finds_everything_as_a_cold_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = []
    for starts in ("warm", "cold"):
        monkeypatch.setenv("RUMRUNNER_STARTS", starts)
        words = words_of(
            play_bots(make_bot(tmp_path, "tells_about_itself"), make_bot(tmp_path, "good"), limits=PATIENT)
        )
        facts.append(json.loads(words.partition("FACTS ")[2]))
    assert facts[0] == facts[1]


def test_the_log_of_a_crash_is_the_same_to_the_letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "broken.py"
    source.write_text("def f():\n    return undefined_name\n\nf()\n")
    bot, good, logs = make_bot(tmp_path, source), make_bot(tmp_path, "good"), []
    for starts in ("warm", "cold"):
        monkeypatch.setenv("RUMRUNNER_STARTS", starts)
        record = play_bots(bot, good, limits=PATIENT)
        logs.append((words_of(record), record.faults))
    assert "boot.py" in logs[0][0]
    assert logs[0] == logs[1]


def test_no_word_of_the_runner_or_of_an_earlier_match_is_in_a_bots_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUMRUNNER_TEST_SECRET", "hush-hush-1923")
    warm.forget(parent())
    earlier, good = make_bot(tmp_path, "good"), make_bot(tmp_path, "good")
    play_bots(earlier, good, limits=PATIENT)
    bot = make_bot(tmp_path, "searches_memory")
    homes = [str(folder.root.parent) for folder in (current_folder(), require_sandbox().folder)]
    wanted = [bot.mark, earlier.mark, "hush-hush-1923", "staged-", good.mark, *homes]
    (bot.folder / "wanted.txt").write_text("\n".join(map(shifted, wanted)))
    record = play_bots(bot, good, limits=replace(PATIENT, bank_ms=60_000))
    assert (record.ending, record.faults) == ("finished", ()), words_of(record)
    assert "word 0: found" in words_of(record), "it did not even find its own name"
    assert words_of(record).count("found") == 1, words_of(record)
    assert int(words_of(record).split()[1]) > 2_000


def memory_of(pid: int) -> dict[int, bytes]:
    """All that a process can write to, by address."""
    found = {}
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            begin, end = (int(word, 16) for word in line.split()[0].split("-"))
            if "w" in line.split()[1]:
                memory.seek(begin)
                found[begin] = memory.read(end - begin)
    return found


def places_of(words: list[bytes], memory: dict[int, bytes]) -> set[tuple[bytes, int]]:
    places = (
        (word, begin, found) for begin, held in memory.items() for word in words for found in starts_of(word, held)
    )
    return {(word, begin + found) for word, begin, found in places}


def starts_of(word: bytes, held: bytes) -> Iterator[int]:
    at = held.find(word)
    while at >= 0:
        yield at
        at = held.find(word, at + 1)


def test_the_number_of_an_earlier_bot_is_not_left_in_the_memory_that_later_ones_get(tmp_path: Path) -> None:
    """Every thread of a bot moves these numbers on, for the whole host: so one could tell the next ones something."""
    bot, pid = make_bot(tmp_path, "good"), parent().pid
    for _ in range(3):
        is_forked(start(bot))
    before, numbers = memory_of(pid), []
    for _ in range(2):
        process = start(bot)
        numbers.append(process.pid)
        assert is_forked(process)
    words = [word for number in numbers for word in (b"%d" % number, number.to_bytes(4, "little"))]
    assert places_of(words, memory_of(pid)) <= places_of(words, before)


def test_no_two_bots_draw_the_same_numbers(tmp_path: Path) -> None:
    records = [play_two(tmp_path, "draws_numbers") for _ in range(2)]
    drawn = [word for record in records for seat in (0, 1) for word in words_of(record, seat).split()]
    assert len(drawn) == 8
    assert len(set(drawn)) == 8


def test_what_a_bot_changes_in_what_it_inherited_is_seen_by_nobody(tmp_path: Path) -> None:
    for _ in range(2):
        record = play_two(tmp_path, "marks_what_is_shared")
        for seat in (0, 1):
            check_refused(record, seat)
            assert "marked XXXX" in words_of(record, seat)


def test_a_bot_can_not_live_its_parents_life(tmp_path: Path) -> None:
    record = play_two(tmp_path, "lives_its_parents_life")
    for seat in (0, 1):
        check_refused(record, seat)
        assert "found 1" in words_of(record, seat)


def test_the_parent_has_no_memory_that_a_fork_would_share_writably() -> None:
    table = Path(f"/proc/{parent().pid}/maps").read_text().splitlines()
    assert len(table) > 50
    assert [line for line in table if line.split()[1].endswith("s") and "w" in line.split()[1]] == []


def test_the_parent_has_neither_our_environment_nor_our_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUMRUNNER_TEST_SECRET", "hush-hush-1923")
    warm.forget(parent())
    folder = Path(f"/proc/{parent().pid}")
    names = {word.partition(b"=")[0] for word in (folder / "environ").read_bytes().split(b"\0") if word}
    assert names == {b"PATH", b"LANG", b"HOME", b"PWD", b"OPENBLAS_NUM_THREADS", b"OMP_NUM_THREADS", b"PYTHONHASHSEED"}
    kinds = sorted(os.readlink(path).partition(":")[0] for path in (folder / "fd").iterdir())
    assert kinds == ["/proc", "mnt", "mnt", "pipe", "pipe", "pipe", "socket"]


def test_the_parent_can_be_neither_read_nor_killed_by_its_bots(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "kills_others", files={"wanted.txt": str(parent().pid)})
    before = parent().pid
    check_refused(play_bots(bot, make_bot(tmp_path, "good"), limits=PATIENT))
    assert parent().pid == before


def test_forking_bots_leaves_no_descriptor_in_the_parent(tmp_path: Path) -> None:
    folder = Path(f"/proc/{parent().pid}/fd")
    play_two(tmp_path, "good")  # from here on it has a network for each of two bots
    before = len(list(folder.iterdir()))
    play_two(tmp_path, "good")
    assert len(list(folder.iterdir())) == before


def network_of(process: BotProcess) -> int:
    return os.stat(f"/proc/{process.pid}/ns/net").st_ino


def test_two_bots_are_never_in_one_network_and_the_next_gets_one_that_is_free(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "good")
    first, second = start(bot), start(bot)
    ours, used = os.stat("/proc/self/ns/net").st_ino, [network_of(first), network_of(second)]
    assert len({ours, *used}) == 3
    first.end()
    third = start(bot)
    assert network_of(third) == used[0]
    for process in (second, third):
        process.end()


def test_a_bot_that_nobody_has_seen_the_end_of_keeps_its_network(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "good")
    first = start(bot)
    used = network_of(first)
    first.outer.kill()
    second = start(bot)
    assert network_of(second) != used
    for process in (first, second):
        process.end()


def logs_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, *starts: str) -> list[str]:
    """What a bot of this source leaves in its log, start by start."""
    source = tmp_path / "source.py"
    source.write_text(text)
    bot, good, logs = make_bot(tmp_path, source), make_bot(tmp_path, "good"), []
    for how in starts:
        monkeypatch.setenv("RUMRUNNER_STARTS", how)
        logs.append(words_of(play_bots(bot, good, limits=PATIENT)))
    return logs


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def f():\n    return undefined_name\n\nf()\n", "in f\n"),
        ("from seat import play\nprint('a' is 'a')\n", "SyntaxWarning"),
        ("def f(:\n", "SyntaxError"),
    ],
)
def test_the_log_is_the_same_whether_its_source_was_compiled_before_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    logs = logs_of(tmp_path, monkeypatch, text, "cold", "warm", "warm", "warm")
    assert said in logs[0]
    assert logs == [logs[0]] * 4


def test_a_source_is_compiled_once_and_nobody_can_write_to_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "import sys\nsys.stderr.write('kept')\nfrom seat import play\nplay()\n"
    assert logs_of(tmp_path, monkeypatch, source, "warm", "warm") == ["kept", "kept"]
    entry, programs = tmp_path / "copy.py", warm.Programs()
    entry.write_text(source)
    first = programs.of(tmp_path, "copy.py")
    assert programs.of(tmp_path, "copy.py") != first, "a second one may not write while the first does"
    os.pwrite(first, b"whole", warm.LENGTH.size)
    os.pwrite(first, warm.LENGTH.pack(5), 0)
    assert programs.of(tmp_path, "copy.py") == first
    with pytest.raises(PermissionError):
        os.pwrite(first, b"other", warm.LENGTH.size)
    entry.write_text(source + "\n")
    assert programs.of(tmp_path, "copy.py") != first
    programs.close()


def test_a_bots_own_codec_can_leave_nothing_for_its_next_match(tmp_path: Path) -> None:
    """A source may name a coding whose module imports another, which Python then takes from the bot's folder."""
    source = tmp_path / "coded.py"
    source.write_text("# coding: quopri\nfrom seat import play\nplay()\n")
    codec = """
import os, sys
for number in range(3, 64):
    try:
        sys.stderr.write(f"{number} holds {os.pread(number, 64, 0)}\\n")
        os.pwrite(number, b"told by the first", 0)
    except OSError:
        pass
sys.stderr.write("own codec\\n")
"""
    bot, good = make_bot(tmp_path, source, files={"quopri.py": codec}), make_bot(tmp_path, "good")
    logs = [words_of(play_bots(bot, good, limits=PATIENT)) for _ in range(2)]
    assert "own codec" in logs[0]
    assert [line for log in logs for line in log.splitlines() if "holds" in line and "coding" not in line] == []
    assert logs[0] == logs[1]


@pytest.mark.parametrize(
    ("codec", "kind"),
    [
        ("while True: pass\n", "timeout"),
        ("import os\nos._exit(0)\n", "crash"),
        ("held = bytearray(1 << 30)\n", "out_of_memory"),
    ],
)
def test_what_a_bots_own_codec_does_at_the_start_is_its_own_fault(
    tmp_path: Path, starts: str, codec: str, kind: str
) -> None:
    source = tmp_path / "coded.py"
    source.write_text("# coding: quopri\nfrom seat import play\nplay()\n")
    bot, good = make_bot(tmp_path, source, files={"quopri.py": codec}), make_bot(tmp_path, "good")
    record = play_bots(bot, good, limits=replace(PATIENT, start_ms=500))
    if "too busy" in record.host.problem:
        pytest.skip("the core is busy indeed")
    assert [(fault.seat, fault.kind, fault.stage) for fault in record.faults] == [(0, kind, "start")], record.host


def test_a_program_whose_writer_died_or_is_not_done_is_not_started(tmp_path: Path) -> None:
    entry, programs = tmp_path / "main.py", warm.Programs()
    entry.write_text("pass\n")
    first = programs.of(tmp_path, "main.py")
    os.pwrite(first, b"all but its length", warm.LENGTH.size)
    assert programs.of(tmp_path, "main.py") != first
    os.pwrite(first, warm.LENGTH.pack(18), 0)
    assert programs.of(tmp_path, "main.py") == first
    programs.close()


def test_only_so_many_programs_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "MOST_PROGRAMS", 3)
    programs, entry, before = warm.Programs(), tmp_path / "main.py", len(os.listdir("/proc/self/fd"))
    for number in range(10):
        entry.write_text(f"{number}")
        programs.of(tmp_path, "main.py")
    assert len(os.listdir("/proc/self/fd")) == before + 3
    programs.close()


def test_a_call_that_the_kernel_refuses_is_named_and_none_after_it_is_made(tmp_path: Path) -> None:
    made, never = (f"{tmp_path}/{name}".encode() for name in ("made", "never"))
    rows = [("first", 83, made, 0o700), ("second", 83, made, 0o700), ("third", 83, never, 0o700)]
    with pytest.raises(nursery.KernelRefused, match="second: File exists"):
        nursery.Batch(rows).run()
    assert os.listdir(tmp_path) == ["made"]


def test_a_call_gets_the_result_of_an_earlier_one_and_what_was_filled_in(tmp_path: Path) -> None:
    path = tmp_path / "file"
    opened = ("open", 257, -100, str(path).encode(), os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    batch = nursery.Batch([opened, ("write", 1, nursery.Result("open"), b"sixteen", nursery.Given("size"))])
    ctypes.c_int64.from_address(batch.place_of("size")).value = 3
    assert batch.run() == "end"
    assert path.read_text() == "six"


def test_after_a_zero_another_row_may_follow_and_a_result_may_go_anywhere(tmp_path: Path) -> None:
    made, never, result = f"{tmp_path}/made".encode(), f"{tmp_path}/never".encode(), ctypes.c_int64(7)
    rows = [("make", 83, made, 0o700), ("skipped", 83, never, 0o700), ("stop", nursery.Batch.END)]
    batch = nursery.Batch(rows, if_zero={"make": "stop"}, into={"make": ctypes.addressof(result)})
    assert (batch.run(), result.value, os.listdir(tmp_path)) == ("stop", 0, ["made"])
    assert batch.run("skipped") == "stop"
    assert sorted(os.listdir(tmp_path)) == ["made", "never"]


def test_when_the_parent_dies_a_running_bot_plays_on_and_the_next_gets_a_new_one(tmp_path: Path) -> None:
    bots, old = [make_bot(tmp_path, "good") for _ in range(2)], parent().pid
    record = play_bots(*bots, limits=PATIENT, on_progress=lambda _: kill(old))
    assert (record.ending, record.faults) == ("finished", ())
    record = play_bots(*bots, limits=PATIENT)
    assert (record.ending, record.faults) == ("finished", ())
    assert parent().pid != old


def kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def test_a_parent_that_does_not_answer_is_given_up_and_the_bot_starts_cold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "FORKING_S", 0.3)
    warm.forget(parent())
    os.kill(parent().pid, signal.SIGSTOP)
    assert not is_forked(start(make_bot(tmp_path, "good")))


def test_a_bot_whose_number_was_never_told_is_ended_and_reaped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot, unheard = make_bot(tmp_path, "ignores_signals"), []

    def hear_too_late(nursery: Nursery, *_: object) -> bytes:
        unheard.extend(warm.CHILD.unpack(nursery._line.recv(warm.CHILD.size)))
        raise TimeoutError("timed out")

    parent()
    monkeypatch.setattr(Nursery, "_hear", hear_too_late)
    assert not is_forked(start(bot))
    assert len(unheard) == 1
    assert not os.path.exists(f"/proc/{unheard[0]}")


def test_a_parent_that_can_not_come_up_leaves_bots_to_start_cold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm.forget(parent())
    monkeypatch.setattr(warm.sys, "executable", "/nowhere/python")
    assert not is_forked(start(make_bot(tmp_path, "good")))


def test_where_a_parent_did_not_come_up_no_bot_waits_for_another_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, tries = make_bot(tmp_path, "good"), []
    monkeypatch.setattr(warm, "COLD_S", 3600.0)
    monkeypatch.setattr(warm, "Nursery", lambda *_: tries.append("tried") or fail())
    with ThreadPoolExecutor(1) as another:  # every thread has a parent of its own, and this one none yet
        assert [another.submit(lambda: is_forked(start(bot))).result() for _ in range(3)] == [False] * 3
    assert tries == ["tried"]


def fail() -> Nursery:
    raise NurseryLost("it did not come up")


def test_a_parent_of_another_sandbox_folder_forks_nothing() -> None:
    sandbox, old = require_sandbox(), parent()
    newer = replace(sandbox.folder, digest="0" * 64)
    assert nursery_for(sandbox.wall, newer).pid != old.pid
    until = time.monotonic() + 120
    while os.path.exists(f"/proc/{old.pid}") and time.monotonic() < until:
        time.sleep(0.01)
    assert not os.path.exists(f"/proc/{old.pid}")


def test_a_bot_that_brings_a_module_of_a_name_already_loaded_starts_cold_and_gets_its_own(tmp_path: Path) -> None:
    source = tmp_path / "own.py"
    source.write_text("import sys, heapq\nsys.stderr.write(heapq.WHOSE)\nfrom seat import play\nplay()\n")
    bot = make_bot(tmp_path, source, files={"heapq.py": "WHOSE = 'its own'\n"})
    assert not is_forked(start(bot))
    assert words_of(play_bots(bot, make_bot(tmp_path, "good"), limits=PATIENT)) == "its own"


def test_where_what_is_loaded_takes_most_of_a_bots_memory_it_starts_cold(tmp_path: Path) -> None:
    bot, loaded_mib = make_bot(tmp_path, "good"), parent().bytes >> 20
    assert not is_forked(start(bot, memory_mib=loaded_mib + 8))
    assert is_forked(start(bot, memory_mib=loaded_mib + 32))


def test_memory_that_was_the_parents_counts_as_the_bots(tmp_path: Path) -> None:
    """Its limit is on all its addresses, and its peak begins with all it shares: never less than a cold start's."""
    process = start(make_bot(tmp_path, "good"))
    lines = dict(line.split(":\t", 1) for line in Path(f"/proc/{process.pid}/status").read_text().splitlines())
    process.end()
    assert int(lines["VmSize"].split()[0]) * 1024 >= parent().bytes - (1 << 20)
    assert process.peak_memory_kib > 10_000


def test_an_unknown_kind_of_start_is_refused_with_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUMRUNNER_STARTS", "tepid")
    with pytest.raises(SandboxUnavailable, match=r"RUMRUNNER_STARTS is 'tepid'.*warm or cold"):
        require_sandbox()
