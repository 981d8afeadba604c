"""Numbers of the home page that cost a look at large tables: counted at most once in a few seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.core.cache import cache
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.timezone import now

from engines import GAMES
from ladder.matches.models import Lane, Match
from ladder.matches.queries import these_matches_in_full
from ladder.matches.tallies import finished_today
from ladder.prepared import prepared
from ladder.ratings.models import RANKED_MATCHES, Rating
from ladder.submissions.models import Bot, BotVersion

T = TypeVar("T")
NOTABLE_AMONG = 60
NAMED = 4  # running matches that the home page names, one of them on its table
ON_TRIAL = (BotVersion.Status.RECEIVED, BotVersion.Status.CHECKING)


def remembered(key: str, seconds: int, count: Callable[[], T]) -> T:
    """The cached answer, or a fresh one that is then cached."""
    found: T | None = cache.get(f"web:{key}")
    if found is None:
        found = count()
        cache.set(f"web:{key}", found, seconds)
    return found


@dataclass(frozen=True, slots=True)
class Playing:
    """A match that is being played, and by whom."""

    match: int
    game: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counters:
    """What the home page counts."""

    today: int
    running_by_game: dict[str, int]
    playing: tuple[Playing, ...]  # some of those that run, the newest first and checks last
    on_air: int  # the running match that is on show; 0 where none runs
    on_trial: int  # a running match of a version that is being checked; 0 where none runs
    waiting: int
    bots: int
    at: datetime

    @property
    def running(self) -> int:
        return sum(self.running_by_game.values())

    def is_on(self, match: int) -> bool:
        """Whether a match is one of those that are being played."""
        return any(one.match == match for one in self.playing)

    def besides(self, shown: int) -> list[Playing]:
        """What is being played on other tables than the one that is shown."""
        return [one for one in self.playing if one.match != shown]


def counters() -> Counters:
    """Matches finished since midnight, running and waiting now, and bots that play or are being checked."""
    return remembered("counters", 5, _count)


@prepared
def _running() -> QuerySet[Match, tuple[int, str, str]]:
    running = Match.objects.filter(status=Match.Status.RUNNING).order_by()
    return running.values_list("pk", "ladder__game", "lane")


@prepared
def _waiting() -> QuerySet[Match, int]:
    """How many wait; no row at all where none does."""
    waiting = Match.objects.filter(status=Match.Status.QUEUED, is_held=False).order_by()
    return waiting.values("status").annotate(count=Count("pk")).values_list("count", flat=True)


def _count() -> Counters:
    moment = now()
    running = _running()
    counted = Counter(game for _, game, _ in running)
    return Counters(
        today=remembered("today", 15, finished_today),
        running_by_game={name: counted[name] for name in GAMES},
        playing=_playing(sorted(running, key=lambda row: (row[2] == Lane.TRIAL, -row[0]))[:NAMED]),
        on_air=max((pk for pk, _, lane in running if lane != Lane.TRIAL), default=0),
        on_trial=max((pk for pk, _, lane in running if lane == Lane.TRIAL), default=0),
        waiting=sum(_waiting()),
        bots=remembered("bots", 60, _bots().count),
        at=moment,
    )


def _bots() -> QuerySet[Bot]:
    """Bots that play, and those whose check will let them: from the first second on they are on the tables, too."""
    on_trial = Exists(BotVersion.objects.filter(bot=OuterRef("pk"), status__in=ON_TRIAL))
    return Bot.objects.filter(Q(active_version__isnull=False) | on_trial, is_hidden=False)


def _playing(rows: list[tuple[int, str, str]]) -> tuple[Playing, ...]:
    matches = {match.pk: match for match in these_matches_in_full([pk for pk, _, _ in rows])}
    return tuple(
        Playing(pk, game, tuple(seat.version.bot.name for seat in matches[pk].seats.all()))
        for pk, game, _ in rows
        if pk in matches
    )


@dataclass(frozen=True, slots=True)
class Surprise:
    """A recent match that the weaker side won, and by how much it was rated lower."""

    match: Match
    gap: float

    @property
    def winner(self) -> str:
        return next(seat.version.bot.name for seat in self.match.seats.all() if seat.rank == 1)

    @property
    def losers(self) -> list[str]:
        return [seat.version.bot.name for seat in self.match.seats.all() if seat.rank != 1]


def surprises(most: int = 5) -> list[Surprise]:
    """The greatest upsets among the latest rated matches."""
    gaps: dict[int, float] = remembered("surprises", 30, find_gaps)
    best = sorted(gaps, key=lambda match_id: -gaps[match_id])[:most]
    found = {match.pk: match for match in these_matches_in_full(best)}
    return [Surprise(found[match_id], gaps[match_id]) for match_id in best if match_id in found]


def find_gaps() -> dict[int, float]:
    tables: dict[int, list[tuple[int, float]]] = {}
    # both downwards: the index of (step, seat) read from its end
    latest = Rating.objects.shown().order_by("-step_id", "-seat")
    rows = latest.values_list("step__match_id", "rank", "mu_before", "nth")[: NOTABLE_AMONG * 4]
    # where a bot was provisional, who was the weaker is a guess
    guesses = {match_id for match_id, _, _, nth in rows if nth <= RANKED_MATCHES}
    for match_id, rank, mu, _ in rows:
        tables.setdefault(match_id, []).append((rank, mu))
    told = {match_id: _gap(table) for match_id, table in tables.items() if match_id not in guesses}
    return {match_id: gap for match_id, gap in told.items() if gap > 0}


def _gap(table: list[tuple[int, float]]) -> float:
    winners = [mu for rank, mu in table if rank == 1]
    losers = [mu for rank, mu in table if rank > 1]
    return min(losers) - max(winners) if len(winners) == 1 and losers else 0.0
