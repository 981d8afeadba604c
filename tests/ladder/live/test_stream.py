"""The stream as browsers and others meet it: over a real socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis
from django.db import connections

from ladder.live import stream as room
from ladder.live.reports import StreamReport, last_report
from ladder.live.stream import Stream
from tests.ladder.cast import make_ladder
from tests.ladder.live.paper import queue_set, take

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE_S = 300


def with_stream(visit: Callable[[Stream], Awaitable[None]]) -> None:
    """Run a stream on a free port while somebody visits it."""

    async def run() -> None:
        stream, stop = Stream("127.0.0.1", 0), asyncio.Event()
        serving = asyncio.create_task(stream.run(stop))
        while not stream.port:
            await asyncio.sleep(0.01)
        try:
            await asyncio.wait_for(visit(stream), PATIENCE_S)
        finally:
            await asyncio.get_running_loop().run_in_executor(stream.reader, connections.close_all)
            stop.set()
            await serving

    # In a thread of its own: a browser test before this one may have left its loop in ours.
    with ThreadPoolExecutor(1) as alone:
        alone.submit(asyncio.run, run()).result()


async def ask(stream: Stream, text: str | bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", stream.port)
    writer.write(text if isinstance(text, bytes) else text.encode())
    await writer.drain()
    return reader, writer


async def events(reader: asyncio.StreamReader, until: str) -> list[tuple[str, str]]:
    """Names and ids of events up to and with the first of that name."""
    found: list[tuple[str, str]] = []
    while not found or found[-1][0] != until:
        lines = (await reader.readuntil(b"\n\n")).decode().splitlines()
        said = dict(line.split(": ", 1) for line in lines if ": " in line and not line.startswith("HTTP"))
        if "event" in said:
            found.append((said["event"], said.get("id", "")))
    return found


def get(match_id: int, more: str = "") -> str:
    return f"GET /matches/{match_id} HTTP/1.1\r\nHost: x\r\n{more}\r\n"


def test_a_watcher_sees_the_match_and_comes_back_to_the_right_ply(broker: redis.Redis) -> None:
    queue_set(make_ladder())
    running = take()
    running.play(5)

    async def visit(stream: Stream) -> None:
        reader, writer = await ask(stream, get(running.match.pk))
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"text/event-stream" in head
        assert b"Access-Control-Allow-Origin: *" in head
        seen = await events(reader, "phase")
        assert [name for name, _ in seen] == ["begin", "frames", "phase"]
        writer.close()
        running.play(2)
        reader, writer = await ask(stream, get(running.match.pk, f"Last-Event-ID: {seen[-1][1]}\r\n"))
        await reader.readuntil(b"\r\n\r\n")
        again = await events(reader, "frames")
        assert [name for name, _ in again][-1] == "frames"
        assert "begin" not in [name for name, _ in again]
        assert again[-1][1].endswith(".8")
        writer.close()

    with_stream(visit)


@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [
        ("nonsense\r\n\r\n", 400, "bad_request"),
        ("POST /matches/1 HTTP/1.1\r\n\r\n", 405, "method_not_allowed"),
        ("GET /matches/0 HTTP/1.1\r\n\r\n", 404, "not_found"),
        ("GET /matches/" + "9" * 30 + " HTTP/1.1\r\n\r\n", 404, "not_found"),
        ("GET //[::1 HTTP/1.1\r\n\r\n", 400, "bad_request"),
        ("GET /../../etc/passwd HTTP/1.1\r\n\r\n", 404, "not_found"),
        ("GET / HTTP/1.1\r\nX: " + "y" * 20_000, 431, "too_large"),
        (b"\xff\x00\r\n\r\n", 400, "bad_request"),
    ],
)
def test_what_is_no_look_at_a_match_gets_a_clear_error(
    broker: redis.Redis, request_: str | bytes, status: int, code: str
) -> None:
    async def visit(stream: Stream) -> None:
        reader, writer = await ask(stream, request_)
        head, body = (await reader.read()).split(b"\r\n\r\n", 1)
        assert int(head.split()[1]) == status
        assert json.loads(body)["error"]["code"] == code
        writer.close()

    with_stream(visit)


def test_the_house_is_bounded_for_all_and_for_one_address(broker: redis.Redis, settings) -> None:
    settings.SPECTATORS = 4
    queue_set(make_ladder())
    running = take()

    async def visit(stream: Stream) -> None:
        open_ = [await ask(stream, get(running.match.pk)) for _ in range(3)]
        heads = [await reader.readline() for reader, _ in open_]
        assert [int(head.split()[1]) for head in heads] == [200, 200, 503]
        for _, writer in open_:
            writer.close()

    with_stream(visit)


def test_matches_asked_for_by_one_address_leave_room_for_those_others_watch(
    broker: redis.Redis, settings, monkeypatch
) -> None:
    monkeypatch.setattr(room, "MOST_CHANNELS", 4)
    settings.PROXIES = 1

    async def visit(stream: Stream) -> None:
        async def status(match_id: int, address: str) -> tuple[bytes, asyncio.StreamWriter]:
            told = f"GET /live/matches/{match_id}/ HTTP/1.1\r\nX-Forwarded-For: {address}\r\n\r\n"
            reader, writer = await ask(stream, told)
            return (await reader.readline()).split()[1], writer

        greedy = [await status(match_id, "10.0.0.1") for match_id in (1, 2, 3)]
        assert [code for code, _ in greedy] == [b"200", b"200", b"503"]
        others = [await status(match_id, f"10.0.0.{match_id}") for match_id in (4, 5, 6)]
        assert [code for code, _ in others] == [b"200", b"200", b"503"], "four are watched"
        others[0][1].close()
        while stream.house.channels[4].spectators:
            await asyncio.sleep(0.01)
        assert (await status(7, "10.0.0.7"))[0] == b"200", "a match that nobody watches makes room"
        assert set(stream.house.channels) == {1, 2, 5, 7}

    with_stream(visit)


def test_who_reads_nothing_is_cut_off_and_costs_one_buffer(broker: redis.Redis, monkeypatch) -> None:
    monkeypatch.setattr(room, "BUFFER_BYTES", 1024)
    monkeypatch.setattr(room, "BEAT_S", 0.05)
    monkeypatch.setattr(room, "STUCK_S", 0.1)
    monkeypatch.setattr(room, "BEAT", b": " + b"x" * 200_000 + b"\n\n")
    queue_set(make_ladder())
    running = take()

    async def visit(stream: Stream) -> None:
        _, writer = await ask(stream, get(running.match.pk))
        while not stream.house.spectators:
            await asyncio.sleep(0.01)
        while stream.house.spectators:
            await asyncio.sleep(0.01)
        writer.close()

    with_stream(visit)


def test_the_stream_says_where_it_is_and_how_many_watch(broker: redis.Redis) -> None:
    async def visit(stream: Stream) -> None:
        while (report := await asyncio.to_thread(last_report)) is None:
            await asyncio.sleep(0.01)
        assert report == StreamReport(port=stream.port, spectators=0, matches=0)
        reader, writer = await ask(stream, "GET /healthz HTTP/1.1\r\n\r\n")
        assert json.loads((await reader.read()).split(b"\r\n\r\n", 1)[1])["status"] == "ok"
        writer.close()

    with_stream(visit)
