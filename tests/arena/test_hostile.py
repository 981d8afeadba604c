"""Hostile bots against the real launcher, filter and clock; what they did is judged from outside."""

from __future__ import annotations

import os
import socket
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from arena import MatchRecord
from arena.sandbox import seccomp
from arena.sandbox.runtime_folder import Runtime, current_runtime
from tests.arena.table import PATIENT, SHORT, Bot, Watch, make_bot, play_bots, words_of

pytestmark = pytest.mark.usefixtures("starts")
# Bots that try what is forbidden, are refused, and go on playing.
REFUSED = (
    "forks",
    "sees_others",
    "reads_the_tables",
    "hides_memory",
    "holds_files",
    "fills_disks",
    "writes_outside",
    "asks_the_kernel",
    "asks_about_disks",
    "hides_in_vfork",
    "keeps_files_apart",
    "waits_for_the_kernel",
    "holds_nameless_files",
    "queues_signals",
    "floods_answers",
    "answers_in_crumbs",
    "ponders",
    "slow_but_fair",
    "thinks",
    "thinks_in_threads",
    "stays_after_the_end",
    "floods_stderr",
)
# Bots that lose by what they do, and the fault they get for it.
PUNISHED = {
    "hoards_memory": ("out_of_memory", "act"),
    "hoards_at_start": ("out_of_memory", "start"),
    "runs_32_bit": ("crash", "act"),
    "endless_line": ("output_limit", "act"),
    "endless_lines": ("invalid_answer", "act"),
    "huge_line": ("output_limit", "act"),
    "many_files": ("output_limit", "act"),
    "many_folders": ("output_limit", "act"),
    "loses_its_leader": ("output_limit", "act"),
    "endless_stderr": ("output_limit", "act"),
    "never_answers": ("timeout", "act"),
    "never_ready": ("timeout", "start"),
    "burns_at_start": ("timeout", "start"),
    "burns": ("timeout", "act"),
    "burns_in_threads": ("timeout", "act"),
    "drips": ("timeout", "act"),
    "ticks": ("timeout", "act"),
    "yields": ("timeout", "act"),
    "sleeps_in_turns": ("timeout", "act"),
    "stops_and_goes": ("timeout", "act"),
    "churns_threads": ("timeout", "act"),
    "churns_files": ("timeout", "act"),
    "churns_memory": ("timeout", "act"),
    "churns_pipes": ("timeout", "act"),
    "becomes_another": ("timeout", "act"),
    "tries_to_void": ("timeout", "act"),
    "answers_after_the_look": ("timeout", "act"),
    "fakes_a_kill": ("crash", "act"),
    "kills_itself": ("crash", "act"),
    "drips_stdout": ("output_limit", "act"),
    "ignores_signals": ("timeout", "act"),
    "closes_stdout": ("timeout", "act"),
    "stops_itself": ("timeout", "act"),
    "never_reads": ("timeout", "act"),
}


def check_refused(record: MatchRecord, seat: int = 0) -> None:
    """The seat played to the end, and nothing it tried was done."""
    assert record.ending == "finished", (record.ending, record.host.problem, record.faults, words_of(record, seat))
    assert record.faults == ()
    assert "DONE" not in words_of(record, seat)


def check_next_match_is_fine(tmp_path: Path) -> None:
    bots = make_bot(tmp_path, "good"), make_bot(tmp_path, "good")
    record = play_bots(*bots, limits=PATIENT)
    assert (record.ending, record.ranks, record.faults) == ("finished", (2, 1), ())


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_forbidden_is_refused_and_the_match_goes_on(name: str, tmp_path: Path) -> None:
    bad, good = make_bot(tmp_path, name), make_bot(tmp_path, "good")
    watch = Watch(bad, good)
    record = play_bots(bad, good, limits=PATIENT)
    check_refused(record)
    watch.assert_unharmed(record)
    check_next_match_is_fine(tmp_path)


@pytest.mark.parametrize(("name", "kind", "stage"), [(name, *blame) for name, blame in PUNISHED.items()])
def test_a_bot_that_breaks_the_table_loses_and_is_gone(name: str, kind: str, stage: str, tmp_path: Path) -> None:
    good, bad = make_bot(tmp_path, "good"), make_bot(tmp_path, name)
    watch = Watch(good, bad)
    record = play_bots(good, bad, limits=SHORT if kind == "timeout" else PATIENT)
    if "too busy" in record.host.problem:
        pytest.skip("the core is busy indeed")
    assert [(fault.seat, fault.kind, fault.stage) for fault in record.faults] == [(1, kind, stage)], words_of(
        record, 1
    )[-300:]
    assert (record.ending, record.ranks, record.outcome) == (kind, (1, 2), None)
    watch.assert_unharmed(record)
    check_next_match_is_fine(tmp_path)


def test_threads_that_wait_for_each_other_do_not_make_the_host_look_busy(tmp_path: Path) -> None:
    good, bad = make_bot(tmp_path, "good"), make_bot(tmp_path, "fakes_waits")
    record = play_bots(good, bad, limits=replace(SHORT, bank_ms=700))
    if "too busy" in record.host.problem:
        pytest.skip("the core is busy indeed")
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(1, "timeout")], record.host
    assert record.ranks == (1, 2)


def test_no_system_call_is_answered_but_those_on_the_list(tmp_path: Path) -> None:
    by_arguments = (seccomp.syscalls.MMAP, seccomp.syscalls.FCNTL, seccomp.syscalls.CLONE3)
    unfiltered = (335, 336)  # uretprobe and uprobe: newer kernels let no filter see them, and end whoever calls them
    listed = " ".join(map(str, [*seccomp.syscalls.ALLOWED.values(), *by_arguments, *unfiltered]))
    bad = make_bot(tmp_path, "tries_every_call", files={"wanted.txt": listed})
    record = play_bots(bad, make_bot(tmp_path, "good"), limits=PATIENT)
    check_refused(record)
    assert "tried all" in words_of(record)


def test_no_file_of_the_host_can_be_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret-of-the-runner"
    secret.write_text("the runner's own")
    secret.chmod(0o644)
    other = make_bot(tmp_path, "good")
    wanted = f"{secret}\n{other.folder / 'seat.py'}\n{__file__}\n/proc/{os.getpid()}/environ\n"
    bad = make_bot(tmp_path, "reads_the_host", files={"wanted.txt": wanted})
    record = play_bots(bad, other, limits=PATIENT)
    check_refused(record)
    assert "the runner's own" not in words_of(record)


def test_no_socket_reaches_the_host(tmp_path: Path) -> None:
    name = f"rumrunner-test-{os.getpid()}"
    with socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp, socket.socket(socket.AF_UNIX) as unix:
        tcp.bind(("127.0.0.1", 0))
        udp.bind(("127.0.0.1", 0))
        unix.bind("\0" + name)
        tcp.listen()
        unix.listen()
        wanted = f"{tcp.getsockname()[1]} {udp.getsockname()[1]} {name}"
        record = play_bots(
            make_bot(tmp_path, "opens_sockets", files={"wanted.txt": wanted}), make_bot(tmp_path, "good")
        )
        check_refused(record)
        for door in (tcp, unix):
            door.setblocking(False)
            with pytest.raises(BlockingIOError):
                door.accept()
        udp.setblocking(False)
        with pytest.raises(BlockingIOError):
            udp.recv(100)


def test_neither_the_runner_nor_the_opponent_can_be_touched(tmp_path: Path) -> None:
    bad = make_bot(tmp_path, "kills_others", files={"wanted.txt": str(os.getpid())})
    good = make_bot(tmp_path, "good")
    watch = Watch(bad, good)
    record = play_bots(bad, good, limits=PATIENT)
    check_refused(record)
    watch.assert_unharmed(record)


def test_no_secret_of_the_runner_is_in_reach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUMRUNNER_TEST_SECRET", "hush-hush-1923")
    with open(tmp_path / "open file", "w+") as leaked:
        os.set_inheritable(leaked.fileno(), True)
        record = play_bots(make_bot(tmp_path, "looks_for_secrets"), make_bot(tmp_path, "good"), limits=PATIENT)
    check_refused(record)
    assert "environment:" in words_of(record)
    assert "hush-hush-1923" not in words_of(record)


def test_one_match_leaves_nothing_for_the_next(tmp_path: Path) -> None:
    bad, good = make_bot(tmp_path, "leaves_traces"), make_bot(tmp_path, "good")
    for _ in range(2):
        check_refused(play_bots(bad, good, limits=PATIENT))


def test_the_interpreter_keeps_its_mode(tmp_path: Path) -> None:
    program = current_runtime().root / "usr" / "bin" / current_runtime().python
    before = program.stat()
    check_refused(play_bots(make_bot(tmp_path, "writes_outside"), make_bot(tmp_path, "good"), limits=PATIENT))
    assert (program.stat().st_mode, program.stat().st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    assert not stat.S_IMODE(before.st_mode) & 0o7022


def test_the_log_of_a_flood_is_its_printable_end(tmp_path: Path) -> None:
    record = play_bots(make_bot(tmp_path, "floods_stderr"), make_bot(tmp_path, "good"), limits=PATIENT)
    assert words_of(record).endswith("the last words\n")
    assert "\x1b" not in words_of(record)
    assert len(words_of(record)) < 20_000


def test_two_hostile_bots_share_the_last_place_of_a_void_match(tmp_path: Path) -> None:
    record = play_bots(make_bot(tmp_path, "burns_at_start"), make_bot(tmp_path, "hoards_at_start"))
    assert record.is_void
    assert not record.is_rateable
    assert (record.ranks, record.outcome, len(record.faults)) == ((1, 1), None, 2)
    assert {fault.seat for fault in record.faults} == {0, 1}


def test_a_bot_is_only_ever_seen_as_somebody_without_rights(tmp_path: Path) -> None:
    seen: list[dict[str, str]] = []
    bad, good = make_bot(tmp_path, "never_answers"), make_bot(tmp_path, "good")

    def look(_: object) -> None:
        seen.extend(status for bot in (bad, good) if (status := inner_status(bot)))

    play_bots(good, bad, on_progress=look)
    assert seen
    for status in seen:
        assert status["CapEff"] == status["CapPrm"] == status["CapAmb"] == "0" * 16
        assert (status["Seccomp"], status["NoNewPrivs"]) == ("2", "1")
        assert status["Uid"].split()[0] != "0"
        assert len(status["NSpid"].split()) > 1


def inner_status(bot: Bot) -> dict[str, str]:
    """What the kernel says about the bot itself, which is the one whose pid in its own world is 1."""
    from tests.arena.table import processes_of

    for pid in processes_of(bot):
        try:
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        except OSError:
            continue
        status = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if status["NSpid"].split()[-1] == "1" and status["Name"] != "bwrap":
            return status
    return {}


def test_the_runtime_folder_shows_nothing_of_the_host(runtime: Runtime) -> None:
    assert not list((runtime.root / "etc").iterdir())
    assert sorted(path.name for path in runtime.root.iterdir()) == sorted(
        {"bin", "bot", "dev", "etc", "lib", "lib64", "opt", "proc", "tmp", "usr"}
        & {path.name for path in runtime.root.iterdir()}
    )
