"""Positions of Gatsby set up by hand: what a test names is changed, the rest is one fixed table.

The cabaret shows these bonuses (tiles T1 T2 above T3 T4, none turned)::

    . . S . . I
    . o . . o .
    . A . . X .
    . . F . . D
    . o . . o .
    . I . . X .
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from engines.gatsby.game import GAME
from engines.gatsby.state import GatsbyState

FACE_UP = {"K1": "blue2", "K2": "red1a", "F5": "yellow0", "F20": "purple3", "R1": "green2a", "R5": "blue0"}
FACE_DOWN = {"K3": "green1", "F10": "blue3", "F15": "red3", "R2": "yellow2", "R3": "purple1a", "R4": "red1b"}
PLACES = ("K1", "K2", "K3", "F5", "F10", "F15", "F20", "R1", "R2", "R3", "R4", "R5")
BOX = ["green2b", "purple1b", "yellow3"]
BONUSES = ["..S..I", ".o..o.", ".A..X.", "..F..D", ".o..o.", ".I..X."]
CABARET = ("......", ".1....", "......", "......", "......", "......")
TRACKS = (".....", ".....", ".....", "...", "...")
SPECIALS = [f"S{n}" for n in range(1, 12)]
ASKED_FOR_AN_ACTION = {
    "ask": "action", "action": None, "step": 0, "next_to": None, "tracks": [], "offers": [], "chosen": [], "drawn": [],
    "force": False,
}  # fmt: skip
FIXED = {
    "game": "gatsby", "rules_version": 2, "seat": None, "seats": 2, "options": {}, "phase": "action", "outcome": None,
    "starter": 0, "forced": None, "tiles": [["T1", 0], ["T2", 0], ["T3", 0], ["T4", 0]], "bonuses": BONUSES,
    "seed": "7",
}  # fmt: skip


def view(
    *,
    to_act: int = 0,
    marker: str | None = None,
    cabaret: Sequence[str] = CABARET,
    tracks: Sequence[str] = TRACKS,
    floors: tuple[int, int] = (0, 0),
    claimed: Mapping[str, int] | None = None,
    characters: Mapping[str, str] | None = None,
    looked: tuple[Sequence[str], Sequence[str]] = ((), ()),
    seen: Sequence[str] = (),
    slots: tuple[str | None, str | None] = (None, None),
    aside: tuple[Sequence[str], Sequence[str]] = ((), ()),
    left_out: tuple[Sequence[str], Sequence[str]] = ((), ("S11",)),
    pile: Sequence[str] | None = None,
    used: Sequence[str] = (),
) -> dict[str, Any]:
    """The snapshot of a position in which a seat chooses its action.

    `claimed` gives places to seats, `characters` puts other characters on places (in exchange with where they were),
    `seen` names places whose face-down character the seat that didn't claim it knows.
    """
    claimed = claimed or {}
    at, box = _characters(characters or {})
    log = ["1 pick:S1", "1 c11", *(f"0 {special}" for special in used), *([f"1 {marker}"] if marker else [])]
    gone = {*slots, *aside[0], *aside[1], *left_out[0], *left_out[1], *used, *([marker] if marker else [])}
    deck = [special for special in SPECIALS if special not in gone] if pile is None else list(pile)
    spare = [special for special in SPECIALS if special not in gone and special not in deck]
    return {
        **deepcopy(FIXED),
        "pending": deepcopy(ASKED_FOR_AN_ACTION),
        "to_act": to_act,
        "ply": len(log),
        "log": log,
        "marker": marker or (used[-1] if used else None),
        "cabaret": list(cabaret),
        "tracks": [None if f"R{n}" in claimed else run for n, run in enumerate(tracks, 1)],
        "floors": list(floors),
        "supply": [20 - "".join((*cabaret, *tracks)).count(seat) for seat in "01"],
        **_people(at, claimed, seen),
        "looked": [list(looked[0]), list(looked[1])],
        "box": sorted(box, key=_printed_order),
        "slots": list(slots),
        "aside": [list(aside[0]), list(aside[1])],
        "used": [*used, *([marker] if marker in SPECIALS else [])],
        "left_out": [list(left_out[0]), [*left_out[1], *spare]],
        "pile": len(deck),
        "deck": deck,
    }


def scene(**changes: Any) -> GatsbyState:
    """The position that `view` describes."""
    return GAME.restore(view(**changes))


def _people(at: Mapping[str, str], claimed: Mapping[str, int], seen: Sequence[str]) -> dict[str, Any]:
    """Who lies where, and who is whose."""
    return {
        "places": {p: None if p in claimed else at[p] if p in FACE_UP else "?" for p in PLACES},
        "known": {p: at[p] for p in PLACES if p in FACE_DOWN and p not in claimed},
        "claimed": [_hand(at, claimed, seat, seen) for seat in (0, 1)],
    }


def _characters(changes: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """The characters of all places and of the box, after exchanges."""
    at = {**FACE_UP, **FACE_DOWN, **{f"box{n}": name for n, name in enumerate(BOX)}}
    for place, name in changes.items():
        other = next(p for p, held in at.items() if held == name)
        at[place], at[other] = name, at[place]
    return {p: at[p] for p in PLACES}, [at[f"box{n}"] for n in range(len(BOX))]


_FAMILIES = ("blue", "red", "green", "yellow", "purple")


def _printed_order(character: str) -> tuple[int, str]:
    return next(n for n, family in enumerate(_FAMILIES) if character.startswith(family)), character


def _hand(at: Mapping[str, str], claimed: Mapping[str, int], seat: int, seen: Sequence[str]) -> list[dict[str, Any]]:
    entries = [
        {"character": at[p], "face": "up" if p in FACE_UP else "down", "seen": p in FACE_UP or p in seen}
        for p in PLACES
        if claimed.get(p) == seat
    ]
    return sorted(entries, key=lambda e: (e["face"] == "down", not e["seen"], _printed_order(e["character"])))


def play(state: GatsbyState, texts: str) -> GatsbyState:
    """Take these actions, by their texts; the same state."""
    for text in texts.split():
        state.apply(state.parse(text))
    return state


def legal(state: GatsbyState) -> list[str]:
    """What may be chosen, as texts."""
    return [state.format(action) for action in state.legal_actions()]


def asked(state: GatsbyState) -> str:
    """What is being asked."""
    pending = state.observe(None)["pending"]
    return "over" if pending is None else str(pending["ask"])


def see(state: GatsbyState, field: str, seat: int | None = None) -> Any:
    """One field of an observation."""
    return state.observe(seat)[field]
