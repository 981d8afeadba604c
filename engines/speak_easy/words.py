"""Speak Easy in plain English: seats, endings, actions as sentences, the map as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from engines.api import Json, Observation, State, Words
from engines.speak_easy.position import Position
from engines.speak_easy.tables import (
    ATTACKER,
    BOTH,
    CELL_OF,
    CODES,
    COLUMNS,
    COUNTS,
    DEFENDER,
    GROUND,
    KIND_NAMES,
    KIND_OF,
    PLY_LIMIT,
    QUIET_LIMIT,
    RESULTS,
    ROWS,
    VALUES,
    WIN,
)

SEATS = ("South", "North")
_MARKS = {ATTACKER: "capture", DEFENDER: "loss", BOTH: "exchange"}
_EMPTY = {"street": " . ", "alley": " , ", "building": "[ ]", "bar": "( )"}
_DASH = (" ", "'")  # what stands after a piece of each seat
_EDGE = {"street": " ", "alley": " ", "building": "[", "bar": "("}


class SpeakEasyWords(Words):
    """Reads what is told from observations alone, so that it tells a viewer nothing new."""

    gist: ClassVar[str] = (
        "Bluff and fight through a city with 25 hidden pieces a side: enter the enemy's Speakeasy to win."
    )
    endings: ClassVar[Mapping[str, str]] = {
        "speakeasy": "by entering the Speakeasy",
        "no_move": "by leaving the enemy without a move",
        "quiet": f"after {QUIET_LIMIT} moves in a row without a removal",
        "ply_limit": f"after {PLY_LIMIT:,} moves",
    }

    def seat_name(self, seat: int, seats: int) -> str:
        return SEATS[seat]

    def sentence(self, entry: str, before: Observation, after: Observation, names: Sequence[str]) -> str:
        seat, text, *met = entry.split()
        who, enemy = names[int(seat)], names[1 - int(seat)]
        if "-" not in text:
            what = "a hidden piece" if text == "?" else f"{_article(text)} {_call(text)}"
            return f"{who} places {what} on {before['pending']['place']}."
        done = _confrontation(text, met[0], enemy) if met else _quiet_move(text, before, after)
        return f"{who}'s {done}.{_how_it_ended(after, names)}"

    def asked(self, observation: Observation, names: Sequence[str]) -> str:
        if observation["to_act"] is None:
            return "The game is over."
        who = names[observation["to_act"]]
        if observation["pending"] is None:
            return f"{who} has to choose a move."
        return f"{who} has to choose a piece to place on {observation['pending']['place']}."

    def offer(self, text: str, observation: Observation, names: Sequence[str]) -> str:
        if observation["pending"] is not None:
            return f"Places {_article(text)} {_call(text)} on {observation['pending']['place']}."
        start, _, end = text.partition("-")
        mover, met = _piece_on(start, observation), _piece_at(end, observation)
        return _attack(mover, met, text) if met else _step(mover, text)

    def mark(self, entry: str, before: Observation, after: Observation) -> str | None:
        if after["phase"] == "over":
            return "end"
        met = entry.split()[2:]
        return _MARKS[_result(met[0])] if met else None

    def board(self, observation: Observation) -> str:
        """The map with South's pieces plain and North's with a dash, the pieces lost and the counters."""
        standing = {piece["cell"]: piece for piece in observation["pieces"] if piece["cell"]}
        lines = ["     " + "   ".join(COLUMNS)]
        for row in range(ROWS, 0, -1):
            cells = [f"{column}{row}" for column in COLUMNS]
            lines.append((f"{row:3} " + " ".join(_square(cell, standing.get(cell)) for cell in cells)).rstrip())
            if row == ROWS // 2 + 1:
                lines.append("     |       |       |")
        lines += [f"{name} lost: {_lost(observation, seat) or '-'}" for seat, name in enumerate(SEATS)]
        lines.append(
            f"{observation['moves']} moves, {observation['quiet']} of them in a row without a removal; "
            f"{_whose_turn(observation)}"
        )
        return "\n".join(lines)

    def turn_order(self, state: State) -> tuple[int, ...]:
        assert isinstance(state, Position)
        return state.first, 1 - state.first


# --- sentences ---


def _call(code: str) -> str:
    """A kind by its name, with its value where it has one: `Boss (8)`."""
    kind = KIND_OF[code]
    return f"{KIND_NAMES[kind]} ({VALUES[kind]})" if VALUES[kind] else KIND_NAMES[kind]


def _article(code: str) -> str:
    kind = KIND_OF[code]
    if COUNTS[kind] == 1:
        return "the"
    return "an" if KIND_NAMES[kind][0] in "AF" else "a"  # an FBI


def _call_piece(piece: Json) -> str:
    """A piece as far as the viewer knows it; one that ran is a Kid, shown or not (SE 7.4)."""
    if piece["kind"] is None:
        return "Kid" if piece["ran"] else "hidden piece"
    return _call(piece["kind"])


def _result(met: str) -> str:
    """What came of a confrontation like `8x3`."""
    mover, _, other = met.partition("x")
    return RESULTS[KIND_OF[mover]][KIND_OF[other]] or ""


def _confrontation(text: str, met: str, enemy: str) -> str:
    start, _, end = text.partition("-")
    mover, _, other = met.partition("x")
    mine, theirs = f"{_call(mover)} from {start}", f"{enemy}'s {_call(other)} on {end}"
    result = _result(met)
    if result == WIN:
        return f"{mine} enters {theirs} and wins the game"
    if result == ATTACKER:
        return f"{mine} takes {theirs}"
    return f"{mine} attacks {theirs}" + (" and is lost" if result == DEFENDER else ": both are removed")


def _quiet_move(text: str, before: Observation, after: Observation) -> str:
    start, _, end = text.partition("-")
    was, now = _piece_on(start, before), _piece_on(end, after)
    shelter = ", into a building, where it is safe" if GROUND[CELL_OF[end]] == "building" else ""
    hint = ", as only a Kid can" if now["ran"] and not was["ran"] and was["kind"] is None else ""
    return f"{_call_piece(was)} goes from {start} to {end}{shelter}{hint}"


def _attack(mover: Json, met: Json, text: str) -> str:
    start, _, end = text.partition("-")
    what = f"Attacks the {_call_piece(met)} on {end} with the {_call_piece(mover)} from {start}."
    if met["kind"] is not None:
        result = _MARKS.get(RESULTS[KIND_OF[mover["kind"]]][KIND_OF[met["kind"]]] or "", "")
        return f"{what} {_PROMISES[result]}" if result else what
    if met["ran"]:
        return what
    return f"{what} It has {'moved, so it is neither Babe nor Speakeasy' if met['moved'] else 'not moved yet'}."


_PROMISES = {"capture": "You take it.", "loss": "You lose yours.", "exchange": "Both are removed."}


def _step(mover: Json, text: str) -> str:
    start, _, end = text.partition("-")
    shelter = ", into a building, where it is safe" if GROUND[CELL_OF[end]] == "building" else ""
    return f"Moves the {_call_piece(mover)} from {start} to {end}{shelter}."


def _piece_at(cell: str, seen: Observation) -> Json | None:
    return next((piece for piece in seen["pieces"] if piece["cell"] == cell), None)


def _piece_on(cell: str, seen: Observation) -> Json:
    return next(piece for piece in seen["pieces"] if piece["cell"] == cell)


def _how_it_ended(after: Observation, names: Sequence[str]) -> str:
    """What ended the game where the move itself doesn't say so."""
    if after["outcome"] is None or after["outcome"]["ending"] == "speakeasy":
        return ""
    if after["outcome"]["ending"] == "no_move":
        winner = after["outcome"]["ranks"].index(1)
        return f" {names[1 - winner]} has no move left, so {names[winner]} wins."
    is_quiet = after["outcome"]["ending"] == "quiet"
    count = f"{QUIET_LIMIT} moves in a row without a removal" if is_quiet else f"move {PLY_LIMIT:,}"
    return f" That is {count}: the game is drawn."


# --- the map ---


def _square(cell: str, piece: Json | None) -> str:
    ground = GROUND[CELL_OF[cell]]
    if piece is None:
        return _EMPTY[ground]
    return f"{_EDGE[ground]}{piece['kind'] or '?'}{_DASH[piece['seat']]}"


def _lost(seen: Observation, seat: int) -> str:
    """The codes of the seat's pieces that were removed, all of which were shown."""
    gone = [piece["kind"] for piece in seen["pieces"] if piece["seat"] == seat and piece["cell"] is None]
    return " ".join(sorted(gone, key=CODES.index))


def _whose_turn(seen: Observation) -> str:
    if seen["to_act"] is not None:
        return f"{SEATS[seen['to_act']]} to {'place' if seen['phase'] == 'setup' else 'move'}"
    outcome = seen["outcome"]
    if outcome["ranks"] == [1, 1]:
        return f"drawn ({outcome['ending']})"
    return f"{SEATS[outcome['ranks'].index(1)]} has won ({outcome['ending']})"
