"""How the service is: whether it works, how much waits, how much room is left."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

import redis
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count, F, QuerySet, Sum
from django.utils.timezone import now

from ladder.broker import cache_url
from ladder.disk import disk_used_bytes
from ladder.ladders.models import Ladder
from ladder.matches.models import FailedAttempt, Match, Seat
from ladder.matches.queries import (
    able_workers,
    last_beat,
    live_workers,
    matches_by_status,
    queue_depths,
    set_aside_matches,
    unable_workers,
)
from ladder.submissions.models import BotVersion

BEAT_IS_LATE_S = 30
BROKER_TIMEOUT_S = 2


@dataclass(slots=True)
class Health:
    """What works; every reason is a sentence about what does not, every warning one about what works only in part."""

    database: bool = False
    broker: bool = False
    beat_age_s: float | None = None
    workers: int = 0
    reasons: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.reasons


def health(*, tells_all: bool = True) -> Health:
    """Look at every part once; what a worker says about its host is not for everybody."""
    seen = Health()
    _look_at_broker(seen)
    try:
        _look_at_database(seen, tells_all=tells_all)
    except DatabaseError as error:
        seen.reasons.append(f"The database is not responding: {type(error).__name__}.")
    return seen


def _look_at_broker(seen: Health) -> None:
    try:
        with redis.Redis.from_url(
            cache_url(settings.CELERY_BROKER_URL),
            socket_timeout=BROKER_TIMEOUT_S,
            socket_connect_timeout=BROKER_TIMEOUT_S,
        ) as broker:
            seen.broker = bool(broker.ping())
    except (redis.RedisError, OSError) as error:
        seen.reasons.append(f"The broker is not responding: {type(error).__name__}.")


def _look_at_database(seen: Health, *, tells_all: bool) -> None:
    seen.beat_age_s = _age_s(last_beat())
    seen.database = True
    if seen.beat_age_s is None or seen.beat_age_s > BEAT_IS_LATE_S:
        age = "has never run" if seen.beat_age_s is None else f"was {seen.beat_age_s:.0f} s ago"
        seen.reasons.append(f"The last beat {age}: beat or the service worker is down.")
    seen.workers = able_workers().count()
    if not seen.workers:
        seen.reasons.append(f"No worker can play. {_why_none_plays(tells_all=tells_all)}")
        return
    for worker in unable_workers():
        why = f"{worker.name} can play nothing: {worker.message}" if tells_all else "A worker can play nothing."
        seen.warnings.append(why)


def _why_none_plays(*, tells_all: bool) -> str:
    unable = live_workers().filter(plays=True).first()
    if unable is None:
        return "None has reported in recently."
    return unable.message if tells_all else "Only administrators see why."


def _age_s(moment: datetime | None) -> float | None:
    return None if moment is None else max(0.0, (now() - moment).total_seconds())


@dataclass(frozen=True, slots=True)
class Gauges:
    """The numbers behind /metrics, all from the database."""

    matches: dict[str, int]
    queued: dict[str, int]
    queue_age_s: float
    held: int
    set_aside: int
    faults: dict[str, int]
    failed_attempts: dict[str, int]
    ratings_lag: dict[str, int]
    versions: dict[str, int]
    workers: int
    unable_workers: int
    beat_age_s: float
    disk_bytes: int


def gauges() -> Gauges:
    """Count everything once."""
    depths = queue_depths()
    oldest = min((depth.oldest for depth in depths if depth.oldest), default=None)
    return Gauges(
        matches=matches_by_status(),
        queued={depth.lane: depth.waiting for depth in depths},
        queue_age_s=_age_s(oldest) or 0.0,
        held=Match.objects.filter(status=Match.Status.QUEUED, is_held=True).count(),
        set_aside=set_aside_matches().count(),
        faults=_tally(Seat.objects.exclude(fault=""), "fault", Seat.Fault.values),
        failed_attempts=_tally(FailedAttempt.objects.all(), "cause", FailedAttempt.Cause.values),
        ratings_lag=dict(Ladder.objects.values_list("slug", F("last_number") - F("rated_through"))),
        versions=_tally(BotVersion.objects.all(), "status", BotVersion.Status.values),
        workers=able_workers().aggregate(total=Sum("processes"))["total"] or 0,
        unable_workers=unable_workers().count(),
        beat_age_s=_age_s(last_beat()) or 0.0,
        disk_bytes=disk_used_bytes(),
    )


def _tally(rows: QuerySet, column: str, known: list[str]) -> dict[str, int]:  # type: ignore[type-arg]
    counted = dict(rows.order_by().values_list(column).annotate(n=Count("pk")))
    return {**dict.fromkeys(known, 0), **counted}
