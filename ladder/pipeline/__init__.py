"""Which event wakes which stage: the whole way of the data on one page.

    version received    → check         its trials are written down, the first one is queued
    matches queued      → play          workers pull queued matches until none is left
    match settled       → check         a trial: the next trial, or the verdict
                        → rate          any other: in order of rating number
                        → tournaments   of a tournament: tables are settled, the next ones drawn
    enough rated        → fit           all matches of a ladder at once: what leaderboards show
    ladder outdated     → rebuild       ratings that no longer follow from the matches are computed again
    tournament changed  → tournaments   its next tables are drawn
    beat                → every stage   each pulls what the stage before left unfinished

Rooms announce (``ladder.events``) and know nobody above them; this page imports everybody and is imported by nobody.
The database is the truth and every stage may run at any time, twice, or never for a while: a lost message costs at
most one beat. So messages carry no state worth keeping, and a broker that can't be reached is no error here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import structlog
from celery import current_app, shared_task
from django.core.cache import cache
from django.db import close_old_connections
from django.utils.module_loading import import_string
from kombu.exceptions import ChannelError, KombuError
from redis.exceptions import RedisError

from ladder.events import Event, Listener

log = structlog.get_logger("ladder.pipeline")
FIT_ASKED_S = 60  # a fit that was asked for and not begun is asked for again
BROKER_AWAY = (KombuError, ChannelError, RedisError, OSError)

# In the order of the data: what one stage finishes, the next picks up in the same beat.
STAGES = {
    "rules": "ladder.ratings.rules.adopt_all",
    "reap": "ladder.matches.leases.reap",
    "rate": "ladder.ratings.services.rate_all",
    "rebuild": "ladder.ratings.recompute.rebuild_all",
    "fit": "ladder.pipeline.fit_next",
    "suspect": "ladder.qualifying.quarantine.suspect_all",
    "check": "ladder.qualifying.trials.advance_all",
    "demo": "ladder.tournaments.demo.start_demos_when_due",
    "tournaments": "ladder.tournaments.drawing.advance_all",
    "pair": "ladder.matchmaking.services.pair_all",
    "play": "ladder.pipeline.wake_players",
    "pulse": "ladder.matches.registration.note_beat",
    "tidy": "ladder.operations.tidying.tidy_when_due",
}


@shared_task(name="ladder.pipeline.tick")
def tick() -> None:
    """One beat: every stage once; one that fails is logged and does not stop the others."""
    for stage in STAGES:
        run_stage(stage)


@shared_task(name="ladder.pipeline.run_stage")
def run_stage(stage: str) -> None:
    """Run one stage now."""
    started = time.monotonic()
    try:
        done = stage_function(stage)()
    except Exception:
        log.exception("stage failed", stage=stage)
        close_old_connections()
    else:
        if done:
            log.info("stage", stage=stage, done=done, ms=round(1000 * (time.monotonic() - started)))


def stage_function(stage: str) -> Callable[[], int | None]:
    """The function of a stage."""
    return import_string(STAGES[stage])  # type: ignore[no-any-return]


def match_settled(match_id: int) -> None:
    """A match has its end: rate it, and lead a trial on."""
    from ladder.matches.models import Lane, Match

    lane = Match.objects.values_list("lane", flat=True).get(pk=match_id)
    if lane == Lane.TRIAL:
        _wake("check")
        return
    if lane == Lane.TOURNAMENT and cache.add("pipeline:tournaments", True, timeout=1):
        _wake("tournaments")
    if cache.add("pipeline:rate", True, timeout=1):  # many short matches end in a second; rating takes them all
        _wake("rate")


def wake_players() -> None:
    """Send as many messages as there are idle workers and waiting matches; the queue never grows past that."""
    from ladder.matches.queries import playing_slots, waiting_matches

    slots = playing_slots()
    wanted = min(slots, waiting_matches(at_most=slots))
    for _ in range(wanted - _messages_waiting("matches") if wanted else 0):
        _send("ladder.matches.tasks.play_matches", queue="matches")


def fit_next() -> int:
    """Fit the ladder that is due; a large one where matches are played, so that no other stage waits for it."""
    from ladder.ratings.fits import fit_ladder, is_large, next_due

    ladder = next_due()
    if ladder is None:
        return 0
    if not is_large(ladder):
        return int(fit_ladder(ladder))
    if cache.add("pipeline:fit", True, timeout=FIT_ASKED_S):
        _send("ladder.ratings.tasks.fit_large_ladder", queue="matches", expires=FIT_ASKED_S)
    return 0


LISTENERS: dict[Event, Listener] = {
    Event.VERSION_RECEIVED: lambda _: _wake("check"),
    Event.MATCHES_QUEUED: lambda _: wake_players(),
    Event.MATCH_SETTLED: match_settled,
    Event.LADDER_OUTDATED: lambda _: _wake("rebuild"),
    Event.TOURNAMENT_CHANGED: lambda _: _wake("tournaments"),
}


def _wake(stage: str) -> None:
    _send("ladder.pipeline.run_stage", args=(stage,), expires=30)


def _send(task: str, **options: Any) -> None:
    """Send a message, or leave it to the next beat when the broker is away."""
    try:
        current_app.send_task(task, retry=False, **options)
    except BROKER_AWAY as error:
        log.warning("broker away", task=task, error=str(error))


def _messages_waiting(queue: str) -> int:
    try:
        with current_app.connection_or_acquire() as connection:
            return int(connection.default_channel.queue_declare(queue).message_count)
    except BROKER_AWAY:
        return 0
