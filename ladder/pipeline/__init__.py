"""Which event wakes which stage: the whole way of the data on one page.

    version received    → check         its trials are written down, the first one is queued
    matches queued      → play          workers pull queued matches until none is left
    match settled       → check         a trial: the next trial, or the verdict
                        → rate          any other: in order of rating number
                        → duels         asked for: a duel is led on, or has its verdict
                        → tournaments   of a tournament: tables are settled, the next ones drawn
    bot due             → host          a worker keeps the bots of sittings while people play
    enough rated        → fit           all matches of a ladder at once: what leaderboards show
    ladder outdated     → rebuild       ratings that no longer follow from the matches are computed again
    duel started        → duels         its first sets are queued
    tournament changed  → tournaments   its next tables are drawn
    beat                → every stage   each pulls what the stage before left unfinished

Rooms announce (``ladder.events``) and know nobody above them; this page imports everybody and is imported by nobody.
The database is the truth and every stage may run at any time, twice, or never for a while: a lost message costs at
most one beat. So messages carry no state worth keeping, and a broker that can't be reached is no error here.

Several service processes run beats side by side. Of rating, rebuilding, pairing and tournaments each ladder or
tournament is one process's at a time, and others pass it by; so are the stages in ``ALONE``. What takes long thus
keeps one process, and delays nothing else.
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

from ladder.cache import near_cache
from ladder.events import Event, Listener
from ladder.locks import alone

log = structlog.get_logger("ladder.pipeline")
FIT_ASKED_S = 60  # a fit that was asked for and not begun is asked for again
SERVICE_QUEUE, MOST_WAITING = "service", 50
HOST_ASKED_S = 30
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
    "duels": "ladder.duels.advancing.advance_all",
    "demo": "ladder.tournaments.demo.start_demos_when_due",
    "tournaments": "ladder.tournaments.drawing.advance_all",
    "pair": "ladder.matchmaking.services.pair_all",
    "host": "ladder.pipeline.wake_hosts",
    "play": "ladder.pipeline.wake_players",
    "pulse": "ladder.matches.registration.note_beat",
    "count": "ladder.matches.tallies.keep_tally",
    "store": "ladder.operations.moving.fill_store",
    "tidy": "ladder.operations.tidying.tidy_when_due",
}


# As a whole; what another process is at is passed by.
ALONE = {"reap", "fit", "suspect", "demo", "count", "store", "tidy"}


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
        done = _alone(stage) if stage in ALONE else stage_function(stage)()
    except Exception:
        log.exception("stage failed", stage=stage)
        close_old_connections()
    else:
        if done:
            log.info("stage", stage=stage, done=done, ms=round(1000 * (time.monotonic() - started)))


def _alone(stage: str) -> int | None:
    with alone(f"stage {stage}") as is_mine:
        return stage_function(stage)() if is_mine else None


def stage_function(stage: str) -> Callable[[], int | None]:
    """The function of a stage."""
    return import_string(STAGES[stage])  # type: ignore[no-any-return]


def match_settled(match_id: int) -> None:
    """A match has its end: rate it, and lead a trial on."""
    from ladder.matches.models import Lane
    from ladder.matches.queries import lane_of

    lane = lane_of(match_id)
    if lane == Lane.TRIAL:
        _wake("check")
        return
    if lane == Lane.REQUEST:
        _wake_once_a_second("duels")
    if lane == Lane.TOURNAMENT:
        _wake_once_a_second("tournaments")
    _wake_once_a_second("rate")  # many short matches end in a second; rating takes them all


def _wake_once_a_second(stage: str) -> None:
    """Unless somebody did already; whether it was this process, it knows without asking the broker."""
    key, near = f"pipeline:{stage}", near_cache()
    if not near.get(key) and cache.add(key, True, timeout=1):
        near.set(key, True, timeout=1)
        _wake(stage)


def wake_players() -> None:
    """Send as many messages as there are idle workers and waiting matches; the queue never grows past that."""
    from ladder.matches.queries import playing_slots, waiting_matches

    slots = playing_slots()
    wanted = min(slots, waiting_matches(at_most=slots))
    for _ in range(wanted - messages_waiting("matches") if wanted else 0):
        send("ladder.matches.tasks.play_matches", queue="matches")


def wake_hosts() -> None:
    """Ask for one more host when a bot of a sitting waits and sittings have not taken their share of places."""
    from ladder.parlour.hosting import is_host_wanted

    if is_host_wanted() and cache.add("pipeline:host", True, timeout=1):
        send("ladder.parlour.tasks.host_sittings", queue="matches", expires=HOST_ASKED_S)


def fit_next() -> int:
    """Fit the ladder that is due; a large one in a task of its own, so that what follows in the beat doesn't wait."""
    from ladder.ratings.fits import ASKED, fit_ladder, is_large, next_due

    ladder = next_due()
    if ladder is None:
        return 0
    if not is_large(ladder):
        return int(fit_ladder(ladder))
    if cache.add(ASKED, True, timeout=FIT_ASKED_S):
        send("ladder.ratings.tasks.fit_large_ladder", expires=FIT_ASKED_S)
    return 0


LISTENERS: dict[Event, Listener] = {
    Event.VERSION_RECEIVED: lambda _: _wake("check"),
    Event.MATCHES_QUEUED: lambda _: wake_players(),
    Event.MATCH_SETTLED: match_settled,
    Event.BOT_DUE: lambda _: wake_hosts(),
    Event.LADDER_OUTDATED: lambda _: _wake("rebuild"),
    Event.DUEL_STARTED: lambda _: _wake("duels"),
    Event.TOURNAMENT_CHANGED: lambda _: _wake("tournaments"),
}


def _wake(stage: str) -> None:
    if not is_crowded():
        send("ladder.pipeline.run_stage", args=(stage,), expires=30)


def is_crowded() -> bool:
    """Whether so many messages wait for service processes that one more would tell them nothing."""
    return messages_waiting(SERVICE_QUEUE) >= MOST_WAITING


def send(task: str, **options: Any) -> None:
    """Send a message, or leave it to the next beat when the broker is away."""
    try:
        current_app.send_task(task, retry=False, **options)
    except BROKER_AWAY as error:
        log.warning("broker away", task=task, error=str(error))


def messages_waiting(queue: str) -> int:
    try:
        with current_app.connection_or_acquire() as connection:
            return int(connection.default_channel.queue_declare(queue).message_count)
    except BROKER_AWAY:
        return 0
