"""What is thrown away in time: logs of bots, old tokens and log-ins, read news, unpacked bundles nobody plays with."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import structlog
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import F
from django.utils.timezone import now
from knox.models import AuthToken
from redis import RedisError

from ladder.accounts.models import Invite, Notification
from ladder.matches.broadcast import broker
from ladder.matches.models import Match, Pulse, Seat, SeatLog, Worker
from ladder.operations.moving import drop_orphans, renew_links
from ladder.parlour.models import Sitting
from ladder.parlour.services import leave_stale
from ladder.submissions.models import BotVersion

log = structlog.get_logger("ladder.operations")
EVERY = timedelta(hours=1)
NEWS_DAYS = 90
LOG_IN_DAYS = 30
WORKER_DAYS = 7
UNPACKED_IDLE_S = 24 * 3600
BATCH = 5000  # rows deleted at once, so that no writer waits long
PULSE = "tidy"
IN_HAND = "rumrunner:matches.unacked"  # where the broker keeps what narrow workers have taken and not confirmed


def tidy_when_due() -> int:
    """Tidy if the last time was an hour ago or more; the pipeline asks every beat. Returns what went."""
    stale = Pulse.objects.filter(stage=PULSE, at__lt=now() - EVERY)
    if not stale.update(at=now()) and not Pulse.objects.get_or_create(stage=PULSE)[1]:
        return 0
    return sum(tidy().values())


def tidy() -> dict[str, int]:
    """Throw away what is too old; returns how much of each kind went."""
    gone = {name: step() for name, step in STEPS.items()}
    if any(gone.values()):
        log.info("tidied", **{name: count for name, count in gone.items() if count})
    return gone


def _days_ago(days: int) -> datetime:
    return now() - timedelta(days=days)


def _old_logs() -> int:
    """Logs of bots past their days."""
    total = 0
    while pks := list(
        SeatLog.objects.filter(written_at__lt=_days_ago(settings.LOG_DAYS)).values_list("pk", flat=True)[:BATCH]
    ):
        total += SeatLog.objects.filter(pk__in=pks).delete()[0]
    return total


def _expired_tokens() -> int:
    return int(AuthToken.objects.filter(expiry__lt=now()).delete()[0])


def _expired_sessions() -> int:
    return Session.objects.filter(expire_date__lt=now()).delete()[0]


def _old_log_ins() -> int:
    kinds = (AccessAttempt, AccessFailureLog, AccessLog)
    return sum(kind.objects.filter(attempt_time__lt=_days_ago(LOG_IN_DAYS)).delete()[0] for kind in kinds)


def _read_news() -> int:
    return Notification.objects.filter(read_at__lt=_days_ago(NEWS_DAYS)).delete()[0]


def _spent_invites() -> int:
    return Invite.objects.filter(expires_at__lt=_days_ago(NEWS_DAYS)).delete()[0]


def _gone_workers() -> int:
    """Those an operator took out of play stay known, so that they stay out however long they were away."""
    return Worker.objects.filter(seen_at__lt=_days_ago(WORKER_DAYS), drained_at=None).delete()[0]


def _old_sittings() -> int:
    """Games of guests past the days of logs; those of people with an account stay."""
    old = Sitting.objects.filter(started_by=None, finished_at__lt=_days_ago(settings.LOG_DAYS))
    return old.delete()[0]


def _idle_bundles() -> int:
    """Folders of bundles that no active version and no waiting match needs; workers unpack again on demand."""
    folder = Path(settings.DATA) / "bundles"
    if not folder.is_dir():
        return 0
    needed = set(BotVersion.objects.filter(bot__active_version=F("pk")).values_list("bundle_id", flat=True))
    waiting = Seat.objects.filter(match__status__in=[Match.Status.QUEUED, Match.Status.RUNNING])
    needed |= set(waiting.values_list("version__bundle_id", flat=True))
    idle = [each for each in folder.iterdir() if each.name not in needed and _is_idle(each)]
    for each in idle:
        shutil.rmtree(each, ignore_errors=True)
    return len(idle)


def _lost_messages() -> int:
    """Messages that narrow workers had in hand when they were killed: they only woke, and the beat wakes again."""
    index, messages = f"{IN_HAND}_index", IN_HAND
    try:
        lost = broker().zrangebyscore(index, "-inf", time.time() - settings.LONGEST_TASK_S)
        if lost:
            broker().hdel(messages, *lost)
            broker().zrem(index, *lost)
    except (RedisError, OSError):
        return 0  # the broker is away; an hour later it is asked again
    return len(lost)


def _is_idle(folder: Path) -> bool:
    try:
        return time.time() - folder.stat().st_mtime > UNPACKED_IDLE_S
    except FileNotFoundError:
        return False


STEPS: dict[str, Callable[[], int]] = {
    "logs": _old_logs,
    "tokens": _expired_tokens,
    "sessions": _expired_sessions,
    "log_ins": _old_log_ins,
    "news": _read_news,
    "invites": _spent_invites,
    "workers": _gone_workers,
    "left_sittings": leave_stale,
    "sittings": _old_sittings,
    "bundles": _idle_bundles,
    "orphans": drop_orphans,
    "links": renew_links,
    "messages": _lost_messages,
}
