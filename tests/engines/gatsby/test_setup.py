"""How a game begins."""

from __future__ import annotations

from collections import Counter

from engines.gatsby.deal import dealt_places
from engines.gatsby.game import GAME
from engines.gatsby.tables import CHARACTER_NUMBER, CHARACTERS, PLACES
from tests.engines.gatsby.scene import asked, legal, play, see

FACE_UP = ["K1", "K2", "F5", "F20", "R1", "R5"]


def test_twelve_characters_are_dealt_and_three_leave_the_game_unseen() -> None:
    """GA 3.1"""
    state = GAME.new(seed=3)
    view = state.observe(None)
    up = {place: name for place, name in view["places"].items() if name != "?"}
    assert sorted(up) == sorted(FACE_UP)
    assert sorted([*up.values(), *view["known"].values(), *view["box"]]) == sorted(CHARACTERS)
    assert all(state.observe(seat)["box"] is None and state.observe(seat)["known"] == {} for seat in (0, 1))


def test_every_character_is_dealt_everywhere() -> None:
    """GA 3.1"""
    boxes = Counter(name for seed in range(600) for name in GAME.new(seed=seed).observe(None)["box"])
    assert len(boxes) == 15
    assert max(boxes.values()) < 2 * min(boxes.values())


def places_with(**wanted: str) -> dict[str, str]:
    """The places after a deal in which these characters were dealt to these places."""
    rest = iter(name for name in CHARACTERS if name not in wanted.values())
    deck = [wanted.get(place) or next(rest) for place in PLACES]
    dealt = dealt_places([CHARACTER_NUMBER[name] for name in [*deck, *rest]])
    return {place: CHARACTERS[n] for place, n in zip(PLACES, dealt, strict=True)}


def test_the_better_character_goes_to_the_top_floor_and_to_track_one() -> None:
    """GA 3.2"""
    at = places_with(F5="blue3", F20="red1a", R5="yellow2", R1="purple1a")
    assert (at["F5"], at["F20"], at["R1"], at["R5"]) == ("red1a", "blue3", "yellow2", "purple1a")


def test_equal_or_better_ones_stay_where_they_were_dealt() -> None:
    """GA 3.2"""
    at = places_with(F5="blue3", F20="red3", R5="yellow0", R1="purple1a")
    assert (at["F5"], at["F20"], at["R1"], at["R5"]) == ("blue3", "red3", "purple1a", "yellow0")


def test_the_seat_that_does_not_start_picks_a_special_and_a_circle() -> None:
    """GA 3.3"""
    state = GAME.new(seed=5)
    starter = see(state, "starter")
    drawn = see(state, "pending")["drawn"]
    assert (state.to_act, asked(state)) == (1 - starter, "setup_pick")
    assert sorted(legal(state)) == sorted(f"pick:{special}" for special in drawn)
    play(state, f"pick:{drawn[0]}")
    assert (state.to_act, legal(state)) == (1 - starter, ["c11", "c14", "c41", "c44"])
    play(state, "c14")
    assert (state.to_act, asked(state)) == (starter, "action")
    assert see(state, "slots")[1 - starter] == drawn[0]
    assert see(state, "left_out")[1 - starter] == [drawn[1]]
    assert see(state, "cabaret")[1][4] == str(1 - starter)


def test_either_seat_can_start() -> None:
    """GA 3.3"""
    starts = Counter(GAME.new(seed=seed).observe(None)["starter"] for seed in range(400))
    assert 150 < starts[0] < 250


def test_the_special_not_kept_is_worth_nothing() -> None:
    """GA 3.3"""
    state = GAME.new(seed=5)
    play(state, legal(state)[0])
    assert see(state, "aside") == [[], []]
    assert see(state, "pile") == 9
