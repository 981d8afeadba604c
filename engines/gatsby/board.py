"""The table as text, for a person at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.gatsby import actions
from engines.gatsby.refusals import WANTED
from engines.gatsby.tables import (
    ACTION_STEPS,
    BONUSES,
    CHARACTERS,
    CIRCLES,
    MAIN_AND_SPECIAL,
    NONE,
    PLACES,
    SIDE,
    SITE_PLACES,
    SITES,
    TOKENS,
    TRACK_LENGTHS,
    TRACK_PLACES,
    TRACK_START,
    TRACKS,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engines.gatsby.state import GatsbyState

NAMES = ("Dorothy", "James")


def draw(state: GatsbyState) -> str:
    """The whole table as all eyes see it; face-down characters in brackets."""
    return "\n".join((_heading(state), *_lines(state), *(_seat(state, seat) for seat in (0, 1))))


def _heading(s: GatsbyState) -> str:
    if s.result:
        ranks = ", ".join(f"{NAMES[seat]} {s.result.ranks[seat]}" for seat in (0, 1))
        scores = " to ".join(str(score) for score in s.result.scores)
        return f"Over after {s.ply} plies: {s.result.ending}, {scores}; ranks {ranks}"
    marker = f"marker on {MAIN_AND_SPECIAL[s.marker]}" if s.marker != NONE else "marker still free"
    return f"Ply {s.ply}, {marker}: {NAMES[s.turn]} chooses {WANTED[s.ask]}"


def _lines(s: GatsbyState) -> list[str]:
    """The cabaret on the left; characters, floors and tracks on the right."""
    right = [
        *(f"{site:10}{_places(s, places)}" for site, places in zip(SITES[:2], SITE_PLACES[:2], strict=True)),
        *(f"{'racetrack' if track == 0 else '':10}{_track(s, track)}" for track in range(TRACKS)),
    ]
    left = ["  " + "".join(map(str, range(SIDE))), *(f"{row} {_run(s, row * SIDE, SIDE)}" for row in range(SIDE))]
    return [f"{a:12}{b}".rstrip() for a, b in zip(left, right, strict=True)]


def _run(s: GatsbyState, start: int, length: int) -> str:
    """The tokens on a run of cells, and what is printed where there is none."""
    return "".join(_mark(s, cell) for cell in range(start, start + length))


def _mark(s: GatsbyState, cell: int) -> str:
    for seat in (0, 1):
        if s.tokens[seat] >> cell & 1:
            return str(seat)
    bonus = s.deal.prints[cell]
    return BONUSES[bonus] if bonus != NONE else "o" if CIRCLES >> cell & 1 else "."


def _places(s: GatsbyState, places: Sequence[int]) -> str:
    return "  ".join(f"{PLACES[place]} {_character(s, s.at[place])}" for place in places)


def _track(s: GatsbyState, track: int) -> str:
    place = TRACK_PLACES[track]
    run = _run(s, TRACK_START[track], TRACK_LENGTHS[track]) if s.at[place] != NONE else "closed"
    return f"{PLACES[place]} {run:6} {_character(s, s.at[place])}"


def _character(s: GatsbyState, number: int) -> str:
    if number == NONE:
        return "-"
    return CHARACTERS[number] if s.deal.up >> number & 1 else f"({CHARACTERS[number]})"


def _seat(s: GatsbyState, seat: int) -> str:
    """One seat's floor, supply, specials and characters."""
    hand = " ".join(_character(s, n) for n in range(len(CHARACTERS)) if s.claimed[seat] >> n & 1)
    slot = MAIN_AND_SPECIAL[s.slots[seat]] if s.slots[seat] != NONE else "-"
    aside = " ".join(MAIN_AND_SPECIAL[special] for special in s.aside[seat]) or "-"
    supply = TOKENS - s.tokens[seat].bit_count()
    return (
        f"{seat} {NAMES[seat]:8}floor {s.floors[seat]:2}  tokens {supply:2}  special {slot:3}  "
        f"aside {aside}  characters {hand or '-'}"
    )


def tell(state: GatsbyState, action: int) -> str:
    """A sentence for the action that is about to be taken."""
    who, text = NAMES[state.turn], actions.format_action(action)
    head, _, tail = text.partition(":")
    if action in (actions.STAY, actions.EXCHANGE):
        return f"{who} {'swaps the two characters' if tail == 'swap' else 'puts the two characters back'}."
    if tail:
        return f"{who} {_PHRASES[head].format(tail)}."
    if action < actions.PUT:
        steps = ", ".join(_STEP_WORDS[step] for step in ACTION_STEPS[action])
        return f"{who} moves the marker to {text} ({steps})."
    if actions.LANE <= action < actions.SWAP:
        return f"{who} puts a token on track {text[1:]}."
    return f"{who} puts a token on {text}."


_STEP_WORDS = {
    "cabaret": "cabaret",
    "cabaret_next": "cabaret next to it",
    "cabaret_any": "cabaret anywhere",
    "advance": "advance",
    "track": "racetrack",
    "track_same": "same track",
    "track_cell": "any cell of a track",
    "swap_own": "swap tokens",
    "exchange_first": "exchange characters",
}
_PHRASES = {
    "s": "swaps the token on {}",
    "x": "takes up the character of {}",
    "take": "takes bonus {}",
    "skip": "skips bonus {}",
    "pick": "picks {}",
    "keep": "keeps {} and sets the other special aside",
    "force": "chooses {} as the other seat's next action",
}
