"""Hostile bots against the real launcher, filter and clock; what they did is judged from outside."""

from __future__ import annotations

import os
import socket
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from arena import MatchRecord, require_sandbox
from arena.sandbox import process, seccomp
from arena.sandbox.orphans import clear_orphans
from arena.sandbox.sandbox_folder import SandboxFolder, current_folder
from tests.arena.table import PATIENT, SHORT, Bot, Watch, make_bot, play_bots, processes_of, words_of

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
    "gives_advice",
    "moves_offsets",
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
    "asks_for_huge_pages",
    "fills_sockets",
    "answers_by_signal",
    "sends_packets",
    "clones_strangely",
    "becomes_another_at_the_end",
    "asks_for_more",
    "cuts_maps",
    "multiplies_files",
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
    "becomes_another_from_a_thread": ("timeout", "act"),
    "storms_futexes": ("timeout", "act"),
    "faults_pages": ("timeout", "act"),
    "flips_protection": ("timeout", "act"),
    "moves_memory": ("timeout", "act"),
    "multiplies": ("timeout", "act"),
    "writes_vectors": ("timeout", "act"),
    "reads_noise": ("timeout", "act"),
    "sets_alarms": ("timeout", "act"),
    "signals_itself": ("timeout", "act"),
    "fills_its_pipe": ("timeout", "act"),
    "reads_slowly": ("timeout", "act"),
    "limits_itself": ("timeout", "act"),
    "dies_while_stopped": ("crash", "act"),
    "tries_to_void": ("timeout", "act"),
    "answers_after_the_look": ("timeout", "act"),
    "fakes_a_kill": ("crash", "act"),
    "kills_itself": ("crash", "act"),
    "drips_stdout": ("output_limit", "act"),
    "answers_in_packets": ("timeout", "act"),
    "ignores_signals": ("timeout", "act"),
    "closes_stdout": ("timeout", "act"),
    "stops_itself": ("timeout", "act"),
    "never_reads": ("timeout", "act"),
    "leaves_half_a_line": ("timeout", "act"),
    "nests_watches": ("timeout", "act"),
    "pretends_to_run": ("timeout", "act"),
    "speaks_in_tongues": ("invalid_answer", "act"),
    "asks_for_whole_pages": ("timeout", "act"),
    "floods_events": ("timeout", "act"),
    "breeds_threads": ("timeout", "act"),
    "breaks_its_lists": ("crash", "act"),
    "leaves_slowly": ("crash", "act"),
    "polls_closed_sockets": ("out_of_memory", "act"),
}
# Bots that leave something behind for the opponent's time: late stops, alarms, cold caches, sleepers, crowds.
TROUBLESOME = ("cancels_its_stop", "leaves_alarms", "thrashes_caches", "wakes_a_herd", "crowds_the_doors")


def check_refused(record: MatchRecord, seat: int = 0) -> None:
    """The seat played to the end, and nothing it tried was done."""
    if "too busy" in record.host.problem:
        pytest.skip("the core is busy indeed")
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
    if not record.faults and watch.was_busy(record):
        pytest.skip("the core is busy indeed")
    assert [(fault.seat, fault.kind, fault.stage) for fault in record.faults] == [(1, kind, stage)], words_of(
        record, 1
    )[-300:]
    assert (record.ending, record.ranks, record.outcome) == (kind, (1, 2), None)
    watch.assert_unharmed(record)
    check_next_match_is_fine(tmp_path)


@pytest.mark.parametrize("name", TROUBLESOME)
@pytest.mark.parametrize("freezes", [True, False], ids=["with a freezer", "by signals alone"])
def test_nothing_that_a_bot_leaves_behind_costs_a_fair_thinker_its_match(
    name: str, freezes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thinker uses most of its bank; whatever the other does while it should rest is charged to itself."""
    if not freezes:
        monkeypatch.setattr(process, "freezer_for", lambda pid: None)
    fair, bad = make_bot(tmp_path, "thinks"), make_bot(tmp_path, name)
    watch = Watch(fair, bad)
    record = play_bots(fair, bad, limits=replace(SHORT, bank_ms=600))
    if "too busy" in record.host.problem:
        pytest.skip("the core is busy indeed")
    assert not record.is_host_fault, record.host.problem
    assert [fault for fault in record.faults if fault.seat == 0] == []
    watch.assert_unharmed(record)


def test_rests_too_short_to_be_looked_at_add_up(tmp_path: Path) -> None:
    good, bad = make_bot(tmp_path, "good"), make_bot(tmp_path, "answers_before_the_look")
    watch = Watch(good, bad)
    record = play_bots(good, bad, limits=replace(SHORT, idle_match_ms=120))
    if not record.faults and watch.was_busy(record):
        pytest.skip("the core is busy indeed")
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(1, "timeout")], record.seats[1]


def test_no_name_hides_what_a_bot_holds(tmp_path: Path) -> None:
    """The kernel's table begins with the name that a bot gives itself, and this one reads like the line on memory."""
    sandbox = require_sandbox()
    unlimited = replace(sandbox, wall=replace(sandbox.wall, without=sandbox.wall.without | {"limits"}))
    good, bad = make_bot(tmp_path, "good"), make_bot(tmp_path, "hides_its_size")
    record = play_bots(good, bad, limits=PATIENT, sandbox=unlimited)
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(1, "out_of_memory")], record.seats[1]


def test_no_name_keeps_another_runner_from_starting(tmp_path: Path) -> None:
    """Whoever starts on this machine looks through all its programs for what a killed runner left."""
    bots = make_bot(tmp_path, "bears_no_name"), make_bot(tmp_path, "bears_no_name")
    ours: list[int] = []
    looks = []

    def look(_: object) -> None:
        ours[:] = [pid for bot in bots for pid in processes_of(bot)]
        looks.append(set(ours) & set(clear_orphans()))

    check_refused(play_bots(*bots, limits=PATIENT, on_progress=look))
    assert looks
    assert not any(looks)


def test_threads_that_wait_for_each_other_do_not_make_the_host_look_busy(tmp_path: Path) -> None:
    good, bad = make_bot(tmp_path, "good"), make_bot(tmp_path, "fakes_waits")
    record = play_bots(good, bad, limits=replace(SHORT, bank_ms=700))
    if "too busy" in record.host.problem:
        pytest.skip("the core is busy indeed")
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(1, "timeout")], record.host
    assert record.ranks == (1, 2)


def test_no_system_call_is_answered_but_those_on_the_list(tmp_path: Path) -> None:
    calls = seccomp.syscalls
    by_arguments = (calls.MMAP, calls.MADVISE, calls.FCNTL, calls.CLONE3, calls.CLOSE_RANGE)
    unfiltered = (335, 336)  # uretprobe and uprobe: newer kernels let no filter see them, and end whoever calls them
    listed = " ".join(map(str, [*calls.ALLOWED.values(), *by_arguments, *unfiltered]))
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
    program = current_folder().root / "usr" / "bin" / current_folder().python
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
        assert status["THP_enabled"] == "0"  # what is left of a huge page is counted, and not what the kernel keeps
        assert status["Uid"].split()[0] != "0"
        assert len(status["NSpid"].split()) > 1


def inner_status(bot: Bot) -> dict[str, str]:
    """What the kernel says about the bot itself, which is the one whose pid in its own world is 1."""
    for pid in processes_of(bot):
        try:
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        except OSError:
            continue
        status = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if status["NSpid"].split()[-1] == "1" and status["Name"] != "bwrap":
            return status
    return {}


def test_the_sandbox_folder_shows_nothing_of_the_host(folder: SandboxFolder) -> None:
    assert not list((folder.root / "etc").iterdir())
    assert sorted(path.name for path in folder.root.iterdir()) == sorted(
        {"bin", "bot", "dev", "etc", "lib", "lib64", "opt", "proc", "tmp", "usr"}
        & {path.name for path in folder.root.iterdir()}
    )


@pytest.mark.parametrize("after_ms", [240, 290, 299, 301, 310])
def test_a_bot_that_leaves_as_it_is_judged_is_blamed_all_the_same(after_ms: int, tmp_path: Path) -> None:
    """Its code says that it was killed, as by a host without memory; whoever is first, the clock or it, it has lost."""
    bad = make_bot(tmp_path, "leaves_at_the_verdict", files={"wanted.txt": str(after_ms)})
    record = play_bots(make_bot(tmp_path, "good"), bad)
    if "too busy" in record.host.problem:
        pytest.skip("the core is busy indeed")
    assert [fault.seat for fault in record.faults] == [1]
    assert record.ending in ("crash", "timeout")
