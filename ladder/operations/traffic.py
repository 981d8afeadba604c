"""How long requests take and how they are answered, counted over all web processes in the broker.

Each process counts for itself and adds that up in one hash now and then; a broker that is away or was emptied costs
figures, never a request.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache

import redis
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from ladder.broker import cache_url

KEY = "rumrunner:traffic"
BOUNDS = ("0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "5.0", "10.0", "+Inf")  # seconds
ADD_EVERY_S, AWAY_S, PATIENCE_S = 5.0, 60.0, 0.3
CounterName = tuple[str, str, str]  # area, what is counted, which of them


class Traffic:
    """What this process has seen and not yet added to what all have."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: Counter[CounterName] = Counter()
        self._next = 0.0

    def note(self, area: str, status: int, seconds: float) -> None:
        """Count one answered request."""
        bound = next(bound for bound in BOUNDS if seconds <= float(bound))
        with self._lock:
            self._seen[area, "status", f"{status // 100}xx"] += 1
            self._seen[area, "bound", bound] += 1
            self._seen[area, "seconds", ""] += seconds  # type: ignore[assignment]
        if time.monotonic() >= self._next:
            self.add_up()

    def add_up(self) -> None:
        """Add what was seen to what all have; kept for the next time if the broker does not take it."""
        with self._lock:
            self._next = time.monotonic() + ADD_EVERY_S
            seen, self._seen = self._seen, Counter()
        try:
            with broker().pipeline(transaction=False) as pipe:
                for figure, count in seen.items():
                    pipe.hincrbyfloat(KEY, "|".join(figure), count)
                pipe.execute()
        except (redis.RedisError, OSError):
            with self._lock:
                self._seen.update(seen)
                self._next = time.monotonic() + AWAY_S

    def totals(self) -> Counter[CounterName]:
        """What all processes have counted, as far as it can be known here."""
        self.add_up()
        try:
            kept = {_figure(name): float(count) for name, count in broker().hgetall(KEY).items()}
        except (redis.RedisError, OSError):
            kept = {}
        with self._lock:
            return Counter(kept) + self._seen


TRAFFIC = Traffic()


@cache
def broker() -> redis.Redis:
    url = cache_url(settings.CELERY_BROKER_URL)
    return redis.Redis.from_url(url, socket_timeout=PATIENCE_S, socket_connect_timeout=PATIENCE_S)


def _figure(name: bytes | str) -> CounterName:
    area, what, which = (name.decode() if isinstance(name, bytes) else name).split("|", 2)
    return area, what, which


class CountTraffic:
    """The middleware: outermost, so that it sees what people wait for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self.get_response(request)
        TRAFFIC.note(_area(request), response.status_code, time.perf_counter() - began)
        return response


def _area(request: HttpRequest) -> str:
    """The part of the site that answered: few, however many addresses there are."""
    match = request.resolver_match
    if match is None:
        return "none"
    return match.app_names[0] if match.app_names else "accounts"


class TrafficNumbers(Collector):
    """Latency and answers, for Prometheus."""

    def collect(self) -> Iterable[HistogramMetricFamily | CounterMetricFamily]:
        totals = TRAFFIC.totals()
        latency = HistogramMetricFamily("rumrunner_request_seconds", "Time to answer a request", labels=["area"])
        answers = CounterMetricFamily("rumrunner_responses", "Answers by class of status", labels=["area", "status"])
        for area in sorted({area for area, _, _ in totals}):
            latency.add_metric([area], *_histogram(area, totals))
        for (area, what, which), count in sorted(totals.items()):
            if what == "status":
                answers.add_metric([area, which], count)
        return [latency, answers]


def _histogram(area: str, totals: Counter[CounterName]) -> tuple[list[tuple[str, float]], float]:
    """The buckets, each with all that were no slower, and the sum of seconds."""
    below, buckets = 0.0, []
    for bound in BOUNDS:
        below += totals[area, "bound", bound]
        buckets.append((bound, below))
    return buckets, totals[area, "seconds", ""]
