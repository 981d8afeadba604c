"""A second, slow reading of the rules of movement, to check the fast one against: cells by name, pieces in a dict."""

from __future__ import annotations

from typing import Any

HALF = ["ABABA", "SSSSS", "SHAHS", "SAHAS", "SHAHS", "SSSSS"]
MAP = HALF + HALF[::-1]
GROUND = {f"{column}{12 - i}": line["abcde".index(column)] for i, line in enumerate(MAP) for column in "abcde"}
DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONALS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def beside(cell: str, across: int, up: int) -> str:
    return f"{chr(ord(cell[0]) + across)}{int(cell[1:]) + up}"


def crosses_a_gap(one: str, other: str) -> bool:
    return one[0] in "bd" and {one[1:], other[1:]} == {"6", "7"}


def is_street_segment(one: str, other: str) -> bool:
    """Streets next to each other, along rows 2, 6, 7, 11, columns a and e, and c6-c7."""
    return GROUND[one] == GROUND[other] == "S" and not crosses_a_gap(one, other)


def steps(cell: str) -> list[str]:
    near = [beside(cell, *way) for way in DIRECTIONS]
    near = [other for other in near if other in GROUND and not crosses_a_gap(cell, other)]
    corners = [beside(cell, *way) for way in DIAGONALS]
    return near + [other for other in corners if other in GROUND and "H" in (GROUND[cell], GROUND[other])]


def straight_runs(cell: str, pieces: dict[str, Any]) -> list[str]:
    ends = []
    for way in DIRECTIONS:
        here, there = cell, beside(cell, *way)
        while there in GROUND and is_street_segment(here, there):
            ends.append(there)
            if there in pieces:
                break
            here, there = there, beside(there, *way)
    return ends


def kid_runs(cell: str, pieces: dict[str, Any]) -> list[str]:
    ends, todo = set(), [cell]
    while todo:
        here = todo.pop()
        for there in (beside(here, *way) for way in DIRECTIONS):
            if there in GROUND and is_street_segment(here, there) and there not in ends | {cell}:
                ends.add(there)
                todo += [there] if there not in pieces else []
    return sorted(ends)


def legal_moves(view: dict[str, Any]) -> list[str]:
    """The moves of the seat to act, from an observation with all eyes."""
    pieces = {piece["cell"]: piece for piece in view["pieces"] if piece["cell"]}
    moves = set()
    for cell, piece in pieces.items():
        if piece["seat"] != view["to_act"] or piece["kind"] in "BS":
            continue
        ends = steps(cell) + straight_runs(cell, pieces)
        ends += kid_runs(cell, pieces) if piece["kind"] == "K" else []
        for end in ends:
            other = pieces.get(end)
            if other is None or (other["seat"] != piece["seat"] and GROUND[end] != "H"):
                moves.add(f"{cell}-{end}")
    return sorted(moves)
