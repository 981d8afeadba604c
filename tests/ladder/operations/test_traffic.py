"""How long requests take and how they are answered, over all web processes."""

from __future__ import annotations

import pytest
from redis import RedisError

from ladder.operations import traffic
from ladder.operations.traffic import Traffic, TrafficNumbers


class Broker:
    """The few words of Redis that counting needs; it can go away."""

    def __init__(self) -> None:
        self.kept: dict[bytes, float] = {}
        self.is_away = False
        self.waiting: list[tuple[str, float]] = []

    def pipeline(self, *, transaction: bool) -> Broker:
        self.waiting = []
        return self

    def __enter__(self) -> Broker:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def hincrbyfloat(self, key: str, name: str, count: float) -> None:
        self.waiting.append((name, count))

    def execute(self) -> None:
        if self.is_away:
            raise RedisError("away")
        for name, count in self.waiting:
            self.kept[name.encode()] = self.kept.get(name.encode(), 0.0) + count

    def hgetall(self, key: str) -> dict[bytes, bytes]:
        if self.is_away:
            raise RedisError("away")
        return {name: str(count).encode() for name, count in self.kept.items()}


@pytest.fixture
def broker(monkeypatch) -> Broker:
    broker = Broker()
    monkeypatch.setattr(traffic, "broker", lambda: broker)
    monkeypatch.setattr(traffic, "TRAFFIC", Traffic())
    return broker


def samples() -> dict[tuple[str, ...], float]:
    found = [sample for family in TrafficNumbers().collect() for sample in family.samples]
    return {(sample.name.removeprefix("rumrunner_"), *sample.labels.values()): sample.value for sample in found}


def test_two_processes_count_together(broker):
    for process in (Traffic(), Traffic()):
        process.note("api", 200, 0.03)
        process.note("api", 503, 7.0)
        process.add_up()
    counted = samples()
    assert counted["responses_total", "api", "2xx"] == 2
    assert counted["responses_total", "api", "5xx"] == 2
    assert counted["request_seconds_bucket", "api", "0.025"] == 0
    assert counted["request_seconds_bucket", "api", "0.05"] == 2
    assert counted["request_seconds_bucket", "api", "+Inf"] == 4
    assert counted["request_seconds_sum", "api"] == pytest.approx(14.06)


def test_a_broker_that_is_away_costs_no_request_and_loses_nothing_of_this_process(broker):
    broker.is_away = True
    traffic.TRAFFIC.note("web", 200, 0.01)
    assert samples()["responses_total", "web", "2xx"] == 1
    broker.is_away = False
    assert samples()["responses_total", "web", "2xx"] == 1
    assert broker.kept[b"web|status|2xx"] == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "area", "status"),
    [("/api/v1/games/", "api", "2xx"), ("/", "web", "2xx"), ("/no/such/page", "none", "4xx"),
     ("/admin/", "admin", "3xx"), ("/accounts/login/", "accounts", "2xx"), ("/api/v1/nothing/", "api", "4xx")],
)  # fmt: skip
def test_every_answer_is_counted_under_its_part_of_the_site(client, broker, path, area, status):
    client.get(path)
    assert samples()["responses_total", area, status] == 1
