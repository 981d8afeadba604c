"""Snapshots and observations that nobody could have written."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engines import InvalidObservation, InvalidSnapshot
from engines.gatsby.game import GAME
from engines.gatsby.state import GatsbyState
from engines.playing import play_on
from tests.engines.gatsby.scene import legal, play, scene, see, view

MIDDLE: dict[str, Any] = {
    "marker": "M4",
    "cabaret": ("......", ".10...", "..0...", "..1...", "......", "......"),
    "tracks": ("01...", ".....", "1....", "0..", "..."),
    "floors": (6, 3),
    "claimed": {"F5": 0, "R5": 1},
    "slots": ("S3", "S8"),
    "aside": (("S2",), ()),
    "looked": (("F10", "R2"), ("R3",)),
}


def set_to(*path: Any) -> Callable[[dict[str, Any]], None]:
    """A change that puts the last of these at the place that the others lead to."""
    *outer, key, value = path

    def change(data: dict[str, Any]) -> None:
        for step in outer:
            data = data[step]
        data[key] = value

    return change


CONTRADICTIONS = {
    "a cell with a third kind of token": set_to("cabaret", 0, "2....."),
    "a row that is too short": set_to("cabaret", 0, "....."),
    "supply that doesn't fit the tokens": set_to("supply", 0, 20),
    "a bool for a floor": set_to("floors", 0, True),
    "a floor above the top": set_to("floors", 0, 21),
    "a floor below a claimed character": set_to("floors", 0, 11),
    "a closed track with a character": set_to("tracks", 0, None),
    "an open track without a character": set_to("tracks", 4, "..."),
    "tracks that are one too few": set_to("tracks", ["....."]),
    "a track that was full already": set_to("tracks", 3, "010"),
    "a character in two places": set_to("places", "K1", "red1a"),
    "a place without its character": set_to("places", "K1", None),
    "a known character of an empty place": set_to("known", "F5", "red3"),
    "a look at a face-up place": set_to("looked", 1, ["K1"]),
    "a look at no place": set_to("looked", 1, ["K9"]),
    "a claimed character with two names": set_to("claimed", 0, 0, "character", "blue0"),
    "a claimed character that forgot its face": set_to("claimed", 0, 0, {"character": "yellow0", "seen": True}),
    "a tile twice": set_to("tiles", 0, ["T2", 0]),
    "a tile with five turns": set_to("tiles", 0, ["T1", 5]),
    "bonuses of other tiles": set_to("tiles", 0, ["T1", 1]),
    "a special in two slots": set_to("slots", ["S8", "S8"]),
    "a main action in a slot": set_to("slots", 0, "M1"),
    "a special set aside and owned": set_to("aside", 0, ["S3"]),
    "a marker that the log doesn't know": set_to("marker", "M2"),
    "a forced action that the log doesn't know": set_to("forced", "M1"),
    "a log that is too short": set_to("log", ["1 pick:S1"]),
    "an action that nobody knows": set_to("log", 0, "1 pick:S99"),
    "an action without a seat": set_to("log", 0, "pick:S1"),
    "a secret placement": set_to("log", 1, "1 c11 secret"),
    "a number in the log": set_to("log", 0, 7),
    "a ply that doesn't fit the log": set_to("ply", 99),
    "a third seat to act": set_to("to_act", 2),
    "nobody to act": set_to("to_act", None),
    "an unknown question": set_to("pending", "ask", "what"),
    "a question of another phase": set_to("phase", "setup"),
    "a step of no action": set_to("pending", "step", 1),
    "an offer between actions": set_to("pending", "offers", ["X"]),
    "a choice for nothing": set_to("pending", "chosen", ["K1"]),
    "a drawn special for nothing": set_to("pending", "drawn", ["S1"]),
    "force that nobody took": set_to("pending", "force", True),
    "a game that is over and isn't": set_to("pending", None),
    "an outcome before the end": set_to("outcome", {"ranks": [1, 2], "scores": [1, 0], "ending": "five_families"}),
    "another number of seats": set_to("seats", 3),
    "an option": set_to("options", {"length": "short"}),
    "another game": set_to("game", "chess"),
    "another version": set_to("rules_version", 1),
    "a version that is true": set_to("rules_version", True),
    "a field too many": set_to("extra", 1),
}


@pytest.mark.parametrize("change", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_snapshot_that_contradicts_itself_is_refused(change: Callable[[dict[str, Any]], None]) -> None:
    snapshot = view(**MIDDLE)
    change(snapshot)
    with pytest.raises(InvalidSnapshot, match="no snapshot of gatsby"):
        GAME.restore(snapshot)


@pytest.mark.parametrize("change", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_an_observation_that_contradicts_itself_is_refused(change: Callable[[dict[str, Any]], None]) -> None:
    seen = scene(**MIDDLE).observe(0)
    change(seen)
    with pytest.raises(InvalidObservation, match="no observation of gatsby"):
        GAME.imagine(seen, Random(1))


ONLY_IN_SNAPSHOTS = {
    "a box that is too small": set_to("box", ["red3"]),
    "a deck of another size": set_to("pile", 3),
    "a special that is nowhere": set_to("deck", []),
    "a hidden special": set_to("left_out", 1, ["?"]),
    "a hidden character": set_to("known", {}),
    "a seed that is a number": set_to("seed", 7),
    "a seed that is too large": set_to("seed", str(1 << 128)),
    "a seed with a sign": set_to("seed", "-7"),
    "a seed with a zero in front": set_to("seed", "07"),
    "the view of a seat": set_to("seat", 0),
}


@pytest.mark.parametrize("change", ONLY_IN_SNAPSHOTS.values(), ids=ONLY_IN_SNAPSHOTS)
def test_a_snapshot_that_hides_something_is_refused(change: Callable[[dict[str, Any]], None]) -> None:
    snapshot = view(**MIDDLE)
    change(snapshot)
    with pytest.raises(InvalidSnapshot):
        GAME.restore(snapshot)


ONLY_IN_OBSERVATIONS = {
    "a box that is open": set_to("box", ["green2b", "purple1b", "yellow3"]),
    "an open deck": set_to("deck", []),
    "too many specials in the pile": set_to("pile", 11),
    "a hidden character of its own": set_to("claimed", 0, 0, {"character": "?", "face": "down", "seen": False}),
    "a hidden special of its own": set_to("left_out", 0, ["?"]),
    "a look that was forgotten": set_to("known", {"F10": "blue3"}),
    "a look of the other": set_to("known", "R3", "purple1a"),
    "another seat": set_to("seat", 2),
    "a seat that is true": set_to("seat", True),
    "another view": set_to("seat", 1),
}


@pytest.mark.parametrize("change", ONLY_IN_OBSERVATIONS.values(), ids=ONLY_IN_OBSERVATIONS)
def test_an_observation_that_no_seat_could_have_is_refused(change: Callable[[dict[str, Any]], None]) -> None:
    seen = scene(**MIDDLE).observe(0)
    change(seen)
    with pytest.raises(InvalidObservation):
        GAME.imagine(seen, Random(1))


@pytest.mark.parametrize(
    ("moves", "change"),
    [
        ("M4 t1 take:X x:F10", set_to("pending", "chosen", ["F5"])),
        ("M4 t1 take:X x:F10 x:R2", set_to("pending", "chosen", ["R2", "F10"])),
        ("M4 t1 take:X x:F10 x:R2", set_to("pending", "chosen", ["F10", "F5"])),
        ("M4 t1", set_to("pending", "offers", [])),
        ("M4 t1", set_to("pending", "offers", ["Q"])),
        ("M4 t1", set_to("pending", "action", "M1")),
        ("M4 t1", set_to("pending", "action", None)),
        ("M4", set_to("pending", "ask", "cabaret")),
        ("M4", set_to("pending", "step", 3)),
        ("M4 t2", set_to("pending", "tracks", [6])),
        ("M4 t2", set_to("pending", "tracks", [2, 2])),
        ("M1 c12", set_to("pending", "next_to", "t11")),
        ("M1 c12", set_to("pending", "next_to", None)),
        ("M4 t3 take:D pick:S1", set_to("pending", "chosen", ["S3"])),
        ("M4 t3 take:D", set_to("pending", "drawn", [])),
    ],
)
def test_a_turn_that_can_not_stand_like_this_is_refused(moves: str, change: Callable[[dict[str, Any]], None]) -> None:
    state = play(
        scene(tracks=("01...", ".....", "0101.", "...", "..."), slots=("S3", None), claimed={"F5": 1}, floors=(0, 5)),
        moves,
    )
    snapshot = state.snapshot()
    change(snapshot)
    with pytest.raises(InvalidSnapshot, match="no snapshot of gatsby"):
        GAME.restore(snapshot)


def test_a_swap_of_a_token_that_is_not_there_is_refused() -> None:
    state = play(scene(slots=("S3", None)), "S3 c12 s:c12")
    snapshot = state.snapshot()
    snapshot["pending"]["chosen"] = ["c11"]
    with pytest.raises(InvalidSnapshot, match="no own token"):
        GAME.restore(snapshot)


def test_every_kind_of_question_survives_a_snapshot_and_an_observation() -> None:
    met: set[str] = set()
    seed = 0
    while len(met) < 19:
        seed += 1
        state, rng = GAME.new(seed=seed), Random(seed)
        while state.to_act is not None:
            ask = see(state, "pending")["ask"]
            if ask not in met:
                met.add(ask)
                assert GAME.restore(state.snapshot()).snapshot() == state.snapshot()
                for seat in (0, 1):
                    imagined = GAME.imagine(state.observe(seat), rng)
                    assert imagined.observe(seat) == state.observe(seat)
                    assert seat != state.to_act or legal(imagined) == legal(state)
            state.apply(rng.choice(state.legal_actions()))
    assert seed < 200


def test_what_is_kept_from_move_to_move_is_what_a_fresh_reading_of_the_table_finds() -> None:
    for seed in range(6):
        state, rng = GAME.new(seed=seed), Random(seed)
        while state.to_act is not None:
            state.apply(rng.choice(state.legal_actions()))
            fresh = GAME.restore(state.snapshot())
            for slot in GatsbyState.__slots__:
                assert getattr(fresh, slot) == getattr(state, slot), slot


def test_the_message_shows_the_value_and_what_is_expected() -> None:
    snapshot = view()
    snapshot["floors"] = [0, "high"]
    with pytest.raises(InvalidSnapshot, match=r"floors\[1\]: expected a whole number from 0 to 20, not 'high'"):
        GAME.restore(snapshot)


def test_an_end_that_hides_a_claimed_character_is_refused() -> None:
    """GA 7.4: it was restored, and its own observations were refused."""
    snapshot = play_on(GAME.new(seed=3), Random(3)).snapshot()
    covered = [entry for hand in snapshot["claimed"] for entry in hand if entry["face"] == "down"]
    covered[0]["seen"] = False
    with pytest.raises(InvalidSnapshot, match="the end shows all claimed characters"):
        GAME.restore(snapshot)
