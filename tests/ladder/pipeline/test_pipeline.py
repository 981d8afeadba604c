from __future__ import annotations

import pytest
from celery import current_app
from celery.beat import PersistentScheduler
from django.utils.module_loading import import_string

from ladder import pipeline
from ladder.events import Event
from ladder.matches import leases
from ladder.matches.models import Pulse
from ladder.pipeline.beat import Beat
from tests.ladder.cast import enrol, finish, make_ladder, queue

pytestmark = pytest.mark.django_db


def test_every_stage_can_be_found() -> None:
    for path in pipeline.STAGES.values():
        assert callable(import_string(path))


def test_a_stage_that_fails_does_not_stop_the_others(monkeypatch, caplog) -> None:
    ran = []

    def stage_function(stage: str):
        if stage == "rate":
            raise RuntimeError("no ink")
        return lambda: ran.append(stage)

    monkeypatch.setattr(pipeline, "stage_function", stage_function)
    pipeline.tick()
    assert ran == [stage for stage in pipeline.STAGES if stage != "rate"]


def test_a_beat_leaves_its_pulse_with_the_engines_digest() -> None:
    pipeline.run_stage("pulse")
    assert len(Pulse.objects.get(stage="tick").engines_digest) == 64


def test_the_whole_way_from_pairing_to_rating_needs_no_message_at_all() -> None:
    ladder = make_ladder()
    enrol(ladder, 2)
    pipeline.run_stage("pair")
    while claim := leases.claim_match(worker="host/1"):
        from ladder.matches.models import Match

        finish(Match.objects.get(pk=claim.match_id), 1, 2)
    pipeline.run_stage("rate")
    ladder.refresh_from_db()
    assert ladder.rated_through == ladder.last_number > 0


def test_no_message_is_added_to_a_queue_that_nobody_serves(sent: list[str], monkeypatch, tmp_path) -> None:
    beat = Beat(current_app, lazy=True, schedule_filename=str(tmp_path / "beat"))
    asked: list[str] = []
    monkeypatch.setattr(PersistentScheduler, "apply_async", lambda self, entry, **options: asked.append(entry))
    for waiting in (0, pipeline.MOST_WAITING):
        monkeypatch.setattr(pipeline, "messages_waiting", lambda queue, waiting=waiting: waiting)
        pipeline.LISTENERS[Event.VERSION_RECEIVED](1)
        beat.apply_async("tick")
    assert sent == ["ladder.pipeline.run_stage"]
    assert asked == ["tick"]


def test_players_get_no_more_messages_than_slots_and_waiting_matches(sent: list[str], monkeypatch, settings) -> None:
    settings.WORKERS = 3
    ladder = make_ladder()
    versions = enrol(ladder, 2)
    for waiting, messages in ((0, 0), (1, 1), (2, 2), (5, 3)):
        while ladder.matches.count() < waiting:
            queue(ladder, *versions)
        sent.clear()
        pipeline.wake_players()
        assert len(sent) == messages
    monkeypatch.setattr(pipeline, "messages_waiting", lambda queue: 2)
    sent.clear()
    pipeline.wake_players()
    assert len(sent) == 1
