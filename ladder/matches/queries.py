"""What is known about matches, queues and workers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Exists, Min, OuterRef, Prefetch, Q, QuerySet, Sum
from django.db.models.functions import Now

from arena.sandbox.sandbox_folder import game_digests
from engines import GAMES
from ladder.ladders.models import Ladder
from ladder.matches.models import Lane, Match, Pulse, Seat, Worker
from ladder.prepared import prepared, put_beside

WORKER_SEEN_S = 60  # a worker that has not shown itself for so long is gone
UNSETTLED = (Match.Status.QUEUED, Match.Status.RUNNING)
SETTLED = tuple(status for status in Match.Status if status not in UNSETTLED)  # it will not change any more


def matches_in_full() -> QuerySet[Match]:
    """Matches with everything a list or page of them shows, in a fixed number of queries; newest first."""
    return _without_seats().prefetch_related(Prefetch("seats", queryset=_seats_in_full()))


def _without_seats() -> QuerySet[Match]:
    return Match.objects.select_related("ladder", "set").order_by("-id")


def _seats_in_full() -> QuerySet[Seat]:
    return Seat.objects.select_related("version__bot__owner").order_by("seat")


@prepared
def _matches_numbered(ids: list[int]) -> QuerySet[Match]:
    return _without_seats().filter(pk__in=ids)


@prepared
def _seats_of(ids: list[int]) -> QuerySet[Seat]:
    return _seats_in_full().filter(match__in=ids)


def these_matches_in_full(ids: Sequence[int]) -> list[Match]:
    """Matches by their numbers as ``matches_in_full`` has them, newest first, by statements that are made once."""
    seats: dict[int, list[Seat]] = {}
    for seat in _seats_of(list(ids)):
        seats.setdefault(seat.match_id, []).append(seat)
    found = _matches_numbered(list(ids))
    for match in found:
        put_beside(match, "seats", seats.get(match.pk, []))
    return found


def match_in_full(match_id: int) -> Match | None:
    """A match with everything its page shows; None where there is none."""
    return next(iter(these_matches_in_full([match_id])), None)


def is_revealed(match: Match) -> bool:
    """Whether the seed may be shown: no match of the set is still to be played."""
    return not _unsettled_of(match.set_id)


@prepared
def _unsettled_of(set_id: int) -> QuerySet[Match, int]:
    return Match.objects.filter(set=set_id, status__in=UNSETTLED).values_list("pk", flat=True)[:1]


def hides_its_seed() -> Exists:
    """The opposite of ``is_revealed``, as a condition in a statement about matches."""
    return Exists(Match.objects.filter(set=OuterRef("set"), status__in=UNSETTLED))


def lane_of(match_id: int) -> Lane:
    """The lane of a match that is there."""
    return Lane(_lanes(match_id)[0])


@prepared
def _lanes(match_id: int) -> QuerySet[Match, str]:
    return Match.objects.filter(pk=match_id).values_list("lane", flat=True)


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
    return matches_to_play().exclude(ladder__in=foreign_ladders())


def matches_to_play() -> QuerySet[Match]:
    """What a worker with all engines may take now; of a set one at a time."""
    return Match.objects.filter(~a_sibling_runs(), _not_aside(), status=Match.Status.QUEUED, is_held=False)


def foreign_ladders() -> list[int]:
    """The ladders whose game, or whose version of its rules, this process doesn't have."""
    return [pk for pk, game, rules in _rules_of_ladders() if is_foreign(game, rules)]


def is_foreign(game: str, rules_version: int) -> bool:
    """Whether this process doesn't have a game, or has another version of its rules."""
    return game not in GAMES or GAMES[game].rules_version != rules_version


@prepared
def _rules_of_ladders() -> QuerySet[Ladder, tuple[int, str, int]]:
    return Ladder.objects.values_list("pk", "game", "rules_version")


def waiting_matches(*, at_most: int) -> int:
    """How many matches workers could claim at once now, counted no further than asked."""
    waiting = claimable_matches().filter(lane__in=Lane.values).order_by()
    return len(waiting.values_list("set", flat=True).distinct()[:at_most])


def to_rate() -> QuerySet[Match]:
    """Rated matches with a result that the rater has not numbered yet, in the order of their results."""
    waiting = Match.objects.filter(is_rated=True, rating_number__isnull=True, plies__isnull=False)
    return waiting.order_by("finished_at", "id")


def live_workers() -> QuerySet[Worker]:
    """Workers that have shown themselves lately."""
    return Worker.objects.filter(seen_at__gt=Now() - timedelta(seconds=WORKER_SEEN_S)).order_by("name")


def able_workers() -> QuerySet[Worker]:
    """Live workers that play: with a working sandbox and the engines of this service."""
    return live_workers().filter(plays=True, sandbox_ok=True, message="", drained_at=None)


def unable_workers() -> QuerySet[Worker]:
    """Live workers of the match queue that should play and can't, for the reason they give."""
    return live_workers().filter(plays=True, drained_at=None).exclude(pk__in=able_workers().values("pk"))


def runtimes_at_hand() -> set[str]:
    """The runtimes that some able worker has; empty when none is there."""
    told = able_workers().values_list("abilities", flat=True)
    return {name for abilities in told for name in abilities.get("runtimes", {})}


def has_game_at_hand(game: str) -> bool:
    """Whether some able worker has the game as this process has it, or none has said what it has."""
    told = [each.get("digests", {}).get(f"game {game}") for each in able_workers().values_list("abilities", flat=True)]
    known = [digest for digest in told if digest]
    return not known or game_digests().get(game) in known


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
