"""Whatever is handed to parse, format, restore and imagine, the answer is a value or the named error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import GAMES, InvalidAction, InvalidObservation, InvalidSnapshot
from tests.engines.playing import EDGE_SETUPS, Setup, over_the_wire, play_on, positions, setups_of, walk

every_game = pytest.mark.parametrize("name", sorted(GAMES))
edge_setups = pytest.mark.parametrize("setup", EDGE_SETUPS, ids=str)

JUNK: list[Any] = [
    None, True, False, -1, 0, 1, 3, 99, 10**30, 0.5, 1e300, "", "?", "x", "0", "a1", "Ω", [], [0], [None], {}, {"a": 1},
]  # fmt: skip
NO_OBJECTS: list[Any] = [None, True, 7, 1.5, "x", [], [[]], {}, {"game": "chess"}, {"seed": "1"}]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value inside a JSON value, the outermost left out."""
    if path:
        yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        yield from places(inner, (*path, key))


def nudged(value: Any, rng: Random) -> Any:
    """A value of the same type that is a little different."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice([-1, 1, -2, 7, 1000])
    if isinstance(value, str):
        return rng.choice([value[:-1], value + "0", value[::-1], value.upper(), value.replace(" ", "")])
    if isinstance(value, list):
        return rng.choice([value[:-1], value[1:], value * 2, value[::-1], [*value, rng.choice(JUNK)]])
    if isinstance(value, dict):
        return {**value, rng.choice(["", "extra", "0"]): rng.choice(JUNK)}
    return rng.choice(JUNK)


def mutant(original: Any, rng: Random) -> Any:
    """A JSON value with one to three things wrong: keys removed, types changed, numbers and texts bent, lists cut."""
    value = over_the_wire(original)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        depth: dict[int, list[tuple[Any, ...]]] = {}
        for place in places(value):
            depth.setdefault(len(place), []).append(place)
        if not depth:
            break
        *outer, key = rng.choice(depth[rng.choice(sorted(depth))])
        holder = value
        for step in outer:
            holder = holder[step]
        change = rng.randrange(5)
        if change == 0:
            del holder[key]
        elif change == 1:
            holder[key] = rng.choice(JUNK)
        elif change == 2 and isinstance(holder, list):
            other = rng.randrange(len(holder))
            holder[key], holder[other] = holder[other], holder[key]
        else:
            holder[key] = nudged(holder[key], rng)
    return value


def check_restore(setup: Setup, seed: int, mutants: int) -> None:
    rng = Random(f"restore/{setup}/{seed}")
    for state in positions(setup, seed, 4):
        snapshot = state.snapshot()
        for _ in range(mutants):
            bad = mutant(snapshot, rng)
            before = json.dumps(bad)
            try:
                restored = setup.game.restore(bad)
            except InvalidSnapshot:
                pass
            else:
                assert restored.snapshot() == bad, "a snapshot that no state writes was accepted"
                play_on(restored, rng)
            assert json.dumps(bad) == before


def check_imagine(setup: Setup, seed: int, mutants: int) -> None:
    rng = Random(f"imagine/{setup}/{seed}")
    for number, state in enumerate(positions(setup, seed, 4)):
        view = state.observe(number % setup.seats)
        for _ in range(mutants):
            bad = mutant(view, rng)
            before = json.dumps(bad)
            try:
                imagined = setup.game.imagine(bad, rng)
            except InvalidObservation:
                pass
            else:
                assert imagined.observe(bad["seat"]) == bad, "an observation that no seat sees was accepted"
                play_on(imagined, rng)
            assert json.dumps(bad) == before


@edge_setups
def test_a_bent_snapshot_is_refused_by_name_or_is_a_snapshot(setup: Setup) -> None:
    check_restore(setup, 41, 120)


@edge_setups
def test_a_bent_observation_is_refused_by_name_or_is_an_observation(setup: Setup) -> None:
    check_imagine(setup, 42, 120)


@pytest.mark.soak
@edge_setups
@pytest.mark.parametrize("seed", range(200, 220))
def test_many_bent_snapshots_and_observations_are_refused_by_name(setup: Setup, seed: int) -> None:
    check_restore(setup, seed, 500)
    check_imagine(setup, seed, 500)


@every_game
@pytest.mark.parametrize("junk", NO_OBJECTS, ids=repr)
def test_what_is_no_snapshot_is_refused(name: str, junk: Any) -> None:
    with pytest.raises(InvalidSnapshot):
        GAMES[name].restore(junk)


@every_game
@pytest.mark.parametrize("junk", NO_OBJECTS, ids=repr)
def test_what_is_no_observation_is_refused(name: str, junk: Any) -> None:
    with pytest.raises(InvalidObservation):
        GAMES[name].imagine(junk, Random(1))


@every_game
def test_the_snapshot_and_the_observation_of_another_game_or_version_are_refused(name: str) -> None:
    state = setups_of(name)[0].new(1)
    for field, value in (("game", "chess"), ("rules_version", state.game.rules_version + 1)):
        with pytest.raises(InvalidSnapshot, match=str(value)):
            state.game.restore({**state.snapshot(), field: value})
        with pytest.raises(InvalidObservation, match=str(value)):
            state.game.imagine({**state.observe(0), field: value}, Random(1))


@every_game
def test_a_snapshot_or_observation_with_any_one_field_missing_is_refused(name: str) -> None:
    state = positions(setups_of(name)[0], 43, 4)[1]
    snapshot, view = state.snapshot(), state.observe(0)
    for field in snapshot:
        with pytest.raises(InvalidSnapshot):
            state.game.restore({key: value for key, value in snapshot.items() if key != field})
    for field in view:
        with pytest.raises(InvalidObservation):
            state.game.imagine({key: value for key, value in view.items() if key != field}, Random(1))


@every_game
def test_a_snapshot_or_observation_with_any_one_field_of_another_type_is_refused(name: str) -> None:
    state = positions(setups_of(name)[0], 43, 4)[1]
    snapshot, view = state.snapshot(), state.observe(0)
    for wrong in (0.25, "no such thing", [[["deep"]]], {"no such key": 1}):
        for field in snapshot:
            with pytest.raises(InvalidSnapshot):
                state.game.restore({**snapshot, field: wrong})
        for field in view:
            with pytest.raises(InvalidObservation):
                state.game.imagine({**view, field: wrong}, Random(1))


def check_text(name: str, text: str) -> None:
    state = setups_of(name)[-1].new(1)
    try:
        action = state.parse(text)
    except InvalidAction:
        return
    assert type(action) is int
    assert state.format(action) == text


@lru_cache
def spelled(name: str) -> list[str]:
    """Texts of actions met in one game."""
    return sorted({state.format(a) for state in walk(setups_of(name)[-1], 44) for a in state.legal_actions()})


@every_game
@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=20))
def test_any_text_is_an_action_or_invalid(name: str, text: str) -> None:
    check_text(name, text)


@every_game
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_bent_spelling_is_an_action_or_invalid(name: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(spelled(name)))
    cut = data.draw(st.integers(0, len(text)))
    check_text(name, text[:cut] + data.draw(st.sampled_from(["", " ", "0", "-", "٣", "²", "\n", "A"])) + text[cut:])
    check_text(name, text[:cut] + text[cut + 1 :])
    check_text(name, text.swapcase())


@every_game
@settings(max_examples=200, deadline=None)
@given(action=st.integers(-(10**6), 10**6) | st.integers(0, 5000))
def test_any_int_has_a_text_that_leads_back_or_is_invalid(name: str, action: int) -> None:
    state = setups_of(name)[-1].new(1)
    try:
        text = state.format(action)
    except InvalidAction:
        return
    assert state.parse(text) == action


@every_game
@pytest.mark.parametrize("text", [None, 7, True, b"pass", ["pass"], {}, 1.5], ids=repr)
def test_what_is_no_text_is_an_invalid_action(name: str, text: Any) -> None:
    with pytest.raises(InvalidAction):
        setups_of(name)[0].new(1).parse(text)


@every_game
def test_a_refused_text_shows_itself(name: str) -> None:
    with pytest.raises(InvalidAction, match="no such action"):
        setups_of(name)[0].new(1).parse("no such action")
