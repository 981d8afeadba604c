"""How many matches are in each state and how many faults there were, without counting millions of rows again.

What settled before a moment changes no more, unless somebody voids a match: that one is taken out of the counts. So the
beat keeps the counts up to that moment, and whoever asks adds what came since, by the index of endings. One row counts
from ever, another from the last midnight: the number of a row is the second, as Unix counts them, from which it counts.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils.timezone import get_default_timezone, localtime, now

from ladder.matches.models import Match, Seat, Tally

NEVER = datetime(1970, 1, 1, tzinfo=UTC)
SURE = timedelta(minutes=10)  # no transaction takes so long: what ended before this is written by now
DUE = 2 * SURE
EVER = 1  # the row that counts all


def matches_by_status() -> dict[str, int]:
    """How many matches are in each state."""
    tally = _tally(EVER)
    counted = Counter(tally.matches) + _by_status(_settled(after=tally.through)) + _by_status(_open())
    return dict.fromkeys(Match.Status.values, 0) | counted


def faults_by_kind() -> dict[str, int]:
    """How many faults of each kind bots made."""
    tally = _tally(EVER)
    counted = Counter(tally.faults) + _by_fault(_settled(after=tally.through)) + _by_fault(_open())
    return dict.fromkeys(Seat.Fault.values, 0) | counted


def finished_today() -> int:
    """How many matches have ended since midnight, by the service's clock."""
    tally = _tally(_today())
    return (Counter(tally.matches) + _by_status(_settled(after=tally.through)))[Match.Status.FINISHED]


def keep_tally() -> int:
    """Count on to a moment that is surely over, when the last one is long ago; returns how many were counted."""
    if _tally(EVER).through > now() - DUE:
        return 0
    with transaction.atomic():
        tally, through, today = _held_tally(), now() - SURE, _today()
        counted = _count_on(tally, through)
        Tally.objects.exclude(pk__in=[EVER, today]).delete()
        if _start(today) < through:
            _count_on(_tally(today), through)
    return counted


def _count_on(tally: Tally, through: datetime) -> int:
    """Add to a row what settled since its last moment and up to this one; returns how many."""
    new = _settled(after=tally.through, through=through)
    ended = _by_status(new)
    tally.matches, tally.faults = Counter(tally.matches) + ended, Counter(tally.faults) + _by_fault(new)
    tally.through = max(through, tally.through)
    tally.save()
    return ended.total()


@transaction.atomic
def uncount(match_id: int) -> None:
    """Take a match out of what was counted, because it is about to change and to end anew, among what came since."""
    _held_tally()
    for tally in Tally.objects.all():
        counted = Q(pk=match_id) & _settled(after=_start(tally.pk), through=tally.through)
        tally.matches = Counter(tally.matches) - _by_status(counted)
        tally.faults = Counter(tally.faults) - _by_fault(counted)
        tally.save()


def _held_tally() -> Tally:
    """Whoever counts or voids a match meanwhile waits until the transaction ends, and then sees what was done."""
    Tally.objects.get_or_create(pk=EVER, defaults={"through": NEVER})
    return Tally.objects.select_for_update().get(pk=EVER)


def _tally(since: int) -> Tally:
    """What was counted from this second on; nothing yet if the beat has not counted so far."""
    return Tally.objects.filter(pk=since).first() or Tally(pk=since, through=_start(since))


def _today() -> int:
    """The second in which the day began where the service is."""
    midnight = localtime(now(), get_default_timezone()).replace(hour=0, minute=0, second=0, microsecond=0)
    return int(midnight.timestamp())


def _start(since: int) -> datetime:
    """The last moment that a row does not count."""
    return NEVER if since == EVER else datetime.fromtimestamp(since, UTC) - timedelta(microseconds=1)


def _open() -> Q:
    """What has no end yet."""
    return Q(finished_at=None)


def _settled(*, after: datetime, through: datetime | None = None) -> Q:
    return Q(finished_at__gt=after) & (Q() if through is None else Q(finished_at__lte=through))


def _by_status(which: Q) -> Counter[str]:
    return _count(Match.objects.filter(which), "status")


def _by_fault(which: Q) -> Counter[str]:
    return _count(Seat.objects.filter(match__in=Match.objects.filter(which)).exclude(fault=""), "fault")


def _count(rows: QuerySet, column: str) -> Counter[str]:  # type: ignore[type-arg]
    return Counter(dict(rows.order_by().values_list(column).annotate(n=Count("pk"))))
