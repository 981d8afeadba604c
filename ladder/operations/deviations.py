"""Whether one machine's results differ from those of the others by more than luck explains.

Matches go to whichever worker asks first, so each machine sees the same mixture of them. Where its winners or its
faults are others than elsewhere, with the same version on the same ladder, something is wrong with it: it is slow, it
is broken, or it lies. A large figure is a reason to drain it and to play some of its matches again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import log10

from django.core.cache import cache
from django.db.models import Max, Min, Q
from mpmath import mp, mpf

from ladder.matches.leases import host_of
from ladder.matches.models import FailedAttempt, Match

SAMPLE = 20_000  # the latest matches; enough to tell, few enough to read
CLOSE = 4  # numbers for each match of the sample; more, and most of what is read between the ends would be others
LEAST_EXPECTED = 5.0  # below it a cell says nothing
KNOWN_FOR_S = 300
TOLD_FROM = 6.0  # one chance in a million: with a hundred machines asked all year, a false alarm now and then
MOST = 300.0

# What is compared: on each ladder the endings, and of each version in the first seat how often it came first.
Stratum = tuple[int, int | None]
EndingCounts = dict[Stratum, Counter[str]]


@dataclass(slots=True)
class HostReport:
    """What a machine reported lately."""

    host: str
    results: Counter[str] = field(default_factory=Counter)
    surprise: float = 0.0  # -log10 of the chance that luck does this

    @property
    def deviates(self) -> bool:
        return self.surprise >= TOLD_FROM


def host_reports() -> list[HostReport]:
    """A report on every machine of the latest matches; computed every few minutes."""
    found: list[HostReport] | None = cache.get("operations:hosts")
    if found is None:
        found = latest_reports()
        cache.set("operations:hosts", found, KNOWN_FOR_S)
    return found


def deviating_hosts() -> list[HostReport]:
    return [report for report in host_reports() if report.deviates]


def latest_reports() -> list[HostReport]:
    finished = Match.objects.filter(status=Match.Status.FINISHED).order_by("-finished_at")
    rows = finished.filter(Q(seats__seat=0) & _span(finished[:SAMPLE].aggregate(first=Min("pk"), last=Max("pk"))))
    played = rows.values_list("worker", "ladder_id", "seats__version_id", "seats__rank", "ending")[:SAMPLE]
    reports: dict[str, HostReport] = {}
    seen: dict[str, EndingCounts] = {}
    for worker, ladder, version, rank, ending in played:
        host = host_of(worker)
        report = reports.setdefault(host, HostReport(host))
        report.results["finished" if ending == "finished" else "fault"] += 1
        strata = seen.setdefault(host, defaultdict(Counter))
        strata[ladder, None][ending] += 1
        strata[ladder, version]["first" if rank == 1 else "not first"] += 1
    for worker, cause in FailedAttempt.objects.order_by("-id").values_list("worker", "cause")[:SAMPLE]:
        reports.setdefault(host_of(worker), HostReport(host_of(worker))).results[cause] += 1
    for host, strata in seen.items():
        reports[host].surprise = surprise(strata, [theirs for other, theirs in seen.items() if other != host])
    return sorted(reports.values(), key=lambda report: report.host)


def _span(ends: dict[str, int | None]) -> Q:
    """That matches and seats are from the first to the last number, where few others lie between.

    Then the database reads the seats in one go instead of looking up each of thousands, from the root of an index that
    is the deeper the more matches there are.
    """
    first, last = ends["first"], ends["last"]
    if first is None or last is None or last - first > CLOSE * SAMPLE:
        return Q()
    return Q(pk__gte=first, pk__lte=last, seats__match__gte=first, seats__match__lte=last)


def surprise(mine: EndingCounts, others: Iterable[EndingCounts]) -> float:
    """How unlikely it is that these and the others' results are of one kind, as -log10 of the chance."""
    elsewhere: EndingCounts = defaultdict(Counter)
    for theirs in others:
        for stratum, counts in theirs.items():
            elsewhere[stratum].update(counts)
    shared = {stratum: chi_square(counts, elsewhere[stratum]) for stratum, counts in mine.items()}
    endings = [found for (_, version), found in shared.items() if version is None]
    winners = [found for (_, version), found in shared.items() if version is not None]
    return max(0.0, max(_surprise(endings), _surprise(winners)) - log10(2))  # the more telling of two questions


def chi_square(mine: Counter[str], others: Counter[str]) -> tuple[float, int]:
    """Pearson's statistic of two rows of counts and its degrees of freedom; cells that expect too little are pooled."""
    sizes = (mine.total(), others.total())
    whole = sum(sizes)
    if not all(sizes):
        return 0.0, 0
    cells, rest = [], (0, 0)
    for name in mine.keys() | others.keys():
        pair = (mine[name], others[name])
        if min(sizes) * sum(pair) / whole >= LEAST_EXPECTED:
            cells.append(pair)
        else:
            rest = (rest[0] + pair[0], rest[1] + pair[1])
    if min(sizes) * sum(rest) / whole >= LEAST_EXPECTED:
        cells.append(rest)
    if len(cells) < 2:
        return 0.0, 0
    return sum(_misfit(pair, sizes) for pair in cells), len(cells) - 1


def _misfit(pair: tuple[int, int], sizes: tuple[int, int]) -> float:
    expected = [size * sum(pair) / sum(sizes) for size in sizes]
    return sum((count - mean) ** 2 / mean for count, mean in zip(pair, expected, strict=True))


def _surprise(parts: list[tuple[float, int]]) -> float:
    statistic, freedom = (sum(column) for column in zip(*parts, strict=True)) if parts else (0.0, 0)
    if not freedom:
        return 0.0
    chance = mp.gammainc(mpf(freedom) / 2, mpf(statistic) / 2, mp.inf, regularized=True)
    return min(MOST, float(-mp.log10(chance))) if chance > 0 else MOST
