"""Snapshots and observations that nobody could have written."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engines import InvalidObservation, InvalidSetup, InvalidSnapshot
from engines.cotton_club import GAME
from tests.engines.cotton_club.arranging import act, begun, loans_until_round

Bend = Callable[[dict[str, Any]], Any]


def position() -> dict[str, Any]:
    return act(loans_until_round(begun(), 3), "pass", "pass", "pass", "loan").snapshot()


def view() -> dict[str, Any]:
    return GAME.restore(position()).observe(1)


BAD_SNAPSHOTS: dict[str, tuple[Bend, str]] = {
    "another game": (lambda s: s.update(game="gatsby"), "game: expected 'cotton_club'"),
    "another version": (lambda s: s.update(rules_version=2), "rules_version: expected 1"),
    "a bool as version": (lambda s: s.update(rules_version=True), "rules_version: expected 1"),
    "five seats": (lambda s: s.update(seats=5), "seats: expected a whole number from 2 to 4"),
    "an option": (lambda s: s.update(options={"long": 1}), "options: has unknown fields: 'long'"),
    "a seed as an int": (lambda s: s.update(seed=7), "seed: expected an int below"),
    "a seed with a sign": (lambda s: s.update(seed="-7"), "seed: expected an int below"),
    "a seed with a leading zero": (lambda s: s.update(seed="07"), "seed: expected an int below"),
    "a seed of 129 bits": (lambda s: s.update(seed=str(1 << 128)), "seed: expected an int below"),
    "no seed": (lambda s: s.pop("seed"), "snapshot.seed: is missing"),
    "no deal": (lambda s: s.update(deal=None), "deal: expected an object"),
    "a first seat beyond": (
        lambda s: s["deal"].update(first_seat=3),
        "deal.first_seat: expected a whole number from 0 to 2",
    ),
    "a card twice": (lambda s: s["deal"]["piles"]["artists"].__setitem__(16, "A01"), "each of its cards once"),
    "a card of another type": (lambda s: s["deal"]["piles"]["artists"].__setitem__(16, "G01"), "each of its cards"),
    "an unknown card": (
        lambda s: s["deal"]["piles"]["artists"].__setitem__(16, "A18"),
        r"deal.piles.artists\[16\]: expected a name such as",
    ),
    "a pile upside down": (lambda s: s["deal"]["piles"]["artists"].reverse(), "lies below another card"),
    "a short hand": (lambda s: s["deal"]["hands"][0].pop(), "expected 5 and 5"),
    "a hand out of order": (lambda s: s["deal"]["hands"][0].reverse(), "deal: a hand is not sorted"),
    "an event too often": (lambda s: s["deal"].update(event_pile=["E01"] * 5), "more often than it has copies"),
    "an unreadable action": (lambda s: s["actions"].append("steal"), r"actions\[\d+\]: .* not 'steal'"),
    "an illegal action": (lambda s: s["actions"].append("bribe 0"), "bribe 0: seat . has to choose"),
    "actions as ints": (lambda s: s.update(actions=[107]), r"actions\[0\]: expected a name such as"),
}


@pytest.mark.parametrize("case", sorted(BAD_SNAPSHOTS))
def test_a_bad_snapshot_is_refused_with_the_reason(case: str) -> None:
    snapshot = position()
    bend, reason = BAD_SNAPSHOTS[case]
    bend(snapshot)
    with pytest.raises(InvalidSnapshot, match=reason):
        GAME.restore(snapshot)


BAD_OBSERVATIONS: dict[str, tuple[Bend, str]] = {
    "all eyes": (lambda o: o.update(seat=None), "seat: expected a whole number from 0 to 2"),
    "seat beyond": (lambda o: o.update(seat=3), "seat: expected a whole number from 0 to 2"),
    "seats as text": (lambda o: o.update(seats="3"), "seats: expected a whole number from 2 to 4"),
    "no log": (lambda o: o.pop("log"), "log: is missing"),
    "a log that names no seat": (lambda o: o["log"].append("x loan"), "'x loan' does not begin with a seat"),
    "a log with an unknown action": (lambda o: o["log"].append("0 steal"), "'0 steal' does not end with an action"),
    "an own secret": (lambda o: o["log"].__setitem__(2, "1 drop ?"), "knows its own drops and adds"),
    "a stranger's secret": (
        lambda o: o["log"].__setitem__(0, "0 drop E01"),
        "knows its own drops and adds, and no others",
    ),
    "a log played out of turn": (lambda o: o["log"].append("1 bribe 0"), "bribe 0: seat . has to choose"),
    "an event too much": (lambda o: o["hands"][1].append("E01"), "was dealt 5 events, not 6"),
    "an unknown event": (lambda o: o["hands"][1].__setitem__(0, "E22"), r"hands\[1\]\[0\]: expected a name such as"),
    "a card shown twice": (
        lambda o: o["shown"]["artists"].__setitem__(1, o["shown"]["artists"][0]),
        "shown.artists: names something twice",
    ),
    "a low card on top": (lambda o: o["shown"]["artists"].__setitem__(0, "A17"), "lies below another card"),
    "money that nobody has": (lambda o: o["clubs"][0].update(money=29), "clubs: .* contradicts the rest"),
    "a bool for an int": (lambda o: o.update(round=True), "round: True contradicts the rest"),
    "another phase": (lambda o: o.update(phase="over"), "phase: 'over' contradicts the rest"),
    "a field too many": (lambda o: o.update(extra=1), "unknown fields: 'extra'"),
    "a field too few": (lambda o: o.pop("tracks"), "tracks: is missing"),
    "hidden things": (lambda o: o.update(hidden={}), "hidden: {} contradicts the rest"),
    "not JSON": (lambda o: o.update(board=object()), "not JSON"),
    "a set": (lambda o: o.update(board={1, 2}), "board: {1, 2} contradicts the rest"),
    "a used event of nobody": (
        lambda o: o["used_events"][0].update(by=7),
        r"used_events\[0\].by: expected a whole number",
    ),
    "an unknown used event": (
        lambda o: o["used_events"][0].update(event=None),
        r"used_events\[0\].event: expected a name",
    ),
    "an addition not in the log": (
        lambda o: o["event_row"].append({"by": 0, "event": None}),
        "the log tells of 0 events added by seat 0, the rows of 1",
    ),
}


@pytest.mark.parametrize("case", sorted(BAD_OBSERVATIONS))
def test_a_bad_observation_is_refused_with_the_reason(case: str) -> None:
    observation = view()
    bend, reason = BAD_OBSERVATIONS[case]
    bend(observation)
    with pytest.raises(InvalidObservation, match=reason):
        GAME.imagine(observation, Random(1))


def test_an_event_seen_more_often_than_it_has_copies_is_refused() -> None:
    observation = view()
    event = observation["used_events"][0]["event"]
    copies = 3 if event in ("E18", "E19", "E20", "E21") else 2
    observation["hands"][1][:copies] = [event] * copies
    with pytest.raises(InvalidObservation, match="seen more often"):
        GAME.imagine(observation, Random(1))


@pytest.mark.parametrize("seats", [1, 5, True, "2", None], ids=repr)
def test_other_numbers_of_seats_are_refused(seats: Any) -> None:
    with pytest.raises(InvalidSetup, match="choose one of 2, 3, 4"):
        GAME.new(seats=seats)


def test_options_and_seeds_that_do_not_exist_are_refused() -> None:
    with pytest.raises(InvalidSetup, match="no option 'solo'"):
        GAME.new(solo=True)
    with pytest.raises(InvalidSetup, match="seed -1"):
        GAME.new(seed=-1)


def test_an_observer_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InvalidObservation, match="seat 3 is not at this table"):
        begun(3).observe(3)
