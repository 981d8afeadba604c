"""SE 7.4: what a seat can imagine of the enemy's pieces, and how often."""

from __future__ import annotations

import copy
from collections import Counter, deque
from itertools import permutations
from random import Random

import pytest

from engines import GAMES, InvalidObservation
from engines.speak_easy.state import SpeakEasyState
from engines.speak_easy.tables import PLACES, mask_of
from tests.engines.playing import play_on, positions, setups_of, walk
from tests.engines.speak_easy.setting import NORTH, SOUTH, placed, play

GAME = GAMES["speak_easy"]
SETUP = setups_of("speak_easy")[0]
# the 99.9 % points of chi-square by degrees of freedom
CRITICAL = {1: 10.83, 9: 27.88, 23: 49.73, 167: 230.0}


def chi_square(counts: Counter, cases: int) -> float:
    expected = counts.total() / cases
    return sum((count - expected) ** 2 / expected for count in counts.values()) + expected * (cases - len(counts))


def imagined(view: dict, draws: int) -> list[dict[str, str]]:
    """Enemy kinds by home in many imagined states."""
    rng = Random(2024)
    kinds = []
    for _ in range(draws):
        pieces = GAME.imagine(view, rng).observe(None)["pieces"]
        kinds.append({piece["home"]: piece["kind"] for piece in pieces if piece["seat"] != view["seat"]})
    return kinds


def test_the_speakeasy_is_as_likely_on_each_bar_and_babes_on_each_set_of_rear_cells() -> None:
    """SE 7.4"""
    seen = imagined(play(placed(), "b6-b5").observe(0), 4000)
    spots = Counter(tuple(sorted((k, home) for home, k in kinds.items() if k in "SB")) for kinds in seen)
    assert len(spots) == 168  # 2 bars x 3 of the 9 other rear cells
    assert chi_square(spots, 168) < CRITICAL[167]


def test_the_rest_stand_in_any_order() -> None:
    """SE 7.4"""
    seen = imagined(placed().observe(0), 3000)
    on_a7 = Counter(kinds["a7"] for kinds in seen)
    weights = {"8": 1, "7": 1, "6": 2, "5": 2, "4": 2, "3": 2, "2": 3, "1": 3, "K": 3, "F": 2}
    expected = {code: 3000 * weight / 21 for code, weight in weights.items()}
    assert sum((on_a7[code] - expected[code]) ** 2 / expected[code] for code in weights) < CRITICAL[9]
    assert set(on_a7) == set(weights)


def nearly_known() -> SpeakEasyState:
    """A late position in which seat 0 has seen all but six of the enemy's pieces."""
    hidden = mask_of(PLACES[1])
    late = (state for state in walk(SETUP, 1) if (hidden & ~state.shown).bit_count() == 6)
    return next(state for state in late if state.to_act == 0)


def test_every_arrangement_of_a_small_case_occurs_with_the_right_frequency() -> None:
    """SE 7.4"""
    view = nearly_known().observe(0)
    fitting = fitting_arrangements(view)
    seen = Counter(tuple(sorted(kinds.items())) for kinds in imagined(view, 1200))
    assert len(fitting) == 24
    assert set(seen) == fitting
    assert chi_square(seen, 24) < CRITICAL[23]


def fitting_arrangements(view: dict) -> set[tuple[tuple[str, str], ...]]:
    """All ways to give the enemy's unknown pieces the kinds that are left, by trying every order."""
    enemy = [piece for piece in view["pieces"] if piece["seat"] != view["seat"]]
    known = {piece["home"]: piece["kind"] for piece in enemy if piece["kind"]}
    unknown = [piece for piece in enemy if not piece["kind"]]
    left = Counter(SOUTH) - Counter(known.values())
    orders = set(permutations(left.elements()))
    fitting = [kinds for kinds in orders if all(could_be(p, k) for p, k in zip(unknown, kinds, strict=True))]
    homes = [piece["home"] for piece in unknown]
    return {tuple(sorted((known | dict(zip(homes, kinds, strict=True))).items())) for kinds in fitting}


def could_be(piece: dict, kind: str) -> bool:
    if piece["ran"]:
        return kind == "K"
    if piece["moved"]:
        return kind not in "BS"
    on_bar, in_rear = piece["home"] in ("b1", "d1", "b12", "d12"), piece["home"][1:] in ("1", "2", "11", "12")
    return {"S": on_bar, "B": in_rear}.get(kind, True)


def test_what_is_known_of_a_piece_is_kept() -> None:
    """SE 7.4"""
    for state in positions(SETUP, 71, 12):
        view = state.observe(1)
        for kinds in imagined(view, 5):
            for piece in view["pieces"]:
                assert piece["seat"] == 1 or could_be(piece, kinds[piece["home"]])
                assert piece["seat"] == 1 or piece["kind"] in (None, kinds[piece["home"]])


def test_during_setup_the_cells_filled_are_those_of_a_full_legal_placement() -> None:
    """SE 7.4"""
    view = play(GAME.new(), *SOUTH, *NORTH[:4]).observe(0)
    seen = imagined(view, 600)
    speakeasies = Counter(home for kinds in seen for home, kind in kinds.items() if kind == "S")
    assert set(speakeasies) == {"b12", "d12"}
    assert chi_square(speakeasies, 2) < CRITICAL[1]
    assert {tuple(kinds) for kinds in seen} == {("a12", "b12", "c12", "d12")}


def ended_by_no_move(loser: int) -> SpeakEasyState:
    for seed in range(300):
        *_, state = walk(SETUP, seed)
        if state.ending == "no_move" and state.winner != loser and state.pieces[loser] & state.loose:
            return state
    raise AssertionError("no such game")


@pytest.mark.parametrize("loser", [0, 1])
def test_an_enemy_that_lost_without_a_move_is_imagined_without_a_move(loser: int) -> None:
    """SE 7.4, SE 6.2"""
    state = ended_by_no_move(loser)
    view = state.observe(1 - loser)
    for number in range(60):
        assert GAME.imagine(view, Random(number)).observe(1 - loser) == view


def test_an_enemy_that_is_to_move_is_imagined_with_a_move() -> None:
    """SE 7.4, SE 6.2"""
    for seed in range(12):
        for state in list(walk(SETUP, seed))[-3:]:
            for number in range(20):
                again = GAME.imagine(state.observe(0), Random(number))
                assert again.outcome() == state.outcome()
                assert again.to_act == state.to_act


def test_imagined_games_have_futures_of_their_own() -> None:
    """SE 7.4"""
    view = placed().observe(0)
    ends = {str(play_on(GAME.imagine(view, Random(n)), Random(1)).snapshot()["placements"]) for n in range(5)}
    assert len(ends) == 5


def bent(view: dict, **changes: object) -> dict:
    return {**copy.deepcopy(view), **changes}


def log_with(view: dict, ply: int, text: str) -> dict:
    log = [*view["log"]]
    log[ply] = text
    return bent(view, log=log)


@pytest.mark.parametrize(
    ("ply", "text", "reason"),
    [
        (0, "0 ?", "placement on a1"),
        (0, "1 B", "placement on a1"),
        (25, "1 B", "placement on a12"),
        (3, "0 K", "can't have placed"),
        (0, "0 S", "S can't have been placed on a1"),
        (24, "0 7", "can't have placed"),
        (50, "0 a6-a7", "or a7 holds one"),
        (50, "0 b6-b5 6x1", "no such pieces met on b5"),
        (50, "0 a7-a6 5x5", "no such pieces met on a6"),
        (50, "1 b6-b5", "a move of seat 0 reads"),
        (50, "0 b6-b9", "a move of seat 0 reads"),
        (50, "0 c6-c7 5x6", "can't be 5"),
        (50, "0 c6-c7 6xS", "can't be S"),
        (50, "0 c6-c7 6xB", "can't be B"),
        (50, "0 c1-b2", "a move of seat 0 reads"),
        (50, "0 a2-a1", "or a1 holds one"),
        (50, "0 a6-e6", "or e6 holds one"),
        (50, "0 a6-a8 5x1", "the way was blocked"),
        (50, "0 a1-b1", "or b1 holds one"),
        (52, "0 b6-c6 6x6", "no such pieces met on c6"),
    ],
)
def test_a_log_that_cannot_have_happened_is_refused_with_the_entry(ply: int, text: str, reason: str) -> None:
    view = play(placed(), "c6-c7", "b7-b8", "b6-b5").observe(0)
    with pytest.raises(InvalidObservation, match=reason):
        GAME.imagine(log_with(view, ply, text), Random(1))


def shown_as(state: SpeakEasyState, codes: dict[str, str]) -> dict:
    """What seat 0 sees, with the faces of enemy pieces that were met written over in the log."""
    view = state.observe(0)
    return bent(view, log=[codes.get(entry, entry) for entry in view["log"]])


def test_an_enemy_that_shows_more_pieces_of_a_kind_than_it_has_is_refused() -> None:
    state = play(placed(), "e6-e7", "a7-a6", "c6-c7", "b7-b8")
    view = shown_as(state, {"0 e6-e7 8x5": "0 e6-e7 8x7", "0 c6-c7 6x6": "0 c6-c7 6x7"})
    with pytest.raises(InvalidObservation, match="seat 1 has shown more pieces of a kind than it has"):
        GAME.imagine(view, Random(1))


def test_a_log_that_goes_on_after_the_end_is_refused() -> None:
    lasts = (deque(walk(SETUP, seed), maxlen=1).pop() for seed in range(60))
    view = next(state for state in lasts if state.ending == "speakeasy").observe(0)
    with pytest.raises(InvalidObservation, match="the game was over by then"):
        GAME.imagine(bent(view, log=[*view["log"], "0 a6-a7"]), Random(1))


def test_an_enemy_whose_bars_have_both_moved_is_refused() -> None:
    state = play(placed(), "b6-b5", "b11-b10", "b5-b6", "d11-d10", "b6-b5")
    log = [*state.observe(0)["log"], "1 b12-b11", "0 b5-b6", "1 d12-d11"]
    with pytest.raises(InvalidObservation, match="no place left for its Speakeasy"):
        GAME.imagine(bent(state.observe(0), log=log), Random(1))


def test_a_log_in_which_a_babe_moves_is_refused() -> None:
    """SE 7.4, SE 4.9"""
    view = play(placed(), "a2-b3", "b7-b8", "b6-b5").observe(0)
    with pytest.raises(InvalidObservation, match="the piece from a1 did what B can't"):
        GAME.imagine(log_with(view, 52, "0 a1-a2"), Random(1))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seat", None), ("seat", 2), ("seat", True), ("first", 2), ("first", True), ("log", "x"), ("log", [1]),
        ("log", ["0 ?"] * 2000), ("ply", 52), ("moves", 4), ("quiet", 9), ("to_act", 0), ("phase", "setup"),
        ("pending", {}), ("outcome", {"ending": "no_move"}), ("seats", 3), ("options", {"a": 1}), ("pieces", []),
        ("confrontations", []), ("unplaced", [{}, {}]),
    ],
)  # fmt: skip
def test_a_field_that_contradicts_the_log_is_refused_by_name(field: str, value: object) -> None:
    view = play(placed(), "c6-c7", "b7-b8", "b6-b5").observe(0)
    with pytest.raises(InvalidObservation, match=field if field != "outcome" else "move"):
        GAME.imagine(bent(view, **{field: value}), Random(1))


def test_an_unknown_field_is_refused_by_name() -> None:
    with pytest.raises(InvalidObservation, match="jazz"):
        GAME.imagine(bent(placed().observe(0), jazz=1), Random(1))
