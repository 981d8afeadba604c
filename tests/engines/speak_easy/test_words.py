"""The game in plain English, told from what a viewer knows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from engines import GAMES, State
from engines.telling import last_entry
from tests.engines.playing import setups_of, walk
from tests.engines.speak_easy.setting import NORTH, SOUTH, longest_game, placed, play

GAME = GAMES["speak_easy"]
WORDS = GAME.words
NAMES = ("Ann", "Bob")
SETUP = setups_of("speak_easy")[0]
Views = tuple[dict[str, Any], dict[str, Any]]


def told(state: State, text: str, seat: int | None = None) -> str:
    """The sentence for an action as a seat reads it, or all eyes."""
    before = state.observe(seat)
    return sentence((before, play(state, text).observe(seat)))


def sentence(views: Views) -> str:
    return WORDS.sentence(views[1]["log"][-1], *views, NAMES)


def mark(views: Views) -> str | None:
    return WORDS.mark(views[1]["log"][-1], *views)


def last_views(seed: int, seat: int | None = None) -> Views:
    """What was seen before and after the last action of a random game."""
    state, rng, views = GAME.new(seed=seed), Random(seed), []
    while state.to_act is not None:
        views = [*views[-1:], state.observe(seat)]
        state.apply(rng.choice(state.legal_actions()))
    return views[-1], state.observe(seat)


def test_the_seats_have_names() -> None:
    assert [WORDS.seat_name(seat, 2) for seat in (0, 1)] == ["South", "North"]


@pytest.mark.parametrize(
    ("cells", "code", "seat", "what"),
    [
        ("", "B", 0, "Ann places a Babe on a1."),
        ("", "B", 1, "Ann places a hidden piece on a1."),
        ("B", "S", None, "Ann places the Speakeasy on b1."),
        ("BS", "F", 0, "Ann places an FBI on c1."),
        ("BS", "6", 0, "Ann places an Accountant (6) on c1."),
        (SOUTH, "8", 1, "Bob places the Boss (8) on a12."),
        (SOUTH, "8", 0, "Bob places a hidden piece on a12."),
    ],
)
def test_a_placement_names_the_piece_to_its_owner_only(cells: str, code: str, seat: int | None, what: str) -> None:
    assert told(play(GAME.new(), *cells), code, seat) == what


@pytest.mark.parametrize(
    ("text", "seat", "what"),
    [
        ("b6-b5", 0, "Ann's Accountant (6) goes from b6 to b5, into a building, where it is safe."),
        ("b6-b5", 1, "Ann's hidden piece goes from b6 to b5, into a building, where it is safe."),
        ("b6-b5", None, "Ann's Accountant (6) goes from b6 to b5, into a building, where it is safe."),
        ("c6-c7", 1, "Ann's Accountant (6) from c6 attacks Bob's Accountant (6) on c7: both are removed."),
        ("a6-a7", 0, "Ann's Corrupt cop (5) from a6 attacks Bob's Boss (8) on a7 and is lost."),
        ("e6-e7", 1, "Ann's Boss (8) from e6 takes Bob's Corrupt cop (5) on e7."),
    ],
)
def test_a_move_is_told_as_far_as_the_viewer_knows_the_pieces(text: str, seat: int | None, what: str) -> None:
    assert told(placed(), text, seat) == what


def test_a_plain_move_is_told_plainly() -> None:
    state = play(placed(), "b6-b5", "b7-b8")
    assert told(state, "b5-b6", 0) == "Ann's Accountant (6) goes from b5 to b6."
    assert told(state, "b8-b7", 0) == "Bob's hidden piece goes from b8 to b7."


def hidden_runs(seat: int) -> Iterator[tuple[dict[str, Any], Views]]:
    """Quiet moves of an enemy piece that ran, now or before, and was never shown; with the piece before the move."""
    for seed in range(60, 90):
        for before, after in pairwise(state.observe(seat) for state in walk(SETUP, seed)):
            for was, now in zip(before["pieces"], after["pieces"], strict=False):
                if was["cell"] != now["cell"] is not None and now["ran"] and now["kind"] is None:
                    yield was, (before, after)


def test_a_hidden_piece_that_runs_as_only_a_kid_can_is_called_a_kid_from_then_on() -> None:
    first = next(views for was, views in hidden_runs(0) if not was["ran"])
    later = next(views for was, views in hidden_runs(0) if was["ran"])
    assert "Bob's hidden piece goes from" in sentence(first)
    assert sentence(first).endswith(", as only a Kid can.")
    assert "Bob's Kid goes from" in sentence(later)
    assert "as only" not in sentence(later)


@pytest.mark.parametrize(
    ("seed", "ending", "what"),
    [
        (1, "speakeasy", "enters Bob's Speakeasy on b12 and wins the game."),
        (11, "no_move", "Ann has no move left, so Bob wins."),
        (83, "quiet", "That is 100 moves in a row without a removal: the game is drawn."),
    ],
)
def test_the_last_move_tells_how_the_game_ended(seed: int, ending: str, what: str) -> None:
    views = last_views(seed)
    assert views[1]["outcome"]["ending"] == ending
    assert sentence(views).endswith(what)
    assert mark(views) == "end"


def test_the_thousandth_move_tells_that_it_is_the_last() -> None:
    state = longest_game()
    after = state.observe(0)
    assert after["outcome"]["ending"] == "ply_limit"
    before = GAME.restore({**state.snapshot(), "moves": state.snapshot()["moves"][:-1]}).observe(0)
    assert sentence((before, after)).endswith("That is move 1,000: the game is drawn.")


@pytest.mark.parametrize(
    ("ending", "phrase"),
    [
        ("speakeasy", "by entering the Speakeasy"),
        ("no_move", "by leaving the enemy without a move"),
        ("quiet", "after 100 moves in a row without a removal"),
        ("ply_limit", "after 1,000 moves"),
    ],
)
def test_every_ending_has_a_phrase(ending: str, phrase: str) -> None:
    assert WORDS.endings[ending] == phrase
    assert len(WORDS.endings) == 4


@pytest.mark.parametrize(
    ("text", "word"), [("e6-e7", "capture"), ("a6-a7", "loss"), ("c6-c7", "exchange"), ("b6-b5", None)]
)
def test_confrontations_are_marked(text: str, word: str | None) -> None:
    state = placed()
    before = state.observe(1)
    assert mark((before, play(state, text).observe(1))) == word


def test_what_is_asked_names_the_cell_to_fill_or_asks_for_a_move() -> None:
    assert WORDS.asked(GAME.new().observe(1), NAMES) == "Ann has to choose a piece to place on a1."
    assert WORDS.asked(play(GAME.new(), *SOUTH).observe(1), NAMES) == "Bob has to choose a piece to place on a12."
    assert WORDS.asked(placed(first=1).observe(0), NAMES) == "Bob has to choose a move."
    assert WORDS.asked(last_views(1)[1], NAMES) == "The game is over."


@pytest.mark.parametrize("first", [0, 1])
def test_the_first_mover_comes_first_in_turn_order(first: int) -> None:
    """SE 3.1"""
    assert WORDS.turn_order(placed(first=first)) == (first, 1 - first)
    assert WORDS.turn_order(play(placed(first=first), "b6-b5" if first == 0 else "b7-b8")) == (first, 1 - first)


def test_the_board_shows_own_pieces_and_what_was_shown() -> None:
    """SE 7.1"""
    board = WORDS.board(play(placed(first=1), "a7-a6", "b6-b5").observe(0))
    assert board == "\n".join(
        [
            "     a   b   c   d   e",
            " 12  ?' (?'  ?' (?'  ?'",
            " 11  ?'  ?'  ?'  ?'  ?'",
            " 10  ?' [ ]  ?' [ ]  ?'",
            "  9  ?'  ?' [ ]  ?'  ?'",
            "  8  ?' [ ]  ?' [ ]  ?'",
            "  7  .   ?'  ?'  ?'  ?'",
            "     |       |       |",
            "  6  8'  .   6   7   8",
            "  5  4  [6   4  [ ]  5",
            "  4  2   F  [ ]  3   3",
            "  3  1  [ ]  2  [ ]  2",
            "  2  K   K   K   1   1",
            "  1  B  (F   B  (S   B",
            "South lost: 5",
            "North lost: -",
            "2 moves, 1 of them in a row without a removal; North to move",
        ]
    )


@pytest.mark.parametrize(
    ("seed", "last"), [(1, "South has won (speakeasy)"), (11, "North has won (no_move)"), (83, "drawn (quiet)")]
)
def test_the_board_of_a_finished_game_tells_who_has_won(seed: int, last: str) -> None:
    assert WORDS.board(last_views(seed)[1]).endswith(last)


def test_the_board_tells_whose_turn_it_is_to_place() -> None:
    assert WORDS.board(GAME.new().observe(None)).endswith("South to place")
    assert WORDS.board(play(GAME.new(), *SOUTH, *NORTH[:3]).observe(0)).endswith("North to place")


@pytest.mark.parametrize("seat", [0, 1, None])
def test_every_action_of_a_game_can_be_told_to_every_viewer(seat: int | None) -> None:
    for views in pairwise(state.observe(seat) for state in walk(SETUP, 3)):
        said = sentence(views)
        assert said.endswith(".")
        assert "None" not in said
        assert last_entry(*views, "") == views[1]["log"][-1]
        assert mark(views) in (None, "capture", "loss", "exchange", "end")
        assert WORDS.asked(views[1], NAMES).endswith(".")


def test_what_everyone_may_know_can_be_told_as_well() -> None:
    for views in pairwise(state.public() for state in walk(SETUP, 4)):
        assert sentence(views).endswith(".")
        assert "places a hidden piece" in sentence(views) or "-" in views[1]["log"][-1]
        assert WORDS.board(views[1]).startswith("     a")
