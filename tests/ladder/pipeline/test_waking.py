"""Which event wakes which stage, how often, and what is sent when nobody serves the queue."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from ladder import pipeline
from ladder.events import Event
from ladder.ladders.models import Ladder
from ladder.matches.models import Lane, Match
from ladder.parlour import hosting
from ladder.pipeline import ALONE, LISTENERS, MOST_WAITING, STAGES, fit_next, is_crowded, match_settled, run_stage, tick
from ladder.pipeline.beat import Beat
from ladder.ratings import fits
from tests.ladder.cast import enrol, queue

pytestmark = pytest.mark.django_db
Message = tuple[str, dict[str, Any]]


@pytest.fixture
def messages(sent: list[str], monkeypatch: pytest.MonkeyPatch) -> list[Message]:
    """What would have been sent, with its options."""
    told: list[Message] = []
    monkeypatch.setattr(pipeline, "send", lambda task, **options: told.append((task, options)))
    return told


def stages(messages: list[Message]) -> list[str]:
    return [options["args"][0] for task, options in messages if task == "ladder.pipeline.run_stage"]


def a_match(ladder: Ladder, lane: Lane) -> Match:
    return queue(ladder, *enrol(ladder, 2), lane=lane, is_rated=lane == Lane.LADDER)


@pytest.mark.parametrize(
    ("event", "stage"),
    [
        (Event.VERSION_RECEIVED, "check"),
        (Event.LADDER_OUTDATED, "rebuild"),
        (Event.DUEL_STARTED, "duels"),
        (Event.TOURNAMENT_CHANGED, "tournaments"),
    ],
)
def test_an_event_wakes_its_stage_with_a_message_that_does_not_last(
    messages: list[Message], event: Event, stage: str
) -> None:
    LISTENERS[event](7)
    assert messages == [("ladder.pipeline.run_stage", {"args": (stage,), "expires": 30})]


@pytest.mark.parametrize(
    ("lane", "woken"),
    [
        (Lane.TRIAL, ["check"]),
        (Lane.LADDER, ["rate"]),
        (Lane.REQUEST, ["duels", "rate"]),
        (Lane.TOURNAMENT, ["tournaments", "rate"]),
    ],
)
def test_what_a_settled_match_wakes_follows_from_its_lane(
    messages: list[Message], ladder: Ladder, lane: Lane, woken: list[str]
) -> None:
    match_settled(a_match(ladder, lane).pk)
    assert stages(messages) == woken


@pytest.mark.parametrize(
    ("lane", "woken"),
    [(Lane.TRIAL, ["check"] * 3), (Lane.LADDER, ["rate"]), (Lane.TOURNAMENT, ["tournaments", "rate"])],
)
def test_many_matches_in_a_second_wake_rating_once_and_every_trial_its_own_step(
    messages: list[Message], ladder: Ladder, lane: Lane, woken: list[str]
) -> None:
    match = a_match(ladder, lane)
    for _ in range(3):
        match_settled(match.pk)
    assert stages(messages) == woken


def test_who_woke_rating_just_now_does_not_ask_the_broker_again(
    messages: list[Message], ladder: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    kept: dict[str, bool] = {}
    near = SimpleNamespace(get=kept.get, set=lambda key, value, timeout: kept.update({key: value}))
    monkeypatch.setattr(pipeline.cache, "add", lambda key, *_, **__: not asked.append(key))
    monkeypatch.setattr(pipeline, "near_cache", lambda: near)
    match = a_match(ladder, Lane.LADDER)
    for _ in range(3):
        match_settled(match.pk)
    assert (asked, stages(messages)) == (["pipeline:rate"], ["rate"])


def test_every_lane_is_known_to_the_pipeline() -> None:
    assert set(Lane) == {Lane.TRIAL, Lane.LADDER, Lane.REQUEST, Lane.TOURNAMENT}


@pytest.mark.parametrize(("waiting", "crowded"), [(0, False), (MOST_WAITING - 1, False), (MOST_WAITING, True)])
def test_a_queue_is_crowded_from_its_limit_on(
    messages: list[Message], monkeypatch: pytest.MonkeyPatch, waiting: int, crowded: bool
) -> None:
    monkeypatch.setattr(pipeline, "messages_waiting", lambda name: waiting)
    assert is_crowded() is crowded
    LISTENERS[Event.VERSION_RECEIVED](1)
    assert bool(messages) is not crowded


def test_a_beat_that_nobody_heard_is_not_repeated_into_a_crowd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "messages_waiting", lambda name: MOST_WAITING)
    beat = Beat.__new__(Beat)
    assert beat.apply_async(entry=None) is None


@pytest.mark.parametrize(("wanted", "count"), [(True, 1), (False, 0)])
def test_a_host_is_asked_for_once_if_one_is_wanted(
    messages: list[Message], monkeypatch: pytest.MonkeyPatch, wanted: bool, count: int
) -> None:
    monkeypatch.setattr(hosting, "is_host_wanted", lambda: wanted)
    for _ in range(2):
        LISTENERS[Event.BOT_DUE](3)
    assert [task for task, _ in messages] == ["ladder.parlour.tasks.host_sittings"] * count


def test_no_fit_is_made_when_none_is_due(messages: list[Message], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fits, "next_due", lambda: None)
    assert (fit_next(), messages) == (0, [])


def test_a_small_ladder_is_fitted_in_the_beat(
    messages: list[Message], monkeypatch: pytest.MonkeyPatch, ladder: Ladder
) -> None:
    monkeypatch.setattr(fits, "next_due", lambda: ladder)
    monkeypatch.setattr(fits, "is_large", lambda one: False)
    monkeypatch.setattr(fits, "fit_ladder", lambda one: one == ladder)
    assert (fit_next(), messages) == (1, [])


def test_a_large_ladder_is_fitted_aside_and_asked_for_once(
    messages: list[Message], monkeypatch: pytest.MonkeyPatch, ladder: Ladder
) -> None:
    monkeypatch.setattr(fits, "next_due", lambda: ladder)
    monkeypatch.setattr(fits, "is_large", lambda one: True)
    monkeypatch.setattr(fits, "fit_ladder", lambda one: pytest.fail("the beat would wait for it"))
    assert [fit_next(), fit_next()] == [0, 0]
    assert messages == [("ladder.ratings.tasks.fit_large_ladder", {"expires": pipeline.FIT_ASKED_S})]


def test_stages_that_run_alone_are_stages() -> None:
    assert set(STAGES) >= ALONE


def test_a_beat_runs_every_stage_once_in_the_order_of_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(pipeline, "run_stage", ran.append)
    tick()
    assert ran == list(STAGES)
    assert ran.index("reap") < ran.index("rate") < ran.index("fit") < ran.index("pair") < ran.index("play")


def test_an_unknown_stage_is_logged_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[tuple[str, str]] = []
    paper = SimpleNamespace(exception=lambda event, *, stage: logged.append((event, stage)))
    monkeypatch.setattr(pipeline, "log", paper)
    run_stage("dance")
    assert logged == [("stage failed", "dance")]


def test_an_empty_service_has_nothing_to_do(ladder: Ladder, messages: list[Message]) -> None:
    before = Match.objects.count()
    for _ in range(2):
        tick()
    assert Match.objects.count() == before
    assert not [task for task, _ in messages if task != "ladder.pipeline.run_stage"]
