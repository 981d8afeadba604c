"""SE 1 and SE 2: the board and the pieces as printed."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from engines.speak_easy.tables import (
    BIT,
    CELL_NAMES,
    CELL_OF,
    CELLS,
    CODES,
    COUNTS,
    GROUND,
    MOBILE,
    NEIGHBOURS,
    STREET_LINES,
    VALUES,
    side,
)


def near(cell: str) -> set[str]:
    return {CELL_NAMES[other] for other in NEIGHBOURS[CELL_OF[cell]]}


def test_there_are_sixty_cells_in_two_halves_that_mirror_each_other() -> None:
    """SE 1.1"""
    assert len(CELLS) == 60
    for name, ground in zip(CELL_NAMES, GROUND, strict=True):
        opposite = CELL_OF[f"{name[0]}{13 - int(name[1:])}"]
        assert GROUND[opposite] == ground
        assert {side(CELL_OF[name]), side(opposite)} == {0, 1}
    assert [side(CELL_OF[name]) for name in ("a1", "e6", "a7", "e12")] == [0, 0, 1, 1]


def test_the_map_is_the_one_of_the_rules_page() -> None:
    """SE 1.1"""
    rows = ["".join({"building": "H"}.get(g, g[0].upper()) for g in GROUND[5 * r : 5 * r + 5]) for r in range(12)]
    half = ["ABABA", "SSSSS", "SHAHS", "SAHAS", "SHAHS", "SSSSS"]
    assert rows == half + half[::-1]


def test_each_half_has_16_streets_7_alleys_2_bars_and_5_buildings() -> None:
    """SE 1.2"""
    for seat in (0, 1):
        grounds = Counter(GROUND[cell] for cell in CELLS if side(cell) == seat)
        assert grounds == {"street": 16, "alley": 7, "bar": 2, "building": 5}


def test_there_are_133_lines_and_they_lead_both_ways() -> None:
    """SE 1.2"""
    assert sum(len(cells) for cells in NEIGHBOURS) == 2 * 133
    assert all(cell in NEIGHBOURS[other] for cell in CELLS for other in NEIGHBOURS[cell])


def test_only_three_lines_cross_the_middle() -> None:
    """SE 1.2"""
    crossing = {f"{a}6-{b}7" for a in "abcde" for b in "abcde" if f"{b}7" in near(f"{a}6")}
    assert crossing == {"a6-a7", "c6-c7", "e6-e7"}


def test_buildings_have_diagonal_lines_and_other_cells_do_not() -> None:
    """SE 1.2"""
    assert near("b3") == {"a2", "b2", "c2", "a3", "c3", "a4", "b4", "c4"}
    assert near("c3") == {"c2", "b3", "d3", "c4"}
    assert near("b1") == {"a1", "c1", "b2"}
    assert near("b6") == {"a6", "c6", "b5"}


def test_the_streets_have_35_segments_and_run_over_streets_only() -> None:
    """SE 1.3"""
    ends = {(CELL_NAMES[line[0]], CELL_NAMES[line[-1]]) for line in STREET_LINES}
    assert ends == {
        ("a2", "e2"), ("a6", "e6"), ("a7", "e7"), ("a11", "e11"), ("a2", "a11"), ("e2", "e11"), ("c6", "c7"),
    }  # fmt: skip
    assert sum(len(line) - 1 for line in STREET_LINES) == 35
    assert all(GROUND[cell] == "street" for line in STREET_LINES for cell in line)
    assert all(b in NEIGHBOURS[a] for line in STREET_LINES for a, b in pairwise(line))


def test_each_seat_has_25_pieces_of_12_kinds() -> None:
    """SE 2"""
    counts = {"8": 1, "7": 1, "6": 2, "5": 2, "4": 2, "3": 2, "2": 3, "1": 3, "K": 3, "B": 3, "F": 2, "S": 1}
    assert dict(zip(CODES, COUNTS, strict=True)) == counts
    assert sum(COUNTS) == 25
    assert [VALUES[CODES.index(code)] for code in "12345678"] == list(range(1, 9))
    assert [code for code, mobile in zip(CODES, MOBILE, strict=True) if not mobile] == ["S", "B"]


def test_every_cell_has_a_bit_of_its_own() -> None:
    assert sum(BIT) == (1 << 60) - 1
