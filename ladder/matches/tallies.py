"""How many matches are in each state and how many faults there were, without counting millions of rows again.

What settled before a moment changes no more, unless somebody voids a match: that one is taken out of the counts. So the
beat keeps the counts up to that moment, and whoever asks adds what came since, by the index of endings.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

from django.core.cache import cache
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils.timezone import now

from ladder.matches.models import Match, Seat, Tally

NEVER = datetime(1970, 1, 1, tzinfo=UTC)
SURE = timedelta(minutes=10)  # no transaction takes so long: what ended before this is written by now
DUE = 2 * SURE
DAY_S = 86_400


def matches_by_status() -> dict[str, int]:
    """How many matches are in each state."""
    tally = _tally()
    counted = Counter(tally.matches) + _by_status(_settled(after=tally.through)) + _by_status(_open())
    return dict.fromkeys(Match.Status.values, 0) | counted


def faults_by_kind() -> dict[str, int]:
    """How many faults of each kind bots made."""
    tally = _tally()
    counted = Counter(tally.faults) + _by_fault(_settled(after=tally.through)) + _by_fault(_open())
    return dict.fromkeys(Seat.Fault.values, 0) | counted


def finished_since(midnight: datetime) -> int:
    """How many matches have ended since then; those that ended long ago are counted once a day, however many."""
    key, moment = _day(midnight), now()
    through, counted = cache.get(key) or (midnight - timedelta(microseconds=1), 0)
    if through < moment - DUE:
        since, through = through, moment - SURE
        counted += _by_status(_settled(after=since, through=through))[Match.Status.FINISHED]
        cache.set(key, (through, counted), DAY_S)
    return counted + _by_status(_settled(after=through))[Match.Status.FINISHED]


def _day(moment: datetime) -> str:
    return f"matches:finished:{moment:%Y-%m-%d}"


def keep_tally() -> int:
    """Count on to a moment that is surely over, when the last one is long ago; returns how many were counted."""
    if _tally().through > now() - DUE:
        return 0
    with transaction.atomic():
        tally, through = _held_tally(), now() - SURE
        new = _settled(after=tally.through, through=through)
        ended, faults = _by_status(new), _by_fault(new)
        Tally.objects.update(
            through=through, matches=Counter(tally.matches) + ended, faults=Counter(tally.faults) + faults
        )
    return ended.total()


@transaction.atomic
def uncount(match_id: int) -> None:
    """Take a match out of what was counted, because it is about to change and to end anew, among what came since."""
    tally = _held_tally()
    counted = Q(pk=match_id) & _settled(after=NEVER, through=tally.through)
    Tally.objects.update(
        matches=Counter(tally.matches) - _by_status(counted), faults=Counter(tally.faults) - _by_fault(counted)
    )
    cache.delete(_day(now()))


def _held_tally() -> Tally:
    """Whoever counts or voids a match meanwhile waits until the transaction ends, and then sees what was done."""
    Tally.objects.get_or_create(pk=1, defaults={"through": NEVER})
    return Tally.objects.select_for_update().get(pk=1)


def _tally() -> Tally:
    return Tally.objects.filter(pk=1).first() or Tally(through=NEVER)


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
