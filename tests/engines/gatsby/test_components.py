"""What is in the box and how the places are printed."""

from __future__ import annotations

from engines.gatsby.game import GAME
from engines.gatsby.tables import CHARACTERS, FAMILIES, SPECIALS, STARS, TOKENS, printed_bonuses, turned
from tests.engines.gatsby.scene import BONUSES, legal, play, scene, see

FLAT = tuple((tile, 0) for tile in range(4))


def test_five_families_of_three_have_the_stars_of_the_page() -> None:
    """GA 1.1"""
    stars = {family: sorted(STARS[n] for n, c in enumerate(CHARACTERS) if c.startswith(family)) for family in FAMILIES}
    assert stars == {
        "blue": [0, 2, 3],
        "red": [1, 1, 3],
        "green": [1, 2, 2],
        "yellow": [0, 2, 3],
        "purple": [1, 1, 3],
    }


def test_each_seat_has_twenty_tokens_and_starts_on_the_ground_floor() -> None:
    """GA 1.2"""
    state = GAME.new(seed=1)
    assert TOKENS == 20
    assert see(state, "supply") == [20, 20]
    assert see(state, "floors") == [0, 0]


def test_there_are_eleven_specials_and_each_is_somewhere_once() -> None:
    """GA 1.3"""
    state = GAME.new(seed=1)
    assert len(SPECIALS) == 11
    everywhere = see(state, "deck") + see(state, "pending")["drawn"]
    assert sorted(everywhere) == sorted(f"S{n}" for n in range(1, 12))


def test_one_marker_serves_both_seats() -> None:
    """GA 1.4"""
    state = play(scene(), "M3 t1")
    assert see(state, "marker", 0) == see(state, "marker", 1) == "M3"
    assert legal(state) == ["M1", "M2", "M4"]


def test_a_quarter_turn_moves_a_cell_as_the_page_says() -> None:
    """GA 2.1"""
    assert [turned(0, 2, k) for k in range(5)] == [(0, 2), (2, 2), (2, 0), (0, 0), (0, 2)]
    assert [turned(2, 1, k) for k in range(4)] == [(2, 1), (1, 0), (0, 1), (1, 2)]
    assert {turned(1, 1, k) for k in range(4)} == {(1, 1)}


def test_tiles_show_their_bonuses_on_their_quadrants() -> None:
    """GA 2.1"""
    assert see(scene(), "bonuses") == BONUSES
    assert printed_bonuses(FLAT) != printed_bonuses(((0, 1), *FLAT[1:]))


def test_every_new_cabaret_is_its_tiles_turned_and_has_its_circles_in_the_middle() -> None:
    """GA 2.1"""
    for seed in range(40):
        rows = GAME.new(seed=seed).observe(None)["bonuses"]
        assert [(r, c) for r in range(6) for c in range(6) if rows[r][c] == "o"] == [(1, 1), (1, 4), (4, 1), (4, 4)]
        assert sorted("".join(rows)) == sorted("".join(BONUSES))


def test_tiles_come_to_lie_on_all_quadrants_with_all_turns() -> None:
    """GA 2.1"""
    seen = {
        (quadrant, tile, turns)
        for seed in range(400)
        for quadrant, (tile, turns) in enumerate(GAME.new(seed=seed).observe(None)["tiles"])
    }
    assert len(seen) == 4 * 4 * 4
