"""Frames: the first whole, then only what changed, for all eyes or one seat's."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from arena import Frame, apply_changes, changes_between, frames
from arena.replay import Unplayable, states
from engines import GAMES
from tests.arena.paper import played


def rebuilt(shown: list[Frame]) -> list[dict[str, Any]]:
    """What a viewer holds after each frame, from the JSON alone."""
    state: dict[str, Any] = {}
    found = []
    for frame in json.loads(json.dumps([frame.as_json() for frame in shown])):
        state = frame["state"] if "state" in frame else apply_changes(state, frame["changes"])
        found.append(json.loads(json.dumps(state)))
    return found


@pytest.mark.parametrize("game", ["countdown", *sorted(GAMES)])
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_frames_rebuild_every_observation_without_its_log(game: str, seat: int | None) -> None:
    record = played(game, seats=GAMES[game].seats.start)
    wanted = []
    for state in states(record):
        seen = json.loads(json.dumps(state.observe(seat)))
        del seen["log"]
        wanted.append(seen)
    shown = frames(record, seat)
    assert rebuilt(shown) == wanted
    assert [frame.ply for frame in shown] == list(range(len(record.actions) + 1))


def test_only_the_first_frame_is_whole() -> None:
    first, *others = frames(played())
    assert first.state is not None
    assert first.entry is None
    assert all(frame.state is None and frame.changes and frame.entry for frame in others)


def test_a_part_of_the_frames_begins_with_a_whole_one() -> None:
    record = played()
    part = frames(record, start=2, stop=4)
    assert [frame.ply for frame in part] == [2, 3]
    assert rebuilt(part) == rebuilt(frames(record))[2:4]
    assert frames(record, start=99) == []


@pytest.mark.parametrize("game", ["countdown", *sorted(GAMES)])
def test_each_frame_has_the_line_of_the_log_that_led_to_it(game: str) -> None:
    record = played(game, seats=GAMES[game].seats.start)
    lines = [frame.entry for frame in frames(record)][1:]
    assert all(line and line.startswith(f"{a.seat} {a.text}") for line, a in zip(lines, record.actions, strict=True))


def test_the_action_that_begins_a_new_log_is_told_to_its_own_seat_alone() -> None:
    """Capone's log is that of the year, and its last card may have been laid aside unshown."""
    record = played("capone", seats=3)
    for seat in (0, 1, 2):
        told = [frame.entry for frame in frames(record, seat)][1:]
        assert all(told)
        ends = [ply for ply, entry in enumerate(told) if entry and entry.endswith(" ?") and len(entry) == 3]
        assert ends
        assert all(record.actions[ply].seat != seat for ply in ends)


def test_frames_are_much_smaller_than_the_states_they_stand_for() -> None:
    record = played("capone", seats=4) if "capone" in GAMES else played()
    size = len(json.dumps([frame.as_json() for frame in frames(record)]))
    whole = sum(len(json.dumps(state.observe(None))) for state in states(record))
    assert size < whole / 3


def test_a_seat_that_is_not_there_is_told_so() -> None:
    with pytest.raises(ValueError, match="no seat 5"):
        frames(played(), 5)


@pytest.mark.parametrize("seat", [None, 0, 1])
@pytest.mark.parametrize("game", ["countdown", *sorted(GAMES)])
def test_each_frame_has_the_words_of_its_game_with_seats_for_names(game: str, seat: int | None) -> None:
    record, words = played(game, seats=GAMES[game].seats.start), GAMES[game].words
    names = [f"{{{n}}}" for n in range(len(record.order.seats))]
    seen = [state.observe(seat) for state in states(record)]
    shown = [frame.as_json() for frame in frames(record, seat)]
    assert [frame["next"] for frame in shown] == [words.asked(one, names) for one in seen]
    assert "said" not in shown[0]
    for frame, before, after in zip(shown[1:], seen, seen[1:], strict=False):
        assert frame["said"] == words.sentence(frame["entry"], before, after, names)
        assert frame.get("mark") == words.mark(frame["entry"], before, after)


def test_a_part_of_the_frames_tells_its_first_action_too() -> None:
    whole, part = frames(played()), frames(played(), start=2, stop=4)
    assert [frame.spoken for frame in part] == [frame.spoken for frame in whole[2:4]]
    assert part[0].spoken
    assert part[0].spoken.said


def test_only_a_game_without_a_drawing_has_its_table_as_text() -> None:
    assert frames(played("countdown"))[0].as_json()["table"] == "12 left"
    assert "table" not in frames(played("gatsby"))[0].as_json()


def test_a_record_of_an_unknown_game_has_no_frames() -> None:
    from dataclasses import replace

    record = played()
    with pytest.raises(Unplayable, match="there is no game"):
        frames(replace(record, order=replace(record.order, game="poker")))


def random_json(rng: Random, depth: int = 3) -> Any:
    kind = rng.randrange(7 if depth else 4)
    if kind > 4:
        return {rng.choice("abcdef"): random_json(rng, depth - 1) for _ in range(rng.randrange(4))}
    if kind == 4:
        return [random_json(rng, depth - 1) for _ in range(rng.randrange(5))]
    return rng.choice([0, 1, True, False, None, "x", "y", 1.5])


def test_changes_lead_from_any_object_to_any_other() -> None:
    rng = Random(1923)
    for _ in range(2000):
        old, new = ({"top": random_json(rng), "more": random_json(rng)} for _ in range(2))
        changes = json.loads(json.dumps(list(changes_between(old, new))))
        assert json.dumps(apply_changes(json.loads(json.dumps(old)), changes), sort_keys=True) == json.dumps(
            new, sort_keys=True
        )


def test_nothing_changed_is_no_change() -> None:
    assert list(changes_between({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]})) == []
