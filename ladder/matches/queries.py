"""What is known about matches, queues and workers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Exists, Min, OuterRef, Prefetch, Q, QuerySet, Sum
from django.db.models.functions import Now

from engines import GAMES
from ladder.ladders.models import Ladder
from ladder.matches.models import Lane, Match, Pulse, Seat, Worker

WORKER_SEEN_S = 60  # a worker that has not shown itself for so long is gone
UNSETTLED = (Match.Status.QUEUED, Match.Status.RUNNING)
SETTLED = tuple(status for status in Match.Status if status not in UNSETTLED)  # it will not change any more


def matches_in_full() -> QuerySet[Match]:
    """Matches with everything a list or page of them shows, in a fixed number of queries; newest first."""
    seats = Seat.objects.select_related("version__bot__owner").order_by("seat")
    matches = Match.objects.select_related("ladder", "set").order_by("-id")
    return matches.prefetch_related(Prefetch("seats", queryset=seats))


def matches_of_bot(bot_id: int) -> QuerySet[Match]:
    """The matches of all versions of a bot."""
    played = Seat.objects.filter(version__bot=bot_id).values("match")
    return matches_in_full().filter(pk__in=played)


def is_revealed(match: Match) -> bool:
    """Whether the seed may be shown: no match of the set is still to be played."""
    return not Match.objects.filter(set=match.set_id, status__in=UNSETTLED).exists()


def a_sibling_runs() -> Exists:
    """Whether another match of the set is being played: its bots could tell this one's what the seed deals."""
    return Exists(Match.objects.filter(set=OuterRef("set"), status=Match.Status.RUNNING))


def set_aside_matches() -> QuerySet[Match]:
    """What failed on every try so far and waits for a better time, the longest waiting first."""
    aside = Match.objects.filter(status=Match.Status.QUEUED, times_aside__gt=0, aside_until__gt=Now())
    return aside.order_by("created_at", "id")


def _not_aside() -> Q:
    return Q(aside_until__isnull=True) | Q(aside_until__lte=Now())


def has_other_bots_than(runtimes: Collection[str]) -> Exists:
    """Whether a seat of the match needs a runtime that is none of these."""
    return Exists(Seat.objects.filter(match=OuterRef("pk")).exclude(version__runtime__in=list(runtimes)))


def claimable_matches() -> QuerySet[Match]:
    """What a worker with the engines of this process may take now; of a set one at a time."""
    waiting = Match.objects.filter(~a_sibling_runs(), _not_aside(), status=Match.Status.QUEUED, is_held=False)
    return waiting.exclude(ladder__in=_foreign_ladders())


def _foreign_ladders() -> list[int]:
    """The ladders whose game, or whose version of its rules, this process doesn't have."""
    rows = Ladder.objects.values_list("pk", "game", "rules_version")
    return [pk for pk, game, rules in rows if game not in GAMES or GAMES[game].rules_version != rules]


def ladders_ahead() -> dict[str, int]:
    """The ladders, by slug, whose rules are newer than those of this process, and which."""
    rows = Ladder.objects.filter(game__in=GAMES).values_list("slug", "game", "rules_version")
    return {slug: rules for slug, game, rules in rows if rules > GAMES[game].rules_version}


def waiting_matches(*, at_most: int) -> int:
    """How many matches workers could claim at once now, counted no further than asked."""
    waiting = claimable_matches().filter(lane__in=Lane.values).order_by()
    return len(waiting.values_list("set", flat=True).distinct()[:at_most])


def live_workers() -> QuerySet[Worker]:
    """Workers that have shown themselves lately."""
    return Worker.objects.filter(seen_at__gt=Now() - timedelta(seconds=WORKER_SEEN_S)).order_by("name")


def able_workers() -> QuerySet[Worker]:
    """Live workers that play: with a working sandbox and the engines of this service."""
    return live_workers().filter(plays=True, sandbox_ok=True, message="")


def unable_workers() -> QuerySet[Worker]:
    """Live workers of the match queue that can play nothing, for the reason they give."""
    return live_workers().filter(plays=True).exclude(pk__in=able_workers().values("pk"))


def runtimes_at_hand() -> set[str]:
    """The runtimes that some able worker has; empty when none is there."""
    told = able_workers().values_list("abilities", flat=True)
    return {name for abilities in told for name in abilities.get("runtimes", {})}


def playing_slots() -> int:
    """How many matches all workers together can play at once; before any has shown itself, those of this machine."""
    return able_workers().aggregate(total=Sum("processes"))["total"] or settings.WORKERS


@dataclass(frozen=True, slots=True)
class LaneDepth:
    """How many matches wait in a lane, and since when."""

    lane: str
    waiting: int
    oldest: datetime | None


def queue_depths() -> list[LaneDepth]:
    """Every lane that has waiting matches; what was set aside waits for its time, not for a worker."""
    rows = (
        Match.objects.filter(_not_aside(), status=Match.Status.QUEUED, is_held=False)
        .values("lane")
        .annotate(waiting=Count("pk"), oldest=Min("created_at"))
        .order_by("lane")
    )
    return [LaneDepth(row["lane"], row["waiting"], row["oldest"]) for row in rows]


def last_beat() -> datetime | None:
    """When the pipeline last ran through all its stages."""
    return Pulse.objects.filter(stage="tick").values_list("at", flat=True).first()


def matches_by_status() -> dict[str, int]:
    """How many matches are in each state."""
    rows = Match.objects.values_list("status").annotate(count=Count("pk")).order_by("status")
    return {**dict.fromkeys(Match.Status.values, 0), **dict(rows)}
