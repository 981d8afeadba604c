"""What watchers of a match are told, whatever happens to broker and worker."""

from __future__ import annotations

import json
from random import Random

import pytest
import redis

from arena import PUBLIC, Camera, PlayedAction, apply_changes, frames
from engines import GAMES
from ladder.live.channels import Bookmark, Channel, Phase
from ladder.live.polling import news_after
from ladder.live.reception import refresh
from ladder.matches import leases
from ladder.matches.models import Match
from ladder.matches.records import stored_record
from tests.arena.paper import played
from tests.ladder.cast import make_ladder
from tests.ladder.live.paper import queue_set, take

pytestmark = pytest.mark.django_db


def follow(channel: Channel) -> None:
    """Look now, however fresh the last look is."""
    channel.looked_at = -60.0
    refresh([channel])


def told(channel: Channel, place: Bookmark | None = None) -> list[tuple[str, object]]:
    return [(one.name, json.loads(one.data)) for one in channel.news(place or Bookmark())]


def plies(channel: Channel, place: Bookmark | None = None) -> list[int]:
    return [frame["ply"] for name, data in told(channel, place) if name == "frames" for frame in data]


@pytest.mark.parametrize(("game", "seats"), [("speak_easy", 2), ("gatsby", 2), ("capone", 3), ("cotton_club", 2)])
def test_public_frames_are_those_that_any_one_seat_could_have_made(game: str, seats: int) -> None:
    """Also their sentences: each frame is made again from states that a seat imagines from its own observation."""
    order, state, rng = played(game, seats).order, GAMES[game].new(seats=seats, seed=7), Random(7)
    cameras = [Camera(PUBLIC) for _ in range(seats)]
    spectator, action = Camera(PUBLIC), None
    assert order.seed == 7
    for ply in range(60):
        shown = spectator.take(state, action).as_json()
        for seat, camera in enumerate(cameras):
            imagined = GAMES[game].imagine(json.loads(json.dumps(state.observe(seat))), Random(ply))
            unread = PlayedAction(action.seat, "not read", 0.0, 0.0) if action else None
            assert camera.take(imagined, unread).as_json() == shown, f"ply {ply}: seat {seat} could not know it"
        if state.to_act is None:
            break
        choice = rng.choice(state.legal_actions())
        action = PlayedAction(state.to_act, state.format(choice), 0.0, 0.0)
        state.apply(choice)


def test_watchers_get_the_public_frames_of_what_was_played(broker: redis.Redis) -> None:
    queue_set(make_ladder("capone", 3), matches=2)
    running = take()
    channel = Channel(running.match.pk)
    running.play(40)
    follow(channel)
    begin, (_, shown), phase = told(channel)
    assert (begin[0], phase) == ("begin", ("phase", {"phase": "playing"}))
    running.finish()
    wanted = [frame.as_json() for frame in frames(stored_record(running.match), PUBLIC)]
    assert shown == json.loads(json.dumps(wanted[:41]))
    state = shown[0]["state"]
    for frame in shown[1:]:
        apply_changes(state, frame["changes"])
    assert (state["seat"], state["ply"]) == (None, 40)
    assert str(running.claim.order.seed) not in json.dumps(shown)


def test_hands_stay_closed_until_the_whole_set_is_settled(broker: redis.Redis) -> None:
    queue_set(make_ladder(), matches=2)
    first = take()
    channel = Channel(first.match.pk)
    first.play(5)
    follow(channel)
    first.finish()
    follow(channel)
    assert channel.phase == Phase.OVER
    assert plies(channel)[-1] == len(first.told.texts)
    second = take()
    second.finish()
    follow(channel)
    assert told(channel) == [("phase", {"phase": "settled"})]


def test_a_watcher_comes_back_to_the_ply_it_was_at(broker: redis.Redis) -> None:
    queue_set(make_ladder())
    running = take()
    channel = Channel(running.match.pk)
    running.play(10)
    follow(channel)
    *_, last = channel.news(Bookmark())
    running.play(5)
    follow(channel)
    assert plies(channel, Bookmark.read(str(last.place))) == [11, 12, 13, 14, 15]


def test_a_broker_that_loses_everything_only_delays(broker: redis.Redis) -> None:
    queue_set(make_ladder())
    running = take()
    channel = Channel(running.match.pk)
    running.play(10)
    follow(channel)
    broker.flushall()
    follow(channel)
    assert channel.phase == Phase.PLAYING
    running.play(3)
    follow(channel)
    assert plies(channel) == list(range(14))


def test_a_worker_that_falls_silent_is_told_of_and_the_next_attempt_begins_anew(broker: redis.Redis) -> None:
    queue_set(make_ladder())
    running = take()
    channel = Channel(running.match.pk)
    running.play(10)
    follow(channel)
    *_, last = channel.news(Bookmark())
    broker.delete(running.told.key)
    channel.heard_at -= 60
    follow(channel)
    assert told(channel, last.place) == [("phase", {"phase": "silent"})]
    leases.report_host_fault(running.match.pk, running.claim.lease, detail="gone")
    follow(channel)
    assert told(channel, last.place) == [("phase", {"phase": "waiting"})]
    again = take(worker="other/1")
    again.play(2)
    follow(channel)
    names = [name for name, _ in told(channel, last.place)]
    assert (names[0], plies(channel, last.place)) == ("begin", [0, 1, 2])


def test_the_result_of_another_attempt_than_was_seen_is_shown_from_its_beginning(broker: redis.Redis) -> None:
    queue_set(make_ladder(), matches=2)
    running = take()
    channel = Channel(running.match.pk)
    running.play(10)
    follow(channel)
    leases.report_host_fault(running.match.pk, running.claim.lease, detail="gone")
    Match.objects.update(elsewhere_until=None)
    Match.objects.exclude(pk=running.match.pk).update(is_held=True)
    again = take(worker="other/1")
    again.rng = Random(99)
    again.finish()
    follow(channel)
    assert channel.phase == Phase.OVER
    assert next(name for name, _ in told(channel)) == "begin"
    assert channel.showing.texts == again.told.texts


@pytest.mark.parametrize("after", ["", "x", "../../etc", "0" * 12 + ".999999", "\u0000", "abc.1", "é" * 20])
def test_any_place_that_was_never_told_is_the_beginning(broker: redis.Redis, after: str) -> None:
    queue_set(make_ladder())
    running = take()
    running.play(3)
    events = json.loads(news_after(running.match.pk, after))["events"]
    assert [event["event"] for event in events] == ["begin", "frames", "phase"]


def test_a_match_that_does_not_exist_is_off(broker: redis.Redis) -> None:
    assert json.loads(news_after(10**17, ""))["events"] == [{"id": ".0", "event": "phase", "data": {"phase": "off"}}]


def test_a_match_of_a_game_that_is_gone_waits_and_holds_up_no_other(
    broker: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue_set(make_ladder("capone", 3), matches=1)
    lost = take()
    queue_set(make_ladder("gatsby"), matches=2)
    kept = take()
    kept.play(3)
    channels = [Channel(lost.match.pk), Channel(kept.match.pk)]
    others = {name: game for name, game in GAMES._here.items() if name != "capone"}
    with monkeypatch.context() as gone:
        gone.setattr(GAMES, "_here", others)
        refresh(channels)
        assert [channel.phase for channel in channels] == [Phase.WAITING, Phase.PLAYING]
        assert plies(channels[1]) == [0, 1, 2, 3]
    lost.finish()
    monkeypatch.setattr(GAMES, "_here", others)
    follow(channels[0])
    assert told(channels[0])[-1] == ("phase", {"phase": "settled"})
