from __future__ import annotations

import time

import pytest
from django.db import connections

import arena
from arena import HostFacts, MatchAborted, SandboxUnavailable
from engines import GAMES
from ladder.ladders.models import Ladder
from ladder.matches import leases, playing, registration
from ladder.matches.models import FailedAttempt, Match, Pulse, Worker
from ladder.matches.playing import StopFlag
from ladder.matches.tasks import play_matches
from tests.ladder.cast import enrol, make_record, queue

pytestmark = pytest.mark.django_db


@pytest.fixture
def stop(monkeypatch: pytest.MonkeyPatch) -> StopFlag:
    flag = StopFlag()
    monkeypatch.setattr(playing, "STOP", flag)
    return flag


def arena_does(monkeypatch: pytest.MonkeyPatch, behave) -> None:
    """Put an arena in place that does this with an order."""
    monkeypatch.setattr(arena, "play", lambda order, bundles, **options: behave(order, **options))
    monkeypatch.setattr(playing, "unpacked", lambda digest, fetch: digest)


def wins(order, **options):
    return make_record(order, ranks=(1, 2))


def test_a_chunk_plays_everything_that_waits(ladder: Ladder, stop: StopFlag, monkeypatch) -> None:
    arena_does(monkeypatch, wins)
    versions = enrol(ladder, 2)
    for _ in range(5):
        queue(ladder, *versions)
    assert playing.play_chunk() == 5
    assert Match.objects.filter(status="finished").count() == 5


@pytest.mark.parametrize(("ask_again_s", "times"), [(3600.0, 1), (-1.0, 4)])
def test_whether_a_worker_may_go_on_is_asked_now_and_then(
    ladder: Ladder, stop: StopFlag, monkeypatch, ask_again_s: float, times: int
) -> None:
    arena_does(monkeypatch, wins)
    monkeypatch.setattr(playing, "ASK_AGAIN_S", ask_again_s)
    versions, asked = enrol(ladder, 2), []
    for _ in range(3):
        queue(ladder, *versions)
    assert playing.play_chunk(may_go_on=lambda: asked.append(1) or True) == 3
    assert len(asked) == times


def test_a_chunk_ends_in_time_and_leaves_the_rest(ladder: Ladder, stop: StopFlag, monkeypatch) -> None:
    arena_does(monkeypatch, wins)
    queue(ladder, *enrol(ladder, 2))
    assert playing.play_chunk(chunk_s=0) == 0


def test_the_same_task_delivered_twice_plays_nothing_twice(ladder: Ladder, stop: StopFlag, monkeypatch) -> None:
    arena_does(monkeypatch, wins)
    monkeypatch.setattr(registration, "may_play", lambda: True)
    queue(ladder, *enrol(ladder, 2))
    play_matches()
    play_matches()
    assert Match.objects.get().attempts == 1


def test_a_worker_told_to_stop_claims_nothing(ladder: Ladder, stop: StopFlag, monkeypatch) -> None:
    arena_does(monkeypatch, wins)
    queue(ladder, *enrol(ladder, 2))
    stop.raise_()
    assert playing.play_chunk() == 0
    assert Match.objects.get().attempts == 0


def test_a_match_cut_short_by_a_stop_goes_back_without_an_attempt(
    ladder: Ladder, stop: StopFlag, monkeypatch, settings
) -> None:
    def told_to_stop(order, abort, **options):
        stop.raise_()
        assert not abort()  # it has its grace
        settings.GRACE_S = -1
        assert abort()
        raise MatchAborted("stop")

    arena_does(monkeypatch, told_to_stop)
    queue(ladder, *enrol(ladder, 2))
    assert playing.play_chunk() == 0
    match = Match.objects.get()
    assert (match.status, match.attempts) == ("queued", 0)
    assert match.failed_attempts.get().cause == FailedAttempt.Cause.HANDED_BACK


def test_a_host_fault_is_never_a_result(ladder: Ladder, stop: StopFlag, monkeypatch) -> None:
    def broken_host(order, **options):
        good = make_record(order, ranks=(1, 2))
        from dataclasses import replace

        return replace(good, ending="host_fault", ranks=None, outcome=None, host=HostFacts(problem="wall limit"))

    arena_does(monkeypatch, broken_host)
    queue(ladder, *enrol(ladder, 2))
    assert playing.play_chunk() == 0
    match = Match.objects.get()
    assert (match.status, match.failed_attempts.get().detail) == ("queued", "wall limit")


def test_a_heartbeat_renews_the_lease_while_a_match_is_played(
    ladder: Ladder, stop: StopFlag, monkeypatch, settings
) -> None:
    settings.LEASE_S = 0.04
    renewed = []
    monkeypatch.setattr(leases, "renew_lease", lambda *lease: renewed.append(lease) or len(renewed) < 3)

    def long_match(order, abort, **options):
        deadline = time.monotonic() + 300
        while not abort() and time.monotonic() < deadline:
            time.sleep(0.005)
        raise MatchAborted("lease lost")

    arena_does(monkeypatch, long_match)
    queue(ladder, *enrol(ladder, 2))
    claim = leases.claim_match(worker="host/1")
    assert not playing.play_claim(claim)
    assert renewed == [(claim.match_id, claim.lease)] * 3


def test_a_heartbeat_asks_over_the_connection_of_the_player(
    ladder: Ladder, stop: StopFlag, monkeypatch, settings
) -> None:
    settings.LEASE_S = 0.04
    asked_over = []
    monkeypatch.setattr(leases, "renew_lease", lambda *lease: asked_over.append(connections["default"]) or False)

    def until_the_lease_is_lost(order, abort, **options):
        deadline = time.monotonic() + 300
        while not abort() and time.monotonic() < deadline:
            time.sleep(0.005)
        raise MatchAborted("lease lost")

    arena_does(monkeypatch, until_the_lease_is_lost)
    queue(ladder, *enrol(ladder, 2))
    playing.play_claim(leases.claim_match(worker="host/1"))
    assert [each is connections["default"] for each in asked_over] == [True]
    assert not connections["default"].allow_thread_sharing


def test_without_a_sandbox_matches_are_refused_with_cause_and_cure(ladder: Ladder, monkeypatch) -> None:
    def no_wall():
        raise SandboxUnavailable("bwrap is missing.", "install it.")

    monkeypatch.setattr(registration, "require_sandbox", no_wall)
    for name, value in (("loss", None), ("message", "")):
        monkeypatch.setattr(registration.Registration, name, value)
    queue(ladder, *enrol(ladder, 2))
    play_matches()
    assert not registration.may_play()
    assert "Fix: install it." in registration.Registration.message
    assert Match.objects.get().attempts == 0


def test_a_sandbox_lost_in_mid_service_costs_no_match_an_attempt(
    ladder: Ladder, stop: StopFlag, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_wall(order, **options):
        raise SandboxUnavailable("the sandbox folder is gone.", "run make setup.")

    arena_does(monkeypatch, no_wall)
    monkeypatch.setattr(registration, "require_sandbox", lambda: None)
    monkeypatch.setattr(registration.Registration, "loss", None)
    monkeypatch.setattr(registration.Registration, "message", "")
    queue(ladder, *enrol(ladder, 2))
    play_matches()
    play_matches()
    assert "sandbox folder is gone" in registration.Registration.message
    match = Match.objects.get()
    assert (match.status, match.attempts, match.failed_attempts.count()) == ("queued", 0, 1)


def test_a_worker_with_other_engines_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(registration, "sandbox_message", lambda: "")
    registration.note_beat()
    assert registration.may_play()
    Pulse.objects.update(games=dict.fromkeys(GAMES, "f" * 64))
    try:
        assert not registration.may_play()
        assert "OTHER ENGINES" in registration.Registration.message
    finally:
        registration.Registration.message = ""


def test_a_worker_whose_service_was_upgraded_takes_no_further_match(
    ladder: Ladder, stop: StopFlag, monkeypatch: pytest.MonkeyPatch
) -> None:
    def upgraded_meanwhile(order, **options):
        Pulse.objects.update(games=dict.fromkeys(GAMES, "f" * 64))
        return wins(order)

    arena_does(monkeypatch, upgraded_meanwhile)
    monkeypatch.setattr(playing, "ASK_AGAIN_S", -1.0)
    monkeypatch.setattr(registration, "sandbox_message", lambda: "")
    monkeypatch.setattr(registration.Registration, "message", "")
    registration.note_beat()
    versions = enrol(ladder, 2)
    for _ in range(3):
        queue(ladder, *versions)
    play_matches()
    assert list(Match.objects.order_by("pk").values_list("status", flat=True)) == ["finished", "queued", "queued"]


def test_a_worker_shows_itself(monkeypatch) -> None:
    monkeypatch.setattr(registration.Registration, "name", "matches@here")
    registration.show_worker()
    registration.show_worker()
    shown = Worker.objects.get()
    assert (shown.name, shown.sandbox_ok, len(shown.engines_digest)) == ("matches@here", True, 64)
