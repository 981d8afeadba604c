"""What watchers are told of one match, and how it is written."""

from __future__ import annotations

import json
import time
from uuid import UUID

import orjson
import pytest
from django.test import RequestFactory

from arena import MatchOrder
from engines import GAMES
from ladder.cache import near_cache
from ladder.live import channels, reports
from ladder.live.channels import LAST, MOST_FRAMES, SILENCE_S, Bookmark, Channel, News, Phase
from ladder.live.reports import StreamReport, origin_of, stream_address
from ladder.live.showing import Showing, attempt_name
from tests.arena.paper import played

LEASE, OTHER = UUID(int=1), UUID(int=2)
RECORD = played("gatsby")
TEXTS = [action.text for action in RECORD.actions]


def showing(lease: UUID = LEASE) -> Showing:
    order = MatchOrder(
        game="gatsby", rules_version=GAMES["gatsby"].rules_version, seed=RECORD.order.seed, seats=RECORD.order.seats
    )
    return Showing(order, lease)


def channel(phase: Phase | None, plies: int = 0) -> Channel:
    one = Channel(7, phase=phase)
    one.begin(showing(), LEASE)
    assert one.showing is not None
    one.showing.take(TEXTS[:plies])
    return one


@pytest.mark.parametrize("text", ["", ".", "0123456789ab", "0123456789ab.", "0123456789ab.x", "x.1", " 0123456789ab.1"])
def test_a_place_that_can_t_be_read_is_the_beginning(text: str) -> None:
    assert Bookmark.read(text) == Bookmark()


def test_a_place_is_read_as_it_is_written() -> None:
    assert str(Bookmark("0123456789ab", 31)) == "0123456789ab.31"
    assert Bookmark.read("0123456789ab.31") == Bookmark("0123456789ab", 31)


def test_an_event_is_written_for_browsers_and_as_json() -> None:
    news = News("phase", Bookmark("0123456789ab", 3), b'{"phase":"over"}')
    assert news.as_event() == b'id: 0123456789ab.3\nevent: phase\ndata: {"phase":"over"}\n\n'
    assert json.loads(news.as_json()) == {"id": "0123456789ab.3", "event": "phase", "data": {"phase": "over"}}


def test_who_has_nothing_is_told_the_beginning_the_frames_and_the_phase() -> None:
    told = list(channel(Phase.PLAYING, 3).news(Bookmark()))
    assert [news.name for news in told] == ["begin", "frames", "phase"]
    assert len(orjson.loads(told[1].data)) == 4  # the table before the first ply, and after each
    assert told[-1].place == Bookmark(attempt_name(LEASE), 4, Phase.PLAYING)


def test_who_has_everything_is_told_nothing() -> None:
    one = channel(Phase.PLAYING, 3)
    *_, last = one.news(Bookmark())
    assert list(one.news(last.place)) == []


def test_who_has_some_frames_is_told_the_rest() -> None:
    one = channel(Phase.PLAYING, 5)
    (frames,) = one.news(Bookmark(attempt_name(LEASE), 4, Phase.PLAYING))
    assert [frame["ply"] for frame in orjson.loads(frames.data)] == [4, 5]


def test_who_watched_another_attempt_begins_anew() -> None:
    first, *_ = channel(Phase.PLAYING, 3).news(Bookmark("ffffffffffff", 2))
    assert (first.name, first.place.ply) == ("begin", 0)


def test_who_has_more_than_a_process_that_was_just_started_keeps_the_place_until_it_has_caught_up() -> None:
    one, place = channel(Phase.PLAYING, 3), Bookmark(attempt_name(LEASE), 6)
    (phase,) = one.news(place)
    assert phase.place == Bookmark(attempt_name(LEASE), 6, Phase.PLAYING)
    one.listen(TEXTS[3:7])
    (frames,) = one.news(phase.place)
    assert [frame["ply"] for frame in orjson.loads(frames.data)] == [6, 7]


def test_many_frames_come_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channels, "MOST_FRAMES", 4)
    pieces = [news for news in channel(Phase.PLAYING, 9).news(Bookmark()) if news.name == "frames"]
    assert [len(orjson.loads(piece.data)) for piece in pieces] == [4, 4, 2]
    assert [piece.place.ply for piece in pieces] == [4, 8, 10]
    assert MOST_FRAMES > 4


@pytest.mark.parametrize("phase", list(Phase))
def test_frames_are_shown_while_a_match_is_played_and_until_its_replay_is(phase: Phase) -> None:
    names = {news.name for news in channel(phase, 2).news(Bookmark())}
    assert ("frames" in names) == (phase in (Phase.PLAYING, Phase.SILENT, Phase.OVER))
    assert "phase" in names


@pytest.mark.parametrize("phase", list(Phase))
def test_the_end_is_the_end(phase: Phase) -> None:
    assert channel(phase).is_final is (phase in LAST)


def test_of_a_match_that_was_not_looked_up_nothing_is_told() -> None:
    assert list(Channel(7).news(Bookmark())) == []


def test_every_ply_and_every_phase_makes_another_version() -> None:
    one = channel(Phase.PLAYING, 2)
    seen = {one.version}
    one.listen(TEXTS[2:3])
    seen.add(one.version)
    one.phase = Phase.OVER
    seen.add(one.version)
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("silence", "heard", "phase"),
    [
        (0.0, None, Phase.PLAYING),
        (SILENCE_S + 1, None, Phase.SILENT),
        (SILENCE_S + 1, [], Phase.PLAYING),
        (SILENCE_S + 1, TEXTS[2:3], Phase.PLAYING),
    ],
)
def test_silence_is_told_after_a_while_and_ends_with_the_next_word(
    silence: float, heard: list[str] | None, phase: Phase
) -> None:
    one = channel(Phase.PLAYING, 2)
    one.heard_at = time.monotonic() - silence
    one.listen(heard)
    assert one.phase is phase


def test_a_match_that_has_not_moved_yet_is_not_silent() -> None:
    one = channel(Phase.PLAYING)
    one.heard_at = time.monotonic() - 60
    one.listen(None)
    assert one.phase is Phase.PLAYING


def test_actions_of_other_rules_stop_the_show_and_break_nothing() -> None:
    one = showing()
    one.take([*TEXTS[:2], "nonsense", *TEXTS[2:4]])
    assert (one.is_broken, one.plies, one.texts) == (True, 2, TEXTS[:2])
    one.take(TEXTS[2:4])
    assert one.plies == 2


def test_after_the_last_ply_nothing_is_taken() -> None:
    one = showing()
    one.take([*TEXTS, TEXTS[0]])
    assert (one.plies, one.is_broken) == (len(TEXTS), False)


def test_the_name_of_an_attempt_is_its_own_and_tells_nothing_of_the_lease() -> None:
    assert attempt_name(LEASE) == attempt_name(UUID(int=1)) != attempt_name(OTHER)
    assert len(attempt_name(LEASE)) == 12
    assert attempt_name(LEASE) not in LEASE.hex


@pytest.fixture
def on_air(monkeypatch: pytest.MonkeyPatch) -> None:
    near_cache().clear()
    monkeypatch.setattr(reports, "last_report", lambda: StreamReport(port=9001, spectators=2, matches=1))


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("localhost:8000", "http://localhost:9001"),
        ("127.0.0.1", "http://127.0.0.1:9001"),
        ("[::1]:8000", "http://[::1]:9001"),
        ("[::1]", "http://[::1]:9001"),
    ],
)
def test_a_browser_finds_the_stream_at_the_host_it_came_to(on_air, settings, host: str, address: str) -> None:
    settings.LIVE_URL, settings.PROXIES, settings.HTTPS = "", 0, False
    settings.ALLOWED_HOSTS = ["*"]
    assert stream_address(RequestFactory(headers={"host": host}).get("/")) == address


@pytest.mark.parametrize(("proxies", "https"), [(1, False), (0, True)])
def test_behind_a_proxy_the_stream_is_where_the_operator_says(on_air, settings, proxies: int, https: bool) -> None:
    settings.LIVE_URL, settings.PROXIES, settings.HTTPS = "", proxies, https
    request = RequestFactory(headers={"host": "localhost"}).get("/")
    assert stream_address(request) is None
    settings.LIVE_URL = "/stream"
    assert stream_address(request) == "/stream"


def test_a_stream_that_has_not_been_heard_of_has_no_address(on_air, settings, monkeypatch) -> None:
    monkeypatch.setattr(reports, "last_report", lambda: None)
    settings.LIVE_URL = "/stream"
    assert stream_address(RequestFactory().get("/")) is None


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("/stream", None),
        ("http://localhost:9001", "http://localhost:9001"),
        ("https://live.example/rum", "https://live.example"),
    ],
)
def test_a_page_allows_the_origin_it_will_ask(address: str, origin: str | None) -> None:
    assert origin_of(address) == origin
