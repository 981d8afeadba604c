"""The process that streams running matches: an event loop that sends, a thread that keeps the channels up to date."""

from __future__ import annotations

import asyncio
import resource
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from http import HTTPStatus

import orjson
import structlog
from django.conf import settings
from django.db import DatabaseError, close_old_connections

from ladder.live.channels import Bookmark, Channel
from ladder.live.reception import refresh
from ladder.live.reports import StreamReport, send_report
from ladder.live.requests import EVENTS, LONGEST, Asked, BadRequest, answer, read_request

TICK_S = 0.25
BEAT_S = 10.0  # how often a watcher hears that the line stands, though nothing happens
REPORT_S = 5.0
REQUEST_S = 10.0  # a browser that has not asked by then is cut off
STUCK_S = 30.0  # one that takes nothing for so long is cut off; it comes back to the place it was at
BUFFER_BYTES = 64 * 1024
MOST_CHANNELS = 200
UNWATCHED_S = 30.0
BEAT = b"event: beat\ndata: {}\n\n"
FULL = BadRequest(HTTPStatus.SERVICE_UNAVAILABLE, "too_many_watchers", "Too many people are watching; try again later.")
log = structlog.get_logger("ladder.live")


class Spectator(asyncio.Protocol):
    """One connection: reads a request, then sends the news of one channel as fast as they are taken."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.transport: asyncio.Transport
        self.head = b""
        self.address = ""
        self.channel: Watched | None = None
        self.place = Bookmark()
        self.since = time.monotonic()  # when it last took something
        self.is_stuck = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.set_write_buffer_limits(high=BUFFER_BYTES)
        self.house.arrive(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.house.leave(self)

    def data_received(self, data: bytes) -> None:
        if self.channel is not None:
            return  # nothing is expected any more, and nothing kept
        self.head += data[: LONGEST + 1]
        head, end, _ = self.head.partition(b"\r\n\r\n")
        if end or len(self.head) > LONGEST:
            try:
                self.house.serve(self, read_request(head))
            except BadRequest as bad:
                self.finish(bad.as_bytes())

    def pause_writing(self) -> None:
        self.is_stuck, self.since = True, time.monotonic()

    def resume_writing(self) -> None:
        self.is_stuck = False
        self.catch_up()

    def finish(self, last: bytes) -> None:
        self.transport.write(last)
        self.transport.close()

    def catch_up(self) -> None:
        """Send what is new, unless earlier news have not been taken yet."""
        while not self.is_stuck and self.channel is not None and not self.transport.is_closing():
            sent, place = self.channel.after(self.place)
            if not sent:
                break
            self.place = place
            self.transport.write(sent)
        if self.channel is not None and self.channel.is_final and not self.is_stuck:
            self.transport.close()

    def beat(self, now: float) -> None:
        if self.is_stuck or self.channel is None:
            limit = STUCK_S if self.is_stuck else REQUEST_S
            if now - self.since > limit:
                self.transport.abort()
        elif not self.transport.is_closing():
            self.transport.write(BEAT)


class Watched(Channel):
    """A channel with those who watch it; what is sent to one at a place is sent to all who are there."""

    __slots__ = ("_sent", "_sent_of", "_told", "left_at", "spectators")

    def __init__(self, match_id: int) -> None:
        super().__init__(match_id)
        self.spectators: set[Spectator] = set()
        self.left_at = time.monotonic()
        self._told: object = None  # the version that everybody was told
        self._sent_of: object = None  # the version that _sent is of
        self._sent: dict[Bookmark, tuple[bytes, Bookmark]] = {}

    @property
    def addresses(self) -> set[str]:
        return {spectator.address for spectator in self.spectators}

    def after(self, place: Bookmark) -> tuple[bytes, Bookmark]:
        """The next event after a place as bytes, and the place it leads to; empty when there is none."""
        if self._sent_of != (now := self.version):
            self._sent_of = now
            self._sent.clear()
        if place not in self._sent:
            news = next(iter(self.news(place)), None)
            self._sent[place] = (news.as_event(), news.place) if news else (b"", place)
        return self._sent[place]

    def tell_all(self) -> None:
        if self._told != (now := self.version):
            self._told = now
            for spectator in tuple(self.spectators):
                spectator.catch_up()


class House:
    """All who watch, and what they watch; bounded on every side."""

    def __init__(self, *, most: int, proxies: int) -> None:
        self.most, self.proxies = most, proxies
        self.spectators: set[Spectator] = set()
        self.channels: dict[int, Watched] = {}
        self.addresses: Counter[str] = Counter()

    def arrive(self, spectator: Spectator) -> None:
        if len(self.spectators) >= self.most:
            spectator.finish(FULL.as_bytes())
        else:
            self.spectators.add(spectator)

    def leave(self, spectator: Spectator) -> None:
        self.spectators.discard(spectator)
        if spectator.address:
            self.addresses -= Counter({spectator.address: 1})
        if spectator.channel is not None:
            spectator.channel.spectators.discard(spectator)
            spectator.channel.left_at = time.monotonic()

    def serve(self, spectator: Spectator, asked: Asked) -> None:
        if spectator not in self.spectators:
            return
        if asked.match_id is None:
            spectator.finish(answer(HTTPStatus.OK, orjson.dumps({"status": "ok", **asdict(self.report(0))})))
            return
        self._admit(spectator, asked)
        channel = self._channel(asked.match_id, spectator.address)
        spectator.channel, spectator.place = channel, asked.place
        channel.spectators.add(spectator)
        spectator.transport.write(EVENTS)
        if channel.phase is not None:
            spectator.catch_up()

    def _admit(self, spectator: Spectator, asked: Asked) -> None:
        """Half of the places at most are for one address: a class behind one gate fits, and nobody fills the house."""
        address = self._address(spectator, asked)
        if self.addresses[address] >= max(1, self.most // 2):
            raise FULL
        spectator.address = address
        self.addresses[address] += 1

    def _address(self, spectator: Spectator, asked: Asked) -> str:
        if self.proxies and len(asked.forwarded) >= self.proxies:
            return asked.forwarded[-self.proxies][:64]
        peer = spectator.transport.get_extra_info("peername")
        return str(peer[0]) if peer else "?"

    def _channel(self, match_id: int, address: str) -> Watched:
        if match_id not in self.channels:
            self._make_room(address)
            self.channels[match_id] = Watched(match_id)
        return self.channels[match_id]

    def _make_room(self, address: str) -> None:
        """For one more match. What only one address watches is half of them at most; what nobody watches goes first."""
        of_one = sum(one.addresses == {address} for one in self.channels.values())
        if of_one >= MOST_CHANNELS // 2:
            raise FULL
        if len(self.channels) >= MOST_CHANNELS:
            unwatched = [key for key, one in self.channels.items() if not one.spectators]
            if not unwatched:
                raise FULL
            del self.channels[min(unwatched, key=lambda key: self.channels[key].left_at)]

    def forget_unwatched(self, now: float) -> None:
        old = [key for key, one in self.channels.items() if not one.spectators and now - one.left_at > UNWATCHED_S]
        for key in old:
            del self.channels[key]

    def report(self, port: int) -> StreamReport:
        watched = sum(bool(channel.spectators) for channel in self.channels.values())
        return StreamReport(port=port, spectators=len(self.spectators), matches=watched)


class Stream:
    """The house at work."""

    def __init__(self, host: str, port: int) -> None:
        self.house = House(most=settings.SPECTATORS, proxies=settings.PROXIES)
        self.host, self.port = host, port
        self.reader = ThreadPoolExecutor(1, "reception")

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until told to stop."""
        _raise_file_limit(self.house.most)
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Spectator(self.house), self.host, self.port, backlog=512)
        self.port = server.sockets[0].getsockname()[1]
        tasks = [loop.create_task(work()) for work in (self._keep_up, self._beat, self._report)]
        log.info("live stream serves", host=self.host, port=self.port)
        await stop.wait()
        server.close()
        for task in tasks:
            task.cancel()
        for spectator in tuple(self.house.spectators):
            spectator.transport.close()
        self.reader.shutdown(wait=False, cancel_futures=True)

    async def _in_reader(self, work: object, *args: object) -> None:
        await asyncio.get_running_loop().run_in_executor(self.reader, work, *args)  # type: ignore[arg-type]

    async def _keep_up(self) -> None:
        while True:
            began = time.monotonic()
            self.house.forget_unwatched(began)
            channels = list(self.house.channels.values())
            if channels:
                await self._in_reader(_refresh, channels)
                for channel in channels:
                    channel.tell_all()
            await asyncio.sleep(max(0.02, TICK_S - (time.monotonic() - began)))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            now = time.monotonic()
            for spectator in tuple(self.house.spectators):
                spectator.beat(now)

    async def _report(self) -> None:
        while True:
            await self._in_reader(send_report, self.house.report(self.port))
            await asyncio.sleep(REPORT_S)


def _refresh(channels: list[Watched]) -> None:
    """In the reader's thread; what goes wrong is tried again a tick later."""
    try:
        refresh(channels)
    except DatabaseError as error:
        log.warning("the database is not responding", error=type(error).__name__)
        close_old_connections()
    except Exception:
        log.exception("live channels could not be brought up to date")


def _raise_file_limit(most: int) -> None:
    """One file a watcher, and some for ourselves."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most + 256
    if soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard) if hard > 0 else wanted, hard))
