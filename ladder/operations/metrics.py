"""The numbers of the service as Prometheus reads them; from the database, so that every process tells the same."""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from ladder.operations.deviations import HostReport, host_reports
from ladder.operations.queries import Gauges, gauges, seldom

TABLES = (
    ("matches", "status", "Matches by status"),
    ("queued", "lane", "Matches that wait for a worker"),
    ("queue_age_seconds", "lane", "Age of the oldest match that waits"),
    ("faults", "kind", "Faults of bots"),
    ("failed_attempts", "cause", "Claims of matches that gave no result"),
    ("ratings_lag", "ladder", "Results that are not rated yet"),
    ("fit_age_seconds", "ladder", "Time since the leaderboard was fitted"),
    ("versions", "status", "Bot versions by status"),
)
NUMBERS = (
    ("void_rate", "void_rate", "Share of voids among the matches settled lately"),
    ("held", "held_matches", "Matches kept from workers by a pause"),
    ("set_aside", "set_aside_matches", "Matches that failed on every try so far and wait for a later one"),
    ("workers", "worker_processes", "Processes that can play a match now"),
    ("unable_workers", "unable_workers", "Workers that are up and can play nothing"),
    ("drained_workers", "drained_workers", "Workers that an operator took out of play"),
    ("beat_age_s", "beat_age_seconds", "Time since the last beat"),
    ("backup_age_s", "backup_age_seconds", "Time since the last backup; missing before the first"),
    ("disk_bytes", "disk_bytes", "Room the database takes, bundles and records included"),
    ("spectators", "spectators", "Connections to the live stream"),
    ("watched", "watched_matches", "Matches that somebody watches as they are played"),
    ("sitting_wait_s", "sitting_wait_p95_seconds", "95th percentile of a day's waits of bots that people play against"),
)


class DatabaseNumbers(Collector):
    """Counts when it is asked."""

    def collect(self) -> Iterable[GaugeMetricFamily]:
        counted = gauges()
        yield from (_table(counted, *each) for each in TABLES)
        for name, metric, meaning in NUMBERS:
            value = getattr(counted, name)
            if value is not None:
                yield GaugeMetricFamily(f"rumrunner_{metric}", meaning, value=float(value))
        yield from _by_machine(seldom("machines", host_reports))


def _by_machine(reports: list[HostReport]) -> Iterable[GaugeMetricFamily]:
    """What each machine reported lately, and how far that is from what the others did."""
    told = "Results and failed attempts among the latest matches, by machine"
    results = GaugeMetricFamily("rumrunner_worker_results", told, labels=["host", "result"])
    told = "How unlikely a machine's results are beside those of the others: -log10 of the chance"
    deviation = GaugeMetricFamily("rumrunner_worker_deviation", told, labels=["host"])
    for report in reports:
        deviation.add_metric([report.host], report.surprise)
        for result, count in sorted(report.results.items()):
            results.add_metric([report.host, result], float(count))
    return results, deviation


def _table(counted: Gauges, name: str, label: str, meaning: str) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"rumrunner_{name}", meaning, labels=[label])
    for key, count in sorted(getattr(counted, name.replace("_seconds", "_s")).items()):
        family.add_metric([key], float(count))
    return family
