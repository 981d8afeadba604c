"""Stages side by side: each ladder or tournament is one process's at a time, and nobody waits."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ladder import pipeline
from ladder.locks import alone, each_alone
from ladder.matches import leases
from ladder.matches.models import Match
from ladder.ratings.models import RatingStep
from ladder.ratings.services import rate_all
from tests.ladder.cast import enrol, make_ladder, play

pytestmark = pytest.mark.django_db


@contextmanager
def held_elsewhere(name: str) -> Iterator[None]:
    """Another thread is at the work of this name."""
    taken, over = threading.Event(), threading.Event()

    def hold() -> None:
        with alone(name) as is_mine:
            assert is_mine
            taken.set()
            over.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    assert taken.wait(60)
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_a_name_is_one_s_at_a_time_and_free_afterwards() -> None:
    with held_elsewhere("rate 1"), alone("rate 1") as mine, alone("rate 2") as other:
        assert (mine, other) == (False, True)
    with alone("rate 1") as mine:
        assert mine


def test_a_ladder_that_another_process_rates_is_passed_by_and_the_others_are_rated() -> None:
    busy, idle = make_ladder("gatsby"), make_ladder("speak_easy")
    for ladder in (busy, idle):
        play(ladder, *enrol(ladder, 2), ranks=(1, 2))
    with held_elsewhere(f"rate {busy.pk}"):
        assert rate_all() == 1
        assert RatingStep.objects.get().ladder == idle
    assert rate_all() == 1


def test_one_that_fails_stops_no_other_and_is_told() -> None:
    done = []

    def work(pk: int) -> int:
        if pk == 1:
            raise RuntimeError("no ink")
        done.append(pk)
        return 1

    with pytest.raises(RuntimeError, match="no ink"):
        each_alone("rate", [1, 2, 3], work)
    assert done == [2, 3]


def test_a_stage_that_another_process_is_at_is_passed_by(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(pipeline, "stage_function", lambda stage: lambda: ran.append(stage))
    with held_elsewhere("stage tidy"):
        pipeline.tick()
    assert ran == [stage for stage in pipeline.STAGES if stage != "tidy"]


def test_a_beat_within_a_beat_changes_nothing_more() -> None:
    """Two beats at once are two processes that run every stage."""
    ladder = make_ladder()
    enrol(ladder, 4)
    pipeline.tick()
    queued = Match.objects.count()
    pipeline.tick()
    assert Match.objects.count() == queued > 0
    assert leases.claim_match(worker="host/1") is not None
