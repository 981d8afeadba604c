"""The numbers of the service as Prometheus reads them; from the database, so that every process tells the same."""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from ladder.operations.queries import Gauges, gauges

TABLES = (
    ("matches", "status", "Matches by status"),
    ("queued", "lane", "Matches that wait for a worker"),
    ("faults", "kind", "Faults of bots"),
    ("failed_attempts", "cause", "Claims of matches that gave no result"),
    ("ratings_lag", "ladder", "Rating numbers given out and not yet applied"),
    ("versions", "status", "Bot versions by status"),
)
NUMBERS = (
    ("queue_age_s", "queue_age_seconds", "Age of the oldest match that waits"),
    ("held", "held_matches", "Matches kept from workers by a pause"),
    ("set_aside", "set_aside_matches", "Matches that failed on every try so far and wait for a later one"),
    ("workers", "worker_processes", "Processes that can play a match now"),
    ("unable_workers", "unable_workers", "Workers that are up and can play nothing"),
    ("beat_age_s", "beat_age_seconds", "Time since the last beat"),
    ("disk_bytes", "disk_bytes", "Room the database takes, bundles and records included"),
)


class DatabaseNumbers(Collector):
    """Counts when it is asked."""

    def collect(self) -> Iterable[GaugeMetricFamily]:
        counted = gauges()
        yield from (_table(counted, *each) for each in TABLES)
        for name, metric, meaning in NUMBERS:
            yield GaugeMetricFamily(f"rumrunner_{metric}", meaning, value=float(getattr(counted, name)))


def _table(counted: Gauges, name: str, label: str, meaning: str) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"rumrunner_{name}", meaning, labels=[label])
    for key, count in sorted(getattr(counted, name).items()):
        family.add_metric([key], float(count))
    return family
