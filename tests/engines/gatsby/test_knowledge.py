"""What a seat sees and remembers, and what it can imagine."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest

from engines import InvalidObservation, InvalidSnapshot
from engines.gatsby.game import GAME
from engines.gatsby.scoring import winning_set
from engines.gatsby.state import GatsbyState
from tests.engines.gatsby.scene import BOX, legal, play, scene, see

X_NEXT = ("01...", ".....", ".....", "01.", "...")  # t1 and t4 fire X


def test_the_public_things_look_the_same_to_all() -> None:
    """GA 7.1"""
    state = play(scene(slots=("S3", "S4"), aside=(("S5",), ()), floors=(3, 4)), "M3 t1")
    public = ("cabaret", "tracks", "floors", "supply", "marker", "slots", "aside", "used", "pile", "places", "looked")
    for field in public:
        assert see(state, field, 0) == see(state, field, 1) == see(state, field, None)


def test_the_pile_and_the_box_are_seen_by_nobody() -> None:
    """GA 7.1"""
    state = scene()
    assert [see(state, "deck", seat) for seat in (0, 1)] == [None, None]
    assert [see(state, "box", seat) for seat in (0, 1)] == [None, None]


def test_drawn_and_left_out_specials_are_seen_by_the_drawer_only() -> None:
    """GA 7.1"""
    state = play(scene(tracks=(".....", ".....", "0101.", "...", "..."), pile=["S9", "S2", "S5", "S1"]), "M3 t3 take:D")
    assert see(state, "pending", 0)["drawn"] == ["S9", "S2", "S5"]
    assert see(state, "pending", 1)["drawn"] == ["?", "?", "?"]
    play(state, "pick:S5")
    assert see(state, "left_out", 0)[0] == ["S9", "S2"]
    assert see(state, "left_out", 1)[0] == ["?", "?"]


def test_a_look_stands_in_known_and_not_in_the_log() -> None:
    """GA 7.2"""
    state = play(scene(tracks=X_NEXT), "M4 t1 take:X x:F10 x:R2 x:swap")
    assert see(state, "known", 0) == {"F10": "yellow2", "R2": "blue3"}
    assert see(state, "known", 1) == {}
    assert not any(name in entry for entry in see(state, "log", 0) for name in ("yellow2", "blue3"))


@pytest.mark.parametrize("choice", ["x:stay", "x:swap"])
def test_what_was_known_of_two_face_down_places_is_dropped_when_the_other_touches_them(choice: str) -> None:
    """GA 7.2"""
    state = scene(tracks=X_NEXT, looked=((), ("F10", "F15", "R3")))
    play(state, f"M4 t1 take:X x:F10 x:R3 {choice}")
    assert see(state, "known", 1) == {"F15": "red3"}
    assert see(state, "looked", 0) == [["F10", "R3"], ["F15"]]


def test_knowledge_follows_a_swap_that_the_seat_sees() -> None:
    """GA 7.2"""
    state = scene(tracks=X_NEXT, looked=((), ("F10",)))
    play(state, "M4 t1 take:X x:K1 x:F10 x:swap")
    assert see(state, "known", 1) == {"K1": "blue3"}


def test_what_was_not_known_stays_unknown_in_a_swap_that_the_seat_sees() -> None:
    """GA 7.2"""
    state = play(scene(tracks=X_NEXT), "M4 t1 take:X x:K1 x:F10 x:swap")
    assert see(state, "known", 1) == {}
    assert see(state, "known", 0) == {"K1": "blue3"}


def test_an_own_swap_moves_own_knowledge() -> None:
    """GA 7.2"""
    state = scene(tracks=X_NEXT, looked=(("R3",), ()))
    play(state, "M4 t1 take:X x:F10 x:R2 x:swap t4 take:X x:F10 x:R3 x:swap")
    assert see(state, "known", 0) == {"F10": "purple1a", "R2": "blue3", "R3": "yellow2"}


def test_a_character_known_when_the_other_seat_claimed_it_stays_known() -> None:
    """GA 7.2"""
    tracks = (".....", ".....", ".....", "00.", "...")
    state = play(scene(tracks=tracks, looked=((), ("R4",))), "M3 t4 skip:X")
    assert see(state, "claimed", 1)[0] == [{"character": "red1b", "face": "down", "seen": True}]
    state = play(scene(tracks=tracks), "M3 t4 skip:X")
    assert see(state, "claimed", 1)[0] == [{"character": "?", "face": "down", "seen": False}]


def test_a_drawer_keeps_what_it_left_out() -> None:
    """GA 7.2"""
    state = play(scene(left_out=((), ("S11",))), "M3 t1")
    for number in range(20):
        imagined = GAME.imagine(state.observe(1), Random(number))
        assert see(imagined, "left_out")[1] == ["S11"]


def test_imagine_respects_what_is_known() -> None:
    """GA 7.2"""
    state = scene(looked=(("F10", "R3"), ("K3",)), claimed={"R4": 1}, seen=["R4"])
    for number in range(30):
        all_eyes = GAME.imagine(state.observe(0), Random(number)).observe(None)
        assert (all_eyes["known"]["F10"], all_eyes["known"]["R3"]) == ("blue3", "purple1a")
        assert all_eyes["claimed"][1][0]["character"] == "red1b"
        assert all_eyes["looked"] == [["F10", "R3"], ["K3"]]


def chi_square(counts: Counter[Any], cells: int) -> float:
    expected = counts.total() / cells
    return sum((count - expected) ** 2 / expected for count in counts.values())


def test_every_consistent_deal_of_characters_occurs_equally_often() -> None:
    """GA 7.2: all places but two are known, so five characters can lie on two places and in the box"""
    state = scene(looked=(("F10", "F15", "R2", "R3"), ()))
    rng, counts = Random(11), Counter[tuple[str, str]]()
    for _ in range(4000):
        known = see(GAME.imagine(state.observe(0), rng), "known")
        counts[known["K3"], known["R4"]] += 1
    assert sorted(counts) == sorted(permutations(["green1", "red1b", *BOX], 2))
    assert chi_square(counts, 20) < 43.8  # 19 degrees of freedom, p = 0.001


def test_every_consistent_deal_of_specials_occurs_equally_often() -> None:
    """GA 7.2: the other seat left one out and two lie in the pile"""
    aside = (("S1", "S2", "S3", "S4"), ("S5", "S6", "S7", "S8"))
    state = scene(aside=aside, left_out=((), ("S11",)), pile=["S9", "S10"])
    rng, counts = Random(12), Counter[tuple[str, ...]]()
    for _ in range(1500):
        imagined = GAME.imagine(state.observe(0), rng)
        counts[(*see(imagined, "left_out")[1], *see(imagined, "deck"))] += 1
    assert sorted(counts) == sorted(permutations(["S9", "S10", "S11"]))
    assert chi_square(counts, 6) < 20.5  # 5 degrees of freedom, p = 0.001


def test_a_secret_choice_of_the_other_seat_is_imagined_both_ways() -> None:
    """GA 7.2"""
    state = play(scene(tracks=X_NEXT), "M4 t1 take:X x:F10 x:R2 x:swap t2")
    seen = Counter(see(GAME.imagine(state.observe(1), Random(n)), "log")[-2] for n in range(60))
    assert sorted(seen) == ["0 x:stay secret", "0 x:swap secret"]


def two_blues_and_a_secret() -> GatsbyState:
    """Seat 1 holds two blue characters and one that seat 0 has not seen; four are unknown to seat 0."""
    looked = (("K3", "F10", "F15", "R2", "R3"), ())
    characters = {"F10": "green2b", "R4": "red1b"}
    return scene(characters=characters, looked=looked, claimed={"K1": 1, "R5": 1, "R4": 1})


def test_no_seat_is_imagined_with_a_winning_set() -> None:
    """GA 7.3"""
    state = two_blues_and_a_secret()
    rng, counts = Random(13), Counter[str]()
    for _ in range(1200):
        hand = see(GAME.imagine(state.observe(0), rng), "claimed")[1]
        counts[next(entry["character"] for entry in hand if entry["face"] == "down")] += 1
    assert sorted(counts) == ["purple1b", "red1b", "yellow3"]
    assert chi_square(counts, 3) < 13.9  # 2 degrees of freedom, p = 0.001


def test_when_winning_hands_are_the_rule_the_others_are_still_found() -> None:
    """GA 7.3: of many hands only those without yellow and purple stay below five families"""
    held = {"K1": 1, "K2": 1, "R1": 1, "R2": 1, "R3": 1}
    state = scene(characters={"R2": "blue3", "R3": "red3"}, claimed=held, floors=(0, 0))
    view_0 = state.observe(0)
    rng = Random(14)
    for _ in range(300):
        imagined = GAME.imagine(view_0, rng)
        assert imagined.observe(0) == view_0
        assert winning_set(imagined.claimed[1]) is None


def test_an_observation_that_only_a_won_game_could_show_is_refused() -> None:
    """GA 7.3"""
    seen = scene(claimed={"K1": 0, "R5": 0, "R4": 0}).observe(0)
    seen["claimed"][0] = [
        entry if entry["face"] == "up" else {**entry, "character": "blue3"} for entry in seen["claimed"][0]
    ]
    with pytest.raises(InvalidObservation, match="over when a seat has won"):
        GAME.imagine(seen, Random(1))


def test_an_observation_that_leaves_only_winning_hands_is_refused() -> None:
    """GA 7.3: seat 1 holds four families, and a fifth is all that can be under the cover"""
    held = {"K1": 1, "K2": 1, "R1": 1, "F5": 1, "R4": 1}
    looked = (("K3", "F10", "F15", "R2", "R3"), ())
    characters = {"R4": "purple1a", "K3": "red1b", "F10": "blue3", "F15": "red3", "R2": "yellow2", "R3": "green1"}
    with pytest.raises(InvalidSnapshot, match="over when a seat has won"):
        scene(characters=characters, looked=looked, claimed=held, floors=(0, 5))


def test_the_end_shows_all_claimed_characters_and_nothing_else() -> None:
    """GA 7.4"""
    claimed = {"R1": 1, "R2": 0, "R3": 1, "R4": 0}
    state = play(scene(claimed=claimed, tracks=(".....", ".....", ".....", "...", "00.")), "M3 t5 skip:I")
    for seat in (0, 1):
        assert see(state, "claimed", seat) == see(state, "claimed", None)
        assert see(state, "known", seat) == {}
        assert (see(state, "box", seat), see(state, "deck", seat)) == (None, None)
        assert see(state, "left_out", 0)[1] == ["?"]


HIDDEN_CHANGES = {
    "two unknown places": {"characters": {"K3": "red1b"}},
    "a place and the box": {"characters": {"K3": "yellow3"}},
    "the order of the pile": {
        "pile": ["S9", "S8", "S7", "S6", "S5", "S4", "S3", "S2", "S1", "S10"][:9],
        "left_out": ((), ("S11", "S10")),
    },
}


@pytest.mark.parametrize("change", HIDDEN_CHANGES.values(), ids=HIDDEN_CHANGES)
def test_a_hidden_thing_that_changes_is_seen_by_all_eyes_and_by_no_seat(change: dict[str, Any]) -> None:
    """GA 7.1"""
    base = {"left_out": ((), ("S11", "S10"))} if "pile" in change else {}
    one, other = scene(**base), scene(**change)
    assert one.observe(None) != other.observe(None)
    assert one.observe(0) == other.observe(0)
    assert one.legal_actions() == other.legal_actions()


def test_a_hidden_hand_that_changes_is_seen_by_its_owner_and_not_by_the_other() -> None:
    """GA 6.1"""
    one, other = (scene(characters={"R4": name}, claimed={"R4": 1}) for name in ("red1b", "yellow3"))
    assert one.observe(None) != other.observe(None)
    assert one.observe(1) != other.observe(1)
    assert one.observe(0) == other.observe(0)


def test_the_left_out_special_that_changes_is_seen_by_its_drawer_and_not_by_the_other() -> None:
    """GA 7.1"""
    one = scene(left_out=((), ("S11",)), pile=["S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9", "S10"])
    other = scene(left_out=((), ("S10",)), pile=["S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9", "S11"])
    assert one.observe(1) != other.observe(1)
    assert one.observe(0) == other.observe(0)


def test_in_the_setup_the_starter_does_not_see_the_drawn_specials() -> None:
    """GA 3.3"""
    state = GAME.new(seed=9)
    starter = see(state, "starter")
    assert see(state, "pending", starter)["drawn"] == ["?", "?"]
    drawn = {legal(GAME.imagine(state.observe(starter), Random(n)))[0] for n in range(40)}
    assert len(drawn) > 5


def test_the_public_view_holds_what_both_seats_know_and_nothing_more() -> None:
    """GA 7.1"""
    state = scene(looked=(("F10", "R2"), ("F10",)), claimed={"R3": 0, "R4": 1}, seen=["R4"])
    public = state.public()
    assert (public["seat"], public["known"], public["box"], public["deck"]) == (None, {"F10": "blue3"}, None, None)
    assert [hand[0]["character"] for hand in public["claimed"]] == ["?", "red1b"]
    assert public["left_out"] == [[], ["?"]]
    assert list(public) == list(state.observe(0))


def test_a_secret_choice_is_hidden_in_the_public_log_and_a_draw_in_what_is_pending() -> None:
    """GA 5.2, GA 7.1"""
    state = play(scene(tracks=("01...", ".....", "0101.", "...", "...")), "M4 t1 take:X x:F10 x:R2 x:swap t3 take:D")
    public = state.public()
    assert public["log"][-3] == "0 ?"
    assert public["pending"]["drawn"] == ["?", "?", "?"]


@pytest.mark.parametrize("seed", range(6))
def test_the_public_view_follows_from_what_each_seat_sees(seed: int) -> None:
    """GA 7.1"""
    state, rng = GAME.new(seed=seed), Random(seed)
    while state.to_act is not None:
        if rng.random() < 0.3:
            for seat in (0, 1):
                assert GAME.imagine(state.observe(seat), rng).public() == state.public()
        state.apply(rng.choice(state.legal_actions()))
    assert all(GAME.imagine(state.observe(seat), rng).public() == state.public() for seat in (0, 1))
