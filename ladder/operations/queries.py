"""How the service is: whether it works, how much waits, how much room is left."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

import redis
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count, Max, QuerySet, Sum
from django.utils.timezone import now

from ladder.broker import cache_url
from ladder.cache import near_cache
from ladder.disk import disk_used_bytes
from ladder.live.reports import last_report
from ladder.matches.models import FailedAttempt, Lane, Match, Pulse
from ladder.matches.queries import (
    SETTLED,
    able_workers,
    last_beat,
    live_workers,
    queue_depths,
    set_aside_matches,
    unable_workers,
)
from ladder.matches.tallies import faults_by_kind, matches_by_status
from ladder.operations.backups import BACKUP
from ladder.operations.deviations import deviating_hosts
from ladder.parlour.queries import wait_p95_ms
from ladder.ratings.models import Fit
from ladder.ratings.queries import ratings_lag
from ladder.submissions.models import BotVersion

BEAT_IS_LATE_S = 30
BROKER_TIMEOUT_S = 2
LONG_S = 0.05
VOID_SAMPLE = 5000
Counted = TypeVar("Counted")


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
    for report in deviating_hosts() if tells_all else []:
        seen.warnings.append(
            f"The results of {report.host} differ from those of the other machines by more than luck explains "
            f"(1 in 10^{report.surprise:.0f}). Drain it, then void and replay some of its matches and compare."
        )


def _why_none_plays(*, tells_all: bool) -> str:
    unable = live_workers().filter(plays=True).first()
    if unable is None:
        return "None has reported in recently."
    return unable.message if tells_all else "Only administrators see why."


def _age_s(moment: datetime | None) -> float | None:
    return None if moment is None else max(0.0, (now() - moment).total_seconds())


@dataclass(frozen=True, slots=True)
class Gauges:
    """The numbers behind /metrics, from the database; who watches from the broker."""

    matches: dict[str, int]
    void_rate: float
    queued: dict[str, int]
    queue_age_s: dict[str, float]
    held: int
    set_aside: int
    faults: dict[str, int]
    failed_attempts: dict[str, int]
    ratings_lag: dict[str, int]
    fit_age_s: dict[str, float]
    versions: dict[str, int]
    workers: int
    unable_workers: int
    drained_workers: int
    beat_age_s: float
    backup_age_s: float | None
    disk_bytes: int
    spectators: int
    watched: int
    sitting_wait_s: float | None


def gauges() -> Gauges:
    """Count everything once."""
    live = last_report()
    depths = queue_depths()
    return Gauges(
        matches=seldom("matches", matches_by_status),
        void_rate=_void_rate(),
        queued=dict.fromkeys(Lane.values, 0) | {depth.lane: depth.waiting for depth in depths},
        queue_age_s=dict.fromkeys(Lane.values, 0.0) | {depth.lane: _age_s(depth.oldest) or 0.0 for depth in depths},
        held=Match.objects.filter(status=Match.Status.QUEUED, is_held=True).count(),
        set_aside=set_aside_matches().count(),
        faults=seldom("faults", faults_by_kind),
        failed_attempts=_tally(FailedAttempt.objects.all(), "cause", FailedAttempt.Cause.values),
        ratings_lag=ratings_lag(),
        fit_age_s={slug: _age_s(at) or 0.0 for slug, at in _fits_shown().items()},
        versions=seldom("versions", lambda: _tally(BotVersion.objects.all(), "status", BotVersion.Status.values)),
        workers=able_workers().aggregate(total=Sum("processes"))["total"] or 0,
        unable_workers=unable_workers().count(),
        drained_workers=live_workers().exclude(drained_at=None).count(),
        beat_age_s=_age_s(last_beat()) or 0.0,
        backup_age_s=_age_s(last_backup()),
        disk_bytes=disk_used_bytes(),
        spectators=live.spectators if live else 0,
        watched=live.matches if live else 0,
        sitting_wait_s=None if (wait_ms := wait_p95_ms()) is None else wait_ms / 1000,
    )


def seldom(name: str, count: Callable[[], Counted]) -> Counted:
    """What takes long to count in a large database is counted again only after a hundred times as long."""
    known: Counted | None = near_cache().get(f"operations:{name}")
    if known is None:
        began = time.monotonic()
        known = count()
        took_s = time.monotonic() - began
        if took_s > LONG_S:
            near_cache().set(f"operations:{name}", known, 100 * took_s)
    return known


def _void_rate() -> float:
    """The share of voids among the latest settled matches of a day."""
    settled = Match.objects.filter(status__in=SETTLED, finished_at__gt=now() - timedelta(days=1))
    latest = list(settled.order_by("-finished_at").values_list("status", flat=True)[:VOID_SAMPLE])
    return latest.count(Match.Status.VOID) / len(latest) if latest else 0.0


def _fits_shown() -> dict[str, datetime]:
    """When the leaderboards of ladders with results were last fitted."""
    shown = Fit.objects.filter(is_shown=True, ladder__is_open=True)
    return dict(shown.order_by().values_list("ladder__slug").annotate(at=Max("at")))


def last_backup() -> datetime | None:
    """When a backup was last written, or another program's noted."""
    return Pulse.objects.filter(stage=BACKUP).values_list("at", flat=True).first()


def _tally(rows: QuerySet, column: str, known: list[str]) -> dict[str, int]:  # type: ignore[type-arg]
    counted = dict(rows.order_by().values_list(column).annotate(n=Count("pk")))
    return {**dict.fromkeys(known, 0), **counted}
