"""A match goes only to a worker that can play it, and a worker that can play nothing is seen from everywhere."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.utils.timezone import now

from arena import SandboxUnavailable, UnfairClock
from ladder.ladders.models import Ladder
from ladder.matches import leases, registration
from ladder.matches.models import Lane, Match, Pulse, Worker
from ladder.matches.registration import Registration
from ladder.matches.services import create_set
from ladder.matches.waiting import what_it_waits_for
from ladder.operations import queries
from ladder.submissions.models import BotVersion
from tests.ladder.cast import enrol, finish, queue

pytestmark = pytest.mark.django_db


def make_worker(name: str, *runtimes: str, message: str = "") -> Worker:
    abilities = {"runtimes": dict.fromkeys(runtimes, "1")}
    return Worker.objects.create(
        name=name, host="h", pid=1, plays=True, version="1", engines_digest="", sandbox_ok=True, message=message,
        abilities=abilities,
    )  # fmt: skip


def with_node(ladder: Ladder) -> Match:
    """A match in which one bot needs node."""
    versions = enrol(ladder, 2)
    BotVersion.objects.filter(pk=versions[1].pk).update(runtime="node")
    return queue(ladder, *versions)


def test_a_match_with_a_node_bot_is_left_to_workers_with_node(ladder: Ladder) -> None:
    needs_node, plain = with_node(ladder), queue(ladder, *enrol(ladder, 2))
    first = leases.claim_match(worker="bare/1", runtimes=["python", "native"])
    assert first is not None
    assert first.match_id == plain.pk
    assert leases.claim_match(worker="bare/2", runtimes=["python", "native"]) is None
    second = leases.claim_match(worker="full/1", runtimes=["python", "native", "node"])
    assert second is not None
    assert second.match_id == needs_node.pk


def test_who_has_no_runtime_claims_nothing(ladder: Ladder) -> None:
    queue(ladder, *enrol(ladder, 2))
    assert leases.claim_match(worker="host/1", runtimes=[]) is None


def test_a_match_says_that_it_waits_for_node(ladder: Ladder) -> None:
    match = with_node(ladder)
    assert what_it_waits_for(match) == "It is waiting for a free worker."
    make_worker("bare", "python", "native")
    assert what_it_waits_for(match) == "It is waiting for a worker that can run node bots."
    make_worker("full", "python", "node")
    assert what_it_waits_for(match) == "It is waiting for a free worker."


def test_a_match_that_was_set_aside_says_until_when_and_what_it_holds_up(ladder: Ladder) -> None:
    pair = [version.pk for version in enrol(ladder, 2)]
    made = create_set(ladder=ladder, seatings=[pair, pair[::-1]], lane=Lane.TOURNAMENT, is_rated=False)
    match = made.matches.first()
    assert match is not None
    match.times_aside, match.aside_until = 2, now().replace(hour=12, minute=5) + timedelta(days=1)
    told = what_it_waits_for(match)
    assert "could not play it in 6 tries, through no fault of the bots" in told
    assert "tried again at 12:05 UTC" in told
    assert "the seed of its set stays secret" in told
    assert "the next round of its tournament waits" in told


def test_a_held_match_and_a_settled_one_say_so(ladder: Ladder) -> None:
    match = queue(ladder, *enrol(ladder, 2), is_held=True)
    assert "paused" in what_it_waits_for(match)
    Match.objects.update(is_held=False)
    leases.claim_match(worker="host/1")
    finish(match, 1, 2)
    match.refresh_from_db()
    assert what_it_waits_for(match) == ""


@pytest.fixture
def unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("measured_at", None), ("unfair", ""), ("message", ""), ("loss", None), ("name", "w")):
        monkeypatch.setattr(Registration, name, value)
    monkeypatch.setattr(registration, "require_sandbox", lambda: None)


def test_a_worker_that_cannot_tell_foreign_time_plays_nothing_and_says_so(
    ladder: Ladder, unmeasured: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unfair() -> None:
        raise UnfairClock("the kernel counted 0 ms.", "run elsewhere.")

    make_worker("w", "python")
    monkeypatch.setattr(registration, "require_fairness", unfair)
    assert not registration.may_play()
    assert "the kernel counted 0 ms" in Worker.objects.get().message


def test_fairness_is_measured_again_now_and_then(unmeasured: None, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = []
    monkeypatch.setattr(registration, "require_fairness", lambda: measured.append(1))
    for _ in range(3):
        assert registration.may_play()
    assert len(measured) == 1
    monkeypatch.setattr(registration, "MEASURE_EVERY_S", -1.0)
    assert registration.may_play()
    assert len(measured) == 2


def test_a_lost_sandbox_is_tried_again_after_pauses_that_grow_and_found_when_it_is_back(
    unmeasured: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, gone = [1000.0], [SandboxUnavailable("the runtime folder is gone.", "run make setup.")]

    def tried() -> None:
        if gone:
            raise gone[0]

    monkeypatch.setattr(registration, "require_sandbox", tried)
    monkeypatch.setattr(registration, "fairness_message", lambda: "")
    monkeypatch.setattr(registration, "time", SimpleNamespace(monotonic=lambda: at[0]))
    make_worker("w", "python")
    registration.lose_sandbox(gone[0])
    pauses = []
    for _ in range(8):
        assert not registration.may_play()
        assert Registration.loss is not None
        pauses.append(Registration.loss.try_at - at[0])
        at[0] = Registration.loss.try_at
    assert pauses == [15, 30, 60, 120, 240, 480, 600, 600]
    assert not Worker.objects.get().sandbox_ok
    at[0] -= 1
    gone.clear()
    assert not registration.may_play()
    at[0] += 1
    assert registration.may_play()
    worker = Worker.objects.get()
    assert (worker.message, worker.sandbox_ok) == ("", True)


def test_a_worker_shows_what_it_can_and_keeps_what_a_child_found_out(
    unmeasured: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Registration, "plays", True)
    registration.show_worker(is_new=True)
    worker = Worker.objects.get()
    assert "python" in worker.abilities["runtimes"]
    assert {"engines", "kit", "arena", "root"} <= set(worker.abilities["digests"])
    Worker.objects.update(message="the sandbox is gone")
    registration.show_worker()
    assert Worker.objects.get().message == "the sandbox is gone"
    registration.show_worker(is_new=True)
    assert Worker.objects.get().message == ""


@pytest.fixture
def works(monkeypatch: pytest.MonkeyPatch) -> None:
    Pulse.objects.create(stage="tick")
    monkeypatch.setattr(queries.redis.Redis, "ping", lambda self: True)


def test_a_worker_able_to_nothing_is_unhealthy_in_healthz_and_metrics(works: None, client) -> None:
    make_worker("good", "python")
    make_worker("bad", message="bwrap is missing")
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["warnings"] == ["A worker can play nothing."]
    assert queries.health().warnings == ["bad can play nothing: bwrap is missing"]
    assert queries.gauges().unable_workers == 1


def test_a_worker_s_own_health_check_fails_when_it_can_play_nothing(works: None, capsys) -> None:
    with pytest.raises(CommandError, match="has not reported in"):
        call_command("worker_health", "w")
    make_worker("w", "python")
    call_command("worker_health", "w")
    assert "w plays: python" in capsys.readouterr().out
    Worker.objects.update(message="bwrap is missing")
    with pytest.raises(CommandError, match="can play nothing: bwrap is missing"):
        call_command("worker_health", "w")
