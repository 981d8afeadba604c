"""What is played is told in the broker, which may lose it at any time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from ladder.matches import broadcast as room
from ladder.matches.broadcast import KEPT_S, PREFIX, Broadcast, broadcast, heard
from tests.ladder.valkey import running_valkey


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_valkey(tmp_path_factory.mktemp("broker")) as url:
        yield url


@pytest.fixture
def broker(address: str, settings) -> Iterator[redis.Redis]:
    settings.CELERY_BROKER_URL = address
    room.broker.cache_clear()
    client = room.broker()
    client.flushall()
    yield client
    room.broker.cache_clear()


def test_readers_get_what_was_told_from_where_they_are(broker: redis.Redis) -> None:
    told = Broadcast("a")
    told.texts += ["one", "two"]
    told.tell()
    told.texts += ["three"]
    told.tell()
    assert heard({"a": 0, "b": 5}) == {"a": ["one", "two", "three"], "b": None}
    assert heard({"a": 2}) == {"a": ["three"]}
    assert heard({"a": 3}) == {"a": []}
    assert 0 < broker.ttl(f"{PREFIX}a") <= KEPT_S


def test_a_broker_that_lost_everything_is_told_everything_again(broker: redis.Redis) -> None:
    told = Broadcast("a")
    told.texts += ["one", "two"]
    told.tell()
    broker.flushall()
    told.tell()  # also when nothing new was played
    assert heard({"a": 0}) == {"a": ["one", "two"]}
    broker.flushall()
    told.texts += ["three"]
    told.tell()
    assert heard({"a": 0}) == {"a": ["one", "two", "three"]}


def test_what_arrived_although_the_answer_was_lost_is_not_told_twice(broker: redis.Redis, monkeypatch) -> None:
    told, send = Broadcast("a"), Broadcast.send

    def deaf(self: Broadcast, fresh: list[str]) -> int:
        send(self, fresh)
        raise redis.TimeoutError("the answer was lost")

    told.texts += ["one"]
    monkeypatch.setattr(Broadcast, "send", deaf)
    told.tell()
    monkeypatch.setattr(Broadcast, "send", send)
    told.texts += ["two"]
    told.tell()
    assert heard({"a": 0}) == {"a": ["one", "two"]}


def test_the_end_is_told_although_nobody_waits_for_it(broker: redis.Redis) -> None:
    told, over = Broadcast("a"), room.threading.Event()
    told.texts += ["one"]
    told.tell()
    told.texts += ["two"]
    over.set()
    room.follow(told, over)
    assert heard({"a": 0}) == {"a": ["one", "two"]}


def test_what_is_over_before_the_first_beat_is_told_to_nobody(broker: redis.Redis, monkeypatch) -> None:
    monkeypatch.setattr(room, "BEAT_S", 600)
    with broadcast("a") as texts:
        texts.append("one")
    for thread in room.threading.enumerate():
        if thread.name == "broadcast":
            thread.join(120)
    assert heard({"a": 0}) == {"a": None}


def test_a_broker_that_is_away_costs_whoever_plays_nothing(settings, tmp_path) -> None:
    settings.CELERY_BROKER_URL = f"redis+socket://{tmp_path}/nobody.sock?virtual_host=0"
    room.broker.cache_clear()
    told = Broadcast("a")
    told.texts += ["one"]
    told.tell()
    assert heard({"a": 0}) == {"a": None}
    room.broker.cache_clear()
