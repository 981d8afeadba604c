"""SE 7 and SE 8: what a seat sees, and how actions are written."""

from __future__ import annotations

import json
from random import Random

import pytest

from engines import GAMES, InvalidAction
from engines.speak_easy.tables import CELL_NAMES, PLACES
from tests.engines.playing import play_on, positions, setups_of, walk
from tests.engines.speak_easy.setting import NORTH, SOUTH, longest_game, placed, play, position, seen_at

GAME = GAMES["speak_easy"]
SETUP = setups_of("speak_easy")[0]


def test_a_seat_sees_its_own_kinds_and_of_the_enemy_only_cells_and_whether_they_moved() -> None:
    """SE 7.1"""
    state = play(placed(), "b6-b5", "b7-b8", "b5-b6")
    own = [piece["kind"] for piece in state.observe(0)["pieces"] if piece["seat"] == 0]
    enemy = [piece for piece in state.observe(0)["pieces"] if piece["seat"] == 1]
    assert "".join(own) == SOUTH
    assert {piece["kind"] for piece in enemy} == {None}
    assert [piece["home"] for piece in enemy if piece["moved"]] == ["b7"]
    assert seen_at(state, "b8", 0)["home"] == "b7"
    assert seen_at(state, "b6", 1)["moved"]


def test_a_seat_sees_the_log_the_counts_the_first_mover_and_whose_turn_it_is() -> None:
    """SE 7.1"""
    view = play(placed(first=1), "c7-c6", "b6-b5").observe(0)
    assert view["log"][50:] == ["1 c7-c6 6x6", "0 b6-b5"]
    assert (view["moves"], view["quiet"], view["first"], view["to_act"], view["phase"]) == (2, 1, 1, 1, "play")


def test_a_confrontation_shows_that_very_piece_and_no_other_of_its_kind() -> None:
    """SE 7.1"""
    state = play(placed(first=1), "a7-a6", "b6-b5")
    shown = [piece["home"] for piece in state.observe(0)["pieces"] if piece["seat"] == 1 and piece["kind"]]
    assert shown == ["a7"]


def test_a_piece_is_known_by_its_seat_and_home_in_an_order_that_tells_nothing() -> None:
    """SE 7.2"""
    names = [(0, CELL_NAMES[cell]) for cell in PLACES[0]] + [(1, CELL_NAMES[cell]) for cell in PLACES[1]]
    for state in positions(SETUP, 61, 8):
        for seat in (0, 1):
            pieces = state.observe(seat)["pieces"]
            assert [(piece["seat"], piece["home"]) for piece in pieces] == names[: len(pieces)]
            assert all(set(piece) == {"seat", "home", "cell", "kind", "moved", "ran", "shown"} for piece in pieces)


def test_enemy_placements_are_hidden_in_the_log_and_only_filled_cells_are_seen() -> None:
    """SE 7.3"""
    state = play(GAME.new(), *SOUTH, *NORTH[:3])
    view = state.observe(0)
    assert view["log"] == [f"0 {code}" for code in SOUTH] + ["1 ?"] * 3
    assert [piece["cell"] for piece in view["pieces"][25:]] == ["a12", "b12", "c12"]
    assert {piece["kind"] for piece in view["pieces"][25:]} == {None}
    assert state.observe(1)["log"] == ["0 ?"] * 25 + [f"1 {code}" for code in NORTH[:3]]
    assert state.observe(None)["log"] == [f"0 {code}" for code in SOUTH] + [f"1 {code}" for code in NORTH[:3]]


def test_the_end_of_the_game_shows_nothing_more() -> None:
    """SE 7.3"""
    state = play_on(GAME.new(seed=5), Random(5))
    for seat in (0, 1):
        for piece in state.observe(seat)["pieces"]:
            assert piece["seat"] == seat or (piece["kind"] is not None) == piece["shown"]


@pytest.mark.parametrize(
    "north",
    ["BFBSB" + NORTH[5:], "BSBBF" + NORTH[5:], NORTH[:5] + "1KK1K" + NORTH[10:], NORTH[:20] + "78665"],
    ids=["speakeasy", "babe", "kid", "boss"],
)
def test_enemy_kinds_exchanged_in_secret_change_all_eyes_and_not_the_seat(north: str) -> None:
    """SE 7.1, SE 7.3: a hidden thing is changed in a snapshot, and the seat can't tell."""
    state = play(placed(), "b6-b5", "b7-b8")
    snapshot = state.snapshot()
    snapshot["placements"][1] = north
    secret = GAME.restore(snapshot)
    assert secret.observe(0) == state.observe(0)
    assert secret.observe(None) != state.observe(None)
    assert secret.observe(1) != state.observe(1)
    assert secret.legal_actions() == state.legal_actions()


def test_a_run_with_a_turn_marks_a_kid_and_a_straight_one_does_not() -> None:
    """SE 7.4"""
    assert not play(position("K@a4", "1@e12 S@b12"), "a4-a6").ran
    assert play(position("K@a4", "1@e12 S@b12"), "a4-b6").ran.bit_count() == 1


def test_a_run_round_a_piece_on_the_direct_way_marks_a_kid() -> None:
    """SE 7.4"""
    assert play(position("K@a4", "B@a5 1@e12 S@b12"), "a4-a6").ran.bit_count() == 1
    assert not play(position("K@a4", "B@a5 1@e12 S@b12"), "a4-a5").ran


def test_both_seats_see_who_ran_and_the_kind_stays_unsaid() -> None:
    """SE 7.4"""
    games = (state for seed in range(62, 90) for state in walk(SETUP, seed))
    state = next(state for state in games if state.ran & ~state.shown)
    views = [[piece for piece in state.observe(seat)["pieces"] if piece["ran"]] for seat in (0, 1)]
    assert [piece["home"] for piece in views[0]] == [piece["home"] for piece in views[1]] != []
    hidden = [piece for seat in (0, 1) for piece in views[seat] if piece["seat"] != seat and not piece["shown"]]
    assert {piece["kind"] for piece in hidden} == {None}


def test_what_everyone_may_know_has_no_seat_no_placement_and_only_kinds_that_were_shown() -> None:
    """SE 7.1, SE 7.3"""
    view = play(placed(first=1), "a7-a6", "b6-b5").public()
    assert view["seat"] is None
    assert view["log"] == ["0 ?"] * 25 + ["1 ?"] * 25 + ["1 a7-a6 8x5", "0 b6-b5"]
    assert view["unplaced"] == [None, None]
    assert {piece["home"]: piece["kind"] for piece in view["pieces"] if piece["kind"]} == {"a6": "5", "a7": "8"}


@pytest.mark.parametrize("seed", [61, 62])
def test_what_everyone_may_know_follows_from_what_each_seat_knows(seed: int) -> None:
    """SE 7.4"""
    for state in positions(SETUP, seed, 10):
        for seat in (0, 1):
            assert GAME.imagine(state.observe(seat), Random(seed)).public() == state.public()


@pytest.mark.parametrize(
    ("action", "text"),
    [(0, "S"), (1, "1"), (8, "8"), (9, "K"), (10, "B"), (11, "F"), (1542, "a6-a7"), (3610, "e12-d12")],
)
def test_an_action_is_written_as_the_rules_page_says(action: int, text: str) -> None:
    """SE 8"""
    state = GAME.new()
    assert state.format(action) == text
    assert state.parse(text) == action


@pytest.mark.parametrize(
    "text", ["", "k", "0", "9", "a6a7", "a6-a6", "a1-a12", "b1-b3", "a6-a13", "f1-f2", " a6-a7", "?"]
)
def test_a_text_that_no_action_has_is_invalid(text: str) -> None:
    """SE 8"""
    with pytest.raises(InvalidAction, match="no action of speak_easy"):
        GAME.new().parse(text)


def test_the_longest_game_keeps_its_observation_below_24_kib() -> None:
    state = longest_game()
    assert state.outcome().ending == "ply_limit"
    assert all(17_000 < len(json.dumps(state.observe(seat))) < 24 * 1024 for seat in (0, 1, None))


def test_a_copy_that_goes_its_own_way_tells_its_own_story() -> None:
    state = play(placed(first=1), "b7-b8")
    state.observe(0)  # what has been told is kept, and shared with copies
    twin = play(state.copy(), "b6-b5", "a7-a6")
    twin.observe(0)
    play(state, "a6-a7")
    assert state.observe(0)["log"][50:] == ["1 b7-b8", "0 a6-a7 5x8"]
    assert twin.observe(0)["log"][50:] == ["1 b7-b8", "0 b6-b5", "1 a7-a6 8x5"]
    assert twin.observe(0)["confrontations"] == ["52 a7-a6 8x5 attacker"]


def test_who_changes_an_observation_changes_no_other() -> None:
    state = play(placed(first=1), "a7-a6")
    expected = json.dumps(state.observe(0))
    seen = state.observe(0)
    seen["log"].clear()
    seen["confrontations"].clear()
    seen["pieces"][0].clear()
    assert json.dumps(state.observe(0)) == json.dumps(state.copy().observe(0)) == expected
