"""Snapshots, observations and texts that no game of Capone could have written."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engines import InvalidAction, InvalidObservation, InvalidSetup, InvalidSnapshot
from engines.capone import GAME
from tests.engines.capone.table import new

Change = Callable[[dict[str, Any]], Any]


def played(plies: int, *, seed: int = 4) -> dict[str, Any]:
    """A snapshot taken in the turns of year 1."""
    state, rng = GAME.new(seats=3, seed=seed), Random(seed)
    for _ in range(plies):
        state.apply(rng.choice(state.legal_actions()))
    snapshot: dict[str, Any] = json.loads(json.dumps(state.snapshot()))
    return snapshot


CONTRADICTIONS: dict[str, tuple[Change, str]] = {
    "a member in two places": (lambda s: s["families"][0]["harbour"].append("don"), "in two places"),
    "a member nowhere": (lambda s: s["families"][0]["home"].remove("don"), "member is missing"),
    "a bodyguard too few": (lambda s: s["families"][1].update(guards=0), "bodyguards in all"),
    "an unknown member": (lambda s: s["families"][0]["home"].append("butler"), "home.*not 'butler'"),
    "an unknown card": (lambda s: s["pile"].append("casino royale"), "pile.*not 'casino royale'"),
    "a card too many": (lambda s: s["pile"].append("fbi"), "more cards of a kind"),
    "a card too few": (lambda s: s["pile"].pop(), "pile"),
    "another count of the pile": (lambda s: s.update(pile_count=1), "pile_count: 1 contradicts"),
    "cash not in fives": (lambda s: s["families"][0].update(cash=7), "steps of 5"),
    "cash below nothing": (lambda s: s["families"][0].update(cash=-5), "families.0..cash: .*not -5"),
    "cash as a float": (lambda s: s["families"][0].update(cash=100.0), "families.0..cash: .*not 100.0"),
    "a marker at 10 before the settlement": (lambda s: s["families"][2].update(marker=10), "before it has invested"),
    "a prisoner without an arrest": (lambda s: jail(s, "3"), "prison block 3"),
    "a prisoner from before the game": (lambda s: jail(s, "1"), "prison block 1"),
    "a seat with a site and no pieces": (lambda s: s["sites"][0].update(owner=1), "owner without pieces"),
    "a wrong total": (lambda s: s["sites"][0].update(total=5), "sites: .*contradicts"),
    "a wrong value": (lambda s: s["sites"][0].update(value=10), "sites: .*contradicts"),
    "a value as a float": (lambda s: s["sites"][0].update(value=5.0), "sites: .*contradicts"),
    "another first player": (lambda s: s.update(first=(s["first"] + 1) % 3), "log"),
    "another seat to act": (lambda s: s.update(to_act=(s["to_act"] + 1) % 3), "log leads to"),
    "another phase": (lambda s: s.update(phase="exchange"), "phase: 'exchange' contradicts"),
    "nothing pending": (lambda s: s.update(pending=None), "log leads to"),
    "an unknown choice": (lambda s: s["pending"].update(want="tea"), "pending.want: .*not 'tea'"),
    "a log cut short": (lambda s: s["log"].pop(), "log"),
    "a log cut in front": (lambda s: s["log"].pop(0), "log"),
    "a log line that is no action": (lambda s: s["log"].append("0 sings"), "'0 sings'"),
    "a log line that is no text": (lambda s: s["log"].append(7), "log.*not 7"),
    "an action of a seat that is not there": (lambda s: s["log"].append("5 discard bar"), "seat 5"),
    "a legal business nobody used": (lambda s: open_business(s), "legal and the log"),
    "another ply": (lambda s: s.update(ply=s["ply"] + 1), "ply"),
    "year 0": (lambda s: s.update(year=0), "year: .*not 0"),
    "year 41": (lambda s: s.update(year=41), "year: .*not 41"),
    "a later year with too few plies": (lambda s: s.update(year=9), "ply"),
    "a game that is over and goes on": (lambda s: s.update(outcome={"ranks": [1, 2, 3]}), "outcome: .*contradicts"),
    "an unknown option": (lambda s: s["options"].update(jazz=1), "jazz"),
    "an unknown field": (lambda s: s.update(weather="rain"), "weather"),
    "seven seats": (lambda s: s.update(seats=7), "seats: .*not 7"),
    "a seat of too few": (lambda s: s["families"].pop(), "families: expected 3 entries, not 2"),
}


def jail(snapshot: dict[str, Any], block: str) -> None:
    family = snapshot["families"][0]
    family["prison"][block].append(family["home"].pop())


def open_business(snapshot: dict[str, Any]) -> None:
    snapshot["families"][0]["guards"] -= 1
    snapshot["legal"][3]["owner"] = 0


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_a_contradictory_snapshot_is_refused_with_the_reason(case: str) -> None:
    change, reason = CONTRADICTIONS[case]
    snapshot = played(18)
    GAME.restore(json.loads(json.dumps(snapshot)))
    change(snapshot)
    with pytest.raises(InvalidSnapshot, match=reason):
        GAME.restore(snapshot)


SEEN_BY_A_SEAT = [
    case for case in CONTRADICTIONS if case not in ("an unknown card", "a card too many", "a card too few")
]


@pytest.mark.parametrize("case", SEEN_BY_A_SEAT)
def test_a_contradictory_observation_is_refused_with_the_reason(case: str) -> None:
    change, reason = CONTRADICTIONS[case]
    snapshot = played(18)
    view = GAME.restore(snapshot).observe(snapshot["to_act"])
    change(view)
    with pytest.raises(InvalidObservation, match=reason):
        GAME.imagine(view, Random(1))


@pytest.mark.parametrize("seed", [7, "x", "-1", "1.0", "", " 1", "٣", str(1 << 128), "0" * 50, None])
def test_a_snapshot_without_a_readable_seed_is_refused(seed: object) -> None:
    with pytest.raises(InvalidSnapshot, match="seed"):
        GAME.restore({**played(3), "seed": seed})


def test_a_settlement_that_passes_a_seat_over_is_refused() -> None:
    table = new(3, seed=4)
    while table.state.observe(None)["phase"] != "settlement":
        table.do("done" if "done" in table.legal() else table.legal("discard")[0])
    snapshot = table.state.snapshot()
    last = (snapshot["first"] + 2) % 3
    snapshot["to_act"] = last
    with pytest.raises(InvalidSnapshot, match="passed over"):
        GAME.restore(snapshot)


NO_TEXTS = ["", "use", "use  bar", "Use bar", "use bar ", "use pub", "return ?"]
OUT_OF_RANGE = ["guards 9", "invest 11", "charge 4", "move 4 don"]


@pytest.mark.parametrize("text", NO_TEXTS + OUT_OF_RANGE)
def test_a_text_that_no_action_has_is_refused(text: str) -> None:
    with pytest.raises(InvalidAction):
        new(4).state.parse(text)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_actions_that_name_a_seat_exist_only_where_the_seat_does(seats: int) -> None:
    state = new(seats).state
    texts = set()
    for action in range(198):
        try:
            texts.add(state.format(action))
        except InvalidAction:
            continue
    assert len(texts) == 144 + seats * 9
    assert {int(text.split()[1]) for text in texts if text.startswith(("charge", "move"))} == set(range(seats))


@pytest.mark.parametrize("income", ["", "Pieces", "none", 1, None])
def test_an_income_mode_that_is_not_there_is_refused(income: object) -> None:
    """CA 7"""
    with pytest.raises(InvalidSetup, match="income"):
        GAME.new(seats=4, seed=1, income=income)


def test_members_named_while_they_are_away_are_refused() -> None:
    snapshot = next(
        s for s in map(played, range(12, 60)) if s["pending"]["want"] == "pieces" and s["pending"]["members"]
    )
    family = snapshot["families"][snapshot["to_act"]]
    family["harbour"].append(snapshot["pending"]["members"][0])
    family["home"].remove(snapshot["pending"]["members"][0])
    with pytest.raises(InvalidSnapshot, match="not at home"):
        GAME.restore(snapshot)
