"""play() from outside: what it refuses, what it reports while it runs, and what it leaves behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from arena import (
    BundleRejected,
    InvalidOrder,
    Limits,
    MatchAborted,
    MatchOrder,
    PlayedAction,
    Progress,
    SandboxUnavailable,
    play,
    referee,
    require_sandbox,
    verify,
)
from arena.sandbox import leases, places, sandbox_folder, staging
from arena.sandbox.leases import lease, lease_core
from arena.sandbox.tmpfs import staging_home
from engines import GAMES
from tests.arena.countdown import Countdown, CountdownState
from tests.arena.table import SHORT, make_bot, order_of, play_bots, processes_of, staged

RANDOM_BOT = b"""
import json, random, sys
start = json.loads(sys.stdin.readline())
rng = random.Random(start["bot_seed"])
print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "end":
        break
    print(json.dumps({"action": rng.choice(message["legal"])}), flush=True)
"""


def write_random_bot(folder: Path) -> tuple[str, Path]:
    path = folder / "random_bot.py"
    path.write_bytes(RANDOM_BOT)
    return sha256(RANDOM_BOT).hexdigest(), path


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_is_played_from_an_uploaded_file_and_verifies(game: str, tmp_path: Path) -> None:
    digest, path = write_random_bot(tmp_path)
    seats = (digest,) * GAMES[game].seats.start
    order = MatchOrder(game=game, rules_version=GAMES[game].rules_version, seed=1923, seats=seats)
    record = play(order, {digest: path})
    assert (record.ending, record.faults, record.host.problem) == ("finished", (), "")
    assert verify(record).ok
    assert record.is_rateable
    assert staged() == set()


def test_a_trusted_match_is_marked_and_cannot_be_rated(tmp_path: Path) -> None:
    digest, path = write_random_bot(tmp_path)
    order = MatchOrder(game="countdown", rules_version=1, seed=7, seats=(digest, digest))
    record = play(order, {digest: path}, trust=True)
    assert (record.ending, record.sandbox.kind, record.is_rateable) == ("finished", "unsandboxed", False)


def test_the_record_says_where_and_behind_what_it_was_played(tmp_path: Path) -> None:
    record = play_bots(make_bot(tmp_path, "good"), make_bot(tmp_path, "good"))
    assert record.sandbox.kind.startswith("bwrap")
    assert "syscall_filter" in record.sandbox.layers
    assert record.host.core in os.sched_getaffinity(0)
    assert record.host.wall_ms > 0
    assert all(seat.cpu_ms > 0 and seat.peak_memory_kib > 1000 for seat in record.seats)


def test_a_missing_bundle_or_a_wrong_digest_is_refused(tmp_path: Path) -> None:
    digest, path = write_random_bot(tmp_path)
    order = MatchOrder(game="countdown", rules_version=1, seed=7, seats=(digest, digest))
    with pytest.raises(InvalidOrder, match="no bundle was given"):
        play(order, {})
    with pytest.raises(BundleRejected, match="does not exist"):
        play(order, {digest: tmp_path / "nothing.py"})
    path.write_bytes(RANDOM_BOT + b"# changed\n")
    with pytest.raises(BundleRejected, match="has the digest"):
        play(order, {digest: path})


def test_a_bundle_for_another_game_is_refused(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "good")
    order = replace(order_of(bot, bot), game="gatsby", rules_version=GAMES["gatsby"].rules_version)
    with pytest.raises(BundleRejected, match="is for countdown"):
        play(order, {bot.digest: bot.folder})


def test_progress_is_told_and_the_bots_are_stopped_while_they_wait(tmp_path: Path) -> None:
    seen: list[Progress] = []
    states: list[str] = []
    idle, slow = make_bot(tmp_path, "good"), make_bot(tmp_path, "never_answers")

    def look(progress: Progress) -> None:
        seen.append(progress)
        if progress.to_act == 1 and progress.ply == 1:
            for pid in processes_of(idle):
                text = Path(f"/proc/{pid}/status").read_text()
                if "Name:\tbwrap" not in text:
                    states.append(text.split("State:\t")[1][0])

    limits = replace(SHORT, idle_act_ms=1600, idle_match_ms=5000)
    play_bots(idle, slow, limits=limits, on_progress=look)
    assert seen[0].ply == 0
    assert Progress(1, 1) in seen
    assert states
    assert set(states) == {"T"}


def test_a_match_nobody_wants_any_more_is_aborted_and_cleared_away(tmp_path: Path) -> None:
    good, slow = make_bot(tmp_path, "good"), make_bot(tmp_path, "never_answers")
    limits = Limits(idle_act_ms=900_000, idle_match_ms=900_000)
    began = time.monotonic()
    with pytest.raises(MatchAborted):
        play(
            order_of(good, slow, limits=limits),
            {bot.digest: bot.folder for bot in (good, slow)},
            abort=lambda: time.monotonic() > began + 1.5,
        )
    assert time.monotonic() - began < 300
    assert not processes_of(slow)


@pytest.mark.parametrize(
    ("game", "seats", "wall_s"), [("gatsby", 2, 600), ("speak_easy", 2, 600), ("capone", 6, 1_507)]
)
def test_every_seat_can_use_up_all_it_is_given_within_the_wall_limit(game: str, seats: int, wall_s: int) -> None:
    """Else a match of slow and fair bots would be set aside again and again; 10 minutes stay where they suffice."""
    limits = Limits().lasting(game, seats)
    assert limits.wall_ms // 1000 == wall_s
    assert replace(limits, wall_ms=600_000) == Limits()


def test_the_wall_limit_of_the_order_is_the_hosts_fault(tmp_path: Path) -> None:
    good, slow = make_bot(tmp_path, "good"), make_bot(tmp_path, "never_answers")
    limits = Limits(idle_act_ms=60_000, idle_match_ms=60_000, wall_ms=1_500)
    record = play_bots(good, slow, limits=limits)
    assert (record.ending, record.faults, record.ranks) == ("host_fault", (), None)
    assert "wall limit of 1500 ms" in record.host.problem
    assert verify(record).ok


def test_an_engine_that_fails_is_the_hosts_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: CountdownState, action: int) -> None:
        raise ZeroDivisionError("a bug of ours")

    monkeypatch.setattr(CountdownState, "apply", broken)
    record = play_bots(make_bot(tmp_path, "good"), make_bot(tmp_path, "good"))
    assert (record.ending, record.faults) == ("host_fault", ())
    assert "a bug of ours" in record.host.problem


def test_a_bot_that_the_kernel_ends_for_want_of_memory_is_not_to_blame(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From outside it looks like a bot that leaves with that code; only the kernel's own count tells them apart."""
    kills = iter((7, 8))
    monkeypatch.setattr(referee, "memory_kills", lambda: next(kills))
    record = play_bots(make_bot(tmp_path, "good"), make_bot(tmp_path, "fakes_a_kill"))
    assert (record.ending, record.faults) == ("host_fault", ())
    assert record.host.problem == "the host ran out of memory and ended a bot"


@pytest.mark.slow
def test_a_starved_bot_is_the_hosts_fault_and_not_its_own(tmp_path: Path) -> None:
    """Ten programs burn on the same core; the bot needs more of it than they leave within its wall time."""
    import multiprocessing

    with lease_core() as core:
        assert core is not None
        burners = [multiprocessing.get_context("fork").Process(target=_burn, args=(core,)) for _ in range(10)]
        for burner in burners:
            burner.start()
        try:
            bots = make_bot(tmp_path, "good"), make_bot(tmp_path, "burns")
            limits = replace(SHORT, start_ms=60_000, turn_ms=1_000, bank_ms=0)
            record = play(order_of(*bots, limits=limits), {bot.digest: bot.folder for bot in bots}, core=core)
        finally:
            for burner in burners:
                burner.kill()
                burner.join()
    assert (record.ending, record.faults) == ("host_fault", ()), record.faults
    assert "too busy" in record.host.problem
    assert record.host.wait_ms > 500


def _burn(core: int) -> None:
    os.setsid()  # or the kernel's autogroups would give all burners together no more than the bot alone
    os.sched_setaffinity(0, {core})
    while True:
        pass


def test_every_action_is_told_as_it_is_played_also_those_of_a_seat_that_is_out(tmp_path: Path) -> None:
    told: list[PlayedAction] = []
    record = play_bots(*(make_bot(tmp_path, name) for name in ("good", "good", "kills_itself")), on_action=told.append)
    assert record.faults
    assert tuple(told[-len(record.actions) :]) == record.actions  # a busy host may have cut an earlier try


def test_runner_and_bots_are_on_one_core_and_the_runner_is_free_again_afterwards(tmp_path: Path) -> None:
    before, seen = os.sched_getaffinity(0), []
    bot = make_bot(tmp_path, "good")

    def look(_: Progress) -> None:
        seen.append(os.sched_getaffinity(0))
        seen.extend(os.sched_getaffinity(pid) for pid in processes_of(bot))

    record = play_bots(bot, bot, on_progress=look)
    assert all(cores == {record.host.core} for cores in seen)
    assert len(seen) > 2
    assert os.sched_getaffinity(0) == before


def test_a_number_is_leased_to_one_holder_at_a_time() -> None:
    kind = f"test{os.getpid()}"
    with lease(kind, [1, 2]) as first, lease(kind, [1, 2]) as second, lease(kind, [1, 2]) as third:
        assert (first, second, third) == (1, 2, None)
    with lease(kind, [1, 2]) as again:
        assert again == 1


HOLDER = """
import sys
from arena.sandbox.leases import lease_core
with lease_core(int(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def core_held_by_another() -> Iterator[int]:
    """A core that another program has leased for its match."""
    core = max(os.sched_getaffinity(0))
    words = [sys.executable, "-c", HOLDER, str(core)]
    holder = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2])
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    try:
        yield core
    finally:
        holder.communicate()


def test_a_core_that_another_plays_on_is_waited_for_and_never_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "CORE_WAIT_S", 0.3)
    words: list[str] = []
    with (
        core_held_by_another() as core,
        pytest.raises(SandboxUnavailable, match=rf"no core came free in 0 s: each of {core} plays a match"),
        lease_core(core, on_wait=lambda: words.append("still waiting")),
    ):
        pytest.fail("two matches on one core")
    assert words == ["still waiting"]
    monkeypatch.undo()
    with lease_core(core) as mine:
        assert mine == core


def test_whoever_waits_for_a_core_can_be_called_off(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "good")
    with core_held_by_another() as core, pytest.raises(MatchAborted):
        play(order_of(bot, bot), {bot.digest: bot.folder}, core=core, abort=lambda: True)


def test_a_process_that_holds_a_core_can_lease_it_again() -> None:
    with lease_core() as first, lease_core() as again:
        assert again == first
        assert os.sched_getaffinity(0) == {first}


def test_a_sandbox_folder_of_other_engines_is_refused_with_the_command_that_mends_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sandbox_folder, "code_digest", lambda: "0" * 64)
    with pytest.raises(SandboxUnavailable, match=r"made from other engines.*Fix: run `make setup`") as caught:
        sandbox_folder.current_folder.__wrapped__()
    assert caught.value.cause
    assert caught.value.cure


def test_a_missing_sandbox_folder_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RUMRUNNER_RUNTIME", str(tmp_path / "nothing"))
    with pytest.raises(SandboxUnavailable, match="there is no sandbox folder"):
        sandbox_folder.current_folder.__wrapped__()


def test_a_sandbox_folder_that_others_could_have_changed_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(SandboxUnavailable, match="can be changed by another user"):
        places.check_unspoilt(tmp_path)


def test_a_bundle_in_a_private_folder_is_played_all_the_same(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    bots = make_bot(private, "good"), make_bot(private, "good")
    assert play_bots(*bots).ending == "finished"


def test_what_a_killed_runner_left_behind_is_cleared_by_the_next(tmp_path: Path) -> None:
    dead = subprocess.Popen(["/bin/true"])
    dead.wait()
    left = staging_home() / f"staged-{dead.pid}-x"
    left.mkdir()
    (left / "file").touch()
    with staging.new_folder() as mine:
        assert mine.is_dir()
        assert not left.exists()
    assert not mine.exists()


def test_the_sandbox_of_this_process_was_tried_by_the_canary() -> None:
    assert require_sandbox().wall.layers
    assert isinstance(GAMES["countdown"], Countdown)
