"""A ladder's own page of truth: what seats are worth, whether there is an order, drift, predictions and results.

All of it is read from the latest matches of the present table, so that it costs the same on a ladder of any age.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations, groupby, pairwise
from operator import attrgetter
from statistics import NormalDist, fmean, variance

from arena.intervals import Z95
from ladder.accounts.permissions import HOUSE
from ladder.cache import near_cache
from ladder.ladders.models import Ladder
from ladder.ratings.calibration import Calibration, Prediction, calibration_of
from ladder.ratings.cycles import Edge, cycles_of, pair_scores, points
from ladder.ratings.models import BETA, Fit, FitLine, Rating, Standing
from ladder.ratings.queries import Shares, fits_of, shares_by, shown_fit
from ladder.submissions.models import BotVersion

LATEST = 5000  # matches that drift and triangles are read from
PREDICTED = 1000  # matches whose predictions are looked at
WINDOWS, FEWEST_IN_WINDOW = 8, 10  # of time for each anchor, and the sets one needs
MOST_TRIANGLES = 10
LIKELY = 0.05  # a test that says less speaks for cycles
KEPT_S = 120
NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class ForecastSeat:
    """One seat of a rated match, with what TrueSkill believed before it."""

    number: int
    match_set: int
    at: datetime
    version: int
    rank: int
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class NamedEdge:
    """One version beats another."""

    winner: str
    winner_bot: int
    loser: str
    loser_bot: int
    share: float
    low: float
    sets: int


@dataclass(frozen=True, slots=True)
class Transitivity:
    """Whether an order of ratings can hold the field."""

    p_intransitive: float | None  # how often a field without cycles would look like this; none before the first fit
    examined: int  # triangles whose pairs have all met often enough
    triangles: tuple[tuple[NamedEdge, ...], ...]

    @property
    def has_cycles(self) -> bool:
        return self.p_intransitive is not None and self.p_intransitive < LIKELY


@dataclass(frozen=True, slots=True)
class Window:
    """What an anchor got beyond what its rating promised, in some of its sets."""

    since: datetime
    until: datetime
    sets: int
    residual: float  # in shares of points
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Anchor:
    """A house bot over time."""

    name: str
    bot_id: int
    rating: float
    windows: tuple[Window, ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """Everything on the page."""

    matches: int  # that it was read from
    shares: Shares
    transitivity: Transitivity
    anchors: tuple[Anchor, ...]
    predicted: int  # matches whose predictions were looked at
    by_fit: Calibration | None
    by_trueskill: Calibration | None

    @property
    def windows_outside(self) -> tuple[int, int]:
        """In how many windows an anchor was off beyond its interval, of how many; about one of twenty is chance."""
        windows = [window for anchor in self.anchors for window in anchor.windows]
        return sum(not window.low <= 0 <= window.high for window in windows), len(windows)


def told_truth(ladder: Ladder) -> Truth:
    """The same for everybody who asks within some minutes, unless a new fit is shown."""
    fit = shown_fit(ladder)
    key = f"truth:{ladder.pk}:{fit.pk if fit else 0}"
    found: Truth | None = near_cache().get(key)
    if found is None:
        found = truth_of(ladder, fit)
        near_cache().set(key, found, KEPT_S)
    return found


def truth_of(ladder: Ladder, fit: Fit | None) -> Truth:
    """What a ladder can tell about itself and the fit that it shows."""
    tables = list(_tables(ladder))
    latest = tables[-PREDICTED:]
    return Truth(
        matches=len(tables),
        shares=shares_by(fit),
        transitivity=_transitivity(fit, tables),
        anchors=_anchors(ladder, tables) if fit else (),
        predicted=len(latest),
        by_fit=calibration_of(_by_fit(ladder, latest)),
        by_trueskill=calibration_of([each for table in latest for each in _by_trueskill(table)]),
    )


def _tables(ladder: Ladder) -> Iterator[list[ForecastSeat]]:
    """The latest rated matches of the present season, oldest first, each with its seats; by the index of numbers."""
    rows = Rating.objects.filter(
        step__ladder=ladder,
        step__edition=Ladder.objects.values_list("edition", flat=True).get(pk=ladder.pk),
        step__number__gt=max(ladder.rated_through - LATEST, ladder.closed_through),
        step__verdict="rated",
        step__match__rules_version=ladder.rules_version,
    )
    fields = ("step__number", "step__match__set_id", "step__at", "version_id", "rank", "mu_before", "sigma_before")
    seats = (ForecastSeat(*row) for row in rows.order_by("step__number", "seat").values_list(*fields))
    return (list(table) for _, table in groupby(seats, key=attrgetter("number")))


def _expected(gap: float, doubt: float = 0.0) -> float:
    """The points that one rated so much higher may expect."""
    return NORMAL.cdf(gap / math.sqrt(2 * BETA**2 + doubt))


def _won(mine: ForecastSeat, theirs: ForecastSeat) -> float:
    return points(mine.rank, theirs.rank)


def _pairs(table: Sequence[ForecastSeat]) -> Iterator[tuple[ForecastSeat, ForecastSeat]]:
    """Each pair once; who is named first follows from the versions' ids, which say nothing about strength or seat."""
    for one, other in combinations(sorted(table, key=attrgetter("version")), 2):
        yield (one, other) if (one.version + other.version) % 2 else (other, one)


def _by_trueskill(table: Sequence[ForecastSeat]) -> Iterator[Prediction]:
    for one, other in _pairs(table):
        expected = _expected(one.mu - other.mu, one.sigma**2 + other.sigma**2)
        yield Prediction(expected, _won(one, other), one.match_set)


def _by_fit(ladder: Ladder, tables: Sequence[Sequence[ForecastSeat]]) -> list[Prediction]:
    """By the last fit that did not know the match, where it is kept and knew both."""
    fits = dict(fits_of(ladder).filter(is_shown=True).order_by("rated_through").values_list("rated_through", "pk"))
    known = sorted(fits)
    before = {table[0].number: fits[known[at - 1]] for table in tables if (at := bisect_left(known, table[0].number))}
    versions = {seat.version for table in tables for seat in table}
    lines = {
        (fit, version): (rating, sd)
        for fit, version, rating, sd in FitLine.objects.filter(
            fit__in=set(before.values()), version__in=versions
        ).values_list("fit_id", "version_id", "rating", "sd")
    }
    found = []
    for table in tables:
        fit = before.get(table[0].number, 0)
        for one, other in _pairs(table):
            mine, theirs = lines.get((fit, one.version)), lines.get((fit, other.version))
            if mine and theirs:
                expected = _expected(mine[0] - theirs[0], mine[1] ** 2 + theirs[1] ** 2)
                found.append(Prediction(expected, _won(one, other), one.match_set))
    return found


def _transitivity(fit: Fit | None, tables: Sequence[Sequence[ForecastSeat]]) -> Transitivity:
    played = [(table[0].match_set, [s.version for s in table], [s.rank for s in table]) for table in tables]
    found = cycles_of(pair_scores(played))
    shown = found.holding[:MOST_TRIANGLES]
    versions = BotVersion.objects.select_related("bot").in_bulk(
        {edge.winner for triangle in shown for edge in triangle}
    )
    named = tuple(tuple(_named(edge, versions) for edge in triangle) for triangle in shown)
    return Transitivity(fit.p_intransitive if fit else None, found.triangles, named)


def _named(edge: Edge, versions: Mapping[int, BotVersion]) -> NamedEdge:
    winner, loser = versions[edge.winner], versions[edge.loser]
    return NamedEdge(
        f"{winner.bot.name} v{winner.number}",
        winner.bot_id,
        f"{loser.bot.name} v{loser.number}",
        loser.bot_id,
        edge.share,
        edge.low,
        edge.sets,
    )


def _anchors(ladder: Ladder, tables: Sequence[Sequence[ForecastSeat]]) -> tuple[Anchor, ...]:
    """The house bots that are listed, each with its windows of time."""
    versions = {seat.version for table in tables for seat in table}
    places = Standing.objects.filter(ladder=ladder, version__in=versions)
    ratings = dict(places.values_list("version_id", "rating"))
    house = places.filter(is_listed=True, bot__owner__username=HOUSE).select_related("bot").order_by("-rating")
    found = [Anchor(one.bot.name, one.bot_id, one.rating, _windows(one.version_id, tables, ratings)) for one in house]
    return tuple(anchor for anchor in found if anchor.windows)


def _windows(
    version: int, tables: Sequence[Sequence[ForecastSeat]], ratings: Mapping[int, float]
) -> tuple[Window, ...]:
    """A version's sets in as many windows of equal size as there are enough for."""
    sets: dict[int, list[Beyond]] = {}
    times: dict[int, datetime] = {}
    for table in tables:
        mine = next((seat for seat in table if seat.version == version), None)
        if mine is not None:
            sets.setdefault(mine.match_set, []).append(_residual(mine, table, ratings))
            times[mine.match_set] = mine.at
    order = sorted(sets, key=lambda each: times[each])
    count = min(WINDOWS, len(order) // FEWEST_IN_WINDOW)
    cuts = [round(at * len(order) / count) for at in range(count + 1)] if count else [0]
    return tuple(_window(order[low:high], sets, times) for low, high in pairwise(cuts))


@dataclass(frozen=True, slots=True)
class Beyond:
    """What a seat got beyond what was promised, and the variance that chance alone gives it."""

    points: float
    variance: float


def _residual(mine: ForecastSeat, table: Sequence[ForecastSeat], ratings: Mapping[int, float]) -> Beyond:
    """Against what all ratings of today promise."""
    others = [other for other in table if other is not mine]
    promised = [_expected(ratings[mine.version] - ratings[other.version]) for other in others]
    got = fmean(_won(mine, other) for other in others)
    return Beyond(got - fmean(promised), fmean(share * (1 - share) for share in promised))


def _window(order: Sequence[int], sets: Mapping[int, Sequence[Beyond]], times: Mapping[int, datetime]) -> Window:
    """The interval is by sets, and never narrower than chance makes it: who always loses has no scatter to see."""
    values = [fmean(each.points for each in sets[number]) for number in order]
    chance = fmean(fmean(each.variance for each in sets[number]) / len(sets[number]) for number in order)
    middle, half = fmean(values), Z95 * math.sqrt(max(variance(values), chance) / len(values))
    return Window(times[order[0]], times[order[-1]], len(values), middle, middle - half, middle + half)
