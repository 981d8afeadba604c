"""The printed game, loaded once from data/: characters, tiles, places, floors, tracks, actions and bonuses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial

from engines.printed import read_table

NONE = -1

rows = partial(read_table, "gatsby")


COUNTS = {row["what"]: int(row["number"]) for row in rows("counts")}
SIDE = COUNTS["cabaret_side"]
TILE_SIDE = COUNTS["tile_side"]
TOKENS = COUNTS["influence_tokens"]
TOP_FLOOR = COUNTS["top_floor"]
DRAWN_AT_SETUP = COUNTS["drawn_at_setup"]
DRAWN_BY_BONUS = COUNTS["drawn_by_bonus"]
SLOW_ADVANCE = COUNTS["slow_advance"]
FAST_ADVANCE = COUNTS["fast_advance"]
SPECIAL_POINTS = COUNTS["special_points"]

# Characters: 0 to 14; sets of them are masks.
_characters = rows("characters")
CHARACTERS = tuple(row["id"] for row in _characters)
CHARACTER_NUMBER = {name: number for number, name in enumerate(CHARACTERS)}
STARS = tuple(int(row["stars"]) for row in _characters)
FAMILIES = tuple(dict.fromkeys(row["family"] for row in _characters))
FAMILY_MASKS = tuple(
    sum(1 << number for number, row in enumerate(_characters) if row["family"] == family) for family in FAMILIES
)

# Bonuses: 0 to 5.
BONUSES = tuple(row["id"] for row in rows("bonuses"))
BONUS_NUMBER = {letter: number for number, letter in enumerate(BONUSES)}

# Tracks: 0 to 4; cells of the whole table: the cabaret row by row, then the tracks from the left.
CABARET_CELLS = SIDE * SIDE
TRACK_LENGTHS = tuple(int(row["length"]) for row in rows("tracks"))
TRACKS = len(TRACK_LENGTHS)
TRACK_START = tuple(CABARET_CELLS + sum(TRACK_LENGTHS[:track]) for track in range(TRACKS))
TRACK_MASK = tuple(((1 << length) - 1) << start for start, length in zip(TRACK_START, TRACK_LENGTHS, strict=True))
CELLS = CABARET_CELLS + sum(TRACK_LENGTHS)
TRACK_OF = (NONE,) * CABARET_CELLS + tuple(track for track in range(TRACKS) for _ in range(TRACK_LENGTHS[track]))
CELL_NAMES = tuple(f"c{row}{column}" for row in range(SIDE) for column in range(SIDE)) + tuple(
    f"t{track + 1}{cell + 1}" for track in range(TRACKS) for cell in range(TRACK_LENGTHS[track])
)
CELL_NUMBER = {name: cell for cell, name in enumerate(CELL_NAMES)}
CABARET_MASK = (1 << CABARET_CELLS) - 1
ALL_TRACKS = (1 << TRACKS) - 1
TRACK_BONUSES = {
    TRACK_START[int(row["track"]) - 1] + int(row["cell"]) - 1: BONUS_NUMBER[row["bonus"]]
    for row in rows("track_bonuses")
}


def _neighbours(cell: int) -> int:
    """The cabaret cells next to this one, orthogonally."""
    row, column = divmod(cell, SIDE)
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return sum(1 << (r * SIDE + c) for r, c in around if 0 <= r < SIDE and 0 <= c < SIDE)


NEAR = tuple(_neighbours(cell) for cell in range(CABARET_CELLS))

# LEFTMOST[track][tokens of that track] is its leftmost empty cell.
LEFTMOST = tuple(
    tuple(next((start + i for i in range(length) if not filled >> i & 1), NONE) for filled in range(1 << length))
    for start, length in zip(TRACK_START, TRACK_LENGTHS, strict=True)
)


# The four tiles and what is printed on them.
@dataclass(frozen=True, slots=True)
class Tile:
    """One cabaret tile as printed: the circle and the bonus of each (row, column)."""

    name: str
    circles: tuple[tuple[int, int], ...]
    bonuses: tuple[tuple[int, int, int], ...]


def _tiles() -> tuple[Tile, ...]:
    """The tiles, built from the rows of their marked cells."""
    marks = [(row["tile"], int(row["row"]), int(row["column"]), row["mark"]) for row in rows("tiles")]
    return tuple(
        Tile(
            name,
            tuple((r, c) for tile, r, c, mark in marks if tile == name and mark == "o"),
            tuple((r, c, BONUS_NUMBER[mark]) for tile, r, c, mark in marks if tile == name and mark != "o"),
        )
        for name in dict.fromkeys(tile for tile, *_ in marks)
    )


TILES = _tiles()
TILE_NUMBER = {tile.name: number for number, tile in enumerate(TILES)}
QUADRANTS = tuple((row, column) for row in range(0, SIDE, TILE_SIDE) for column in range(0, SIDE, TILE_SIDE))


def turned(row: int, column: int, turns: int) -> tuple[int, int]:
    """Where a cell of a tile comes to lie after some quarter turns (GA 2.1)."""
    for _ in range(turns):
        row, column = column, TILE_SIDE - 1 - row
    return row, column


def _circles() -> int:
    """The circle cells; they lie in the middle of the tiles, so no turn moves them (GA 2.1)."""
    cells = {(top + r) * SIDE + left + c for tile in TILES for r, c in tile.circles for top, left in QUADRANTS}
    return sum(1 << cell for cell in cells)


CIRCLES = _circles()


@lru_cache(maxsize=256)
def printed_bonuses(tiles: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """The bonus of each cell of cabaret and tracks, for tiles that lie so."""
    prints = [TRACK_BONUSES.get(cell, NONE) for cell in range(CELLS)]
    for (top, left), (tile, turns) in zip(QUADRANTS, tiles, strict=True):
        for row, column, bonus in TILES[tile].bonuses:
            r, c = turned(row, column, turns)
            prints[(top + r) * SIDE + left + c] = bonus
    return tuple(prints)


@lru_cache(maxsize=256)
def printed_rows(tiles: tuple[tuple[int, int], ...]) -> tuple[str, ...]:
    """What is printed on each row of the cabaret: a bonus, `o` for a circle or `.` for nothing."""
    marks = [
        BONUSES[bonus] if bonus != NONE else "o" if CIRCLES >> cell & 1 else "."
        for cell, bonus in enumerate(printed_bonuses(tiles)[:CABARET_CELLS])
    ]
    return tuple("".join(marks[row * SIDE : row * SIDE + SIDE]) for row in range(SIDE))


# Places of characters: 0 to 11.
_places = rows("places")
PLACES = tuple(row["id"] for row in _places)
PLACE_NUMBER = {name: number for number, name in enumerate(PLACES)}
FACE_UP = tuple(row["face"] == "up" for row in _places)
SITES = tuple(dict.fromkeys(row["site"] for row in _places))
SITE_PLACES = tuple(tuple(n for n, row in enumerate(_places) if row["site"] == site) for site in SITES)
OUTRANKS = tuple((n, PLACE_NUMBER[row["outranks"]]) for n, row in enumerate(_places) if row["outranks"])


def _places_claimed_by(claim: str) -> tuple[tuple[int, int], ...]:
    """The places with this way of claiming, each with its floor or track number."""
    return tuple((n, int(row["number"])) for n, row in enumerate(_places) if row["claim"] == claim)


ROWS_PLACE = _places_claimed_by("rows")[0][0]
COLUMNS_PLACE = _places_claimed_by("columns")[0][0]
CIRCLES_PLACE = _places_claimed_by("circles")[0][0]
FLOOR_PLACES = _places_claimed_by("floor")
TRACK_PLACES = tuple(n for n, _ in _places_claimed_by("track"))
BOX = len(CHARACTERS) - len(PLACES)

# Floors: the bonus of each floor, and the place whose character must be gone before it can be used (GA 2.3).
_floor_bonuses = {int(row["floor"]): row for row in rows("floor_bonuses")}
_place_on_floor = {floor: place for place, floor in FLOOR_PLACES}
FLOOR_BONUS = tuple(
    BONUS_NUMBER[_floor_bonuses[floor]["bonus"]] if floor in _floor_bonuses else NONE for floor in range(TOP_FLOOR + 1)
)
FLOOR_COVER = tuple(
    _place_on_floor[floor] if floor in _floor_bonuses and _floor_bonuses[floor]["who"] == "second" else NONE
    for floor in range(TOP_FLOOR + 1)
)

# Main actions 0 to 3 and specials 4 to 14; their steps by name.
_actions = rows("actions")
MAIN_AND_SPECIAL = tuple(row["id"] for row in _actions)
ACTION_NUMBER = {name: number for number, name in enumerate(MAIN_AND_SPECIAL)}
ACTION_STEPS = tuple(tuple(row["steps"].split()) for row in _actions)
MAINS = tuple(number for number, row in enumerate(_actions) if row["kind"] == "main")
SPECIALS = tuple(number for number, row in enumerate(_actions) if row["kind"] == "special")
SPECIAL_NUMBER = {MAIN_AND_SPECIAL[number]: number for number in SPECIALS}
