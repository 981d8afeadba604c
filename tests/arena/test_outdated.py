"""Matches played under older rules than ours: seen as far as our rules go, told from there on, never an error."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arena import InvalidOrder, MatchRecord, frames, seat_view, verify
from arena.replay import Unplayable
from arena.standalone import standalone_page
from engines import Outcome
from tests.arena.countdown import Countdown, CountdownState
from tests.arena.paper import played


@pytest.fixture
def old(monkeypatch: pytest.MonkeyPatch) -> MatchRecord:
    """A countdown in which somebody took four at once, as version 1 had it; version 2 knows no such action."""
    record = played()
    monkeypatch.setattr(Countdown, "rules_version", 2)
    four = (*record.actions[:2], replace(record.actions[2], text="take4"), *record.actions[3:])
    return replace(record, actions=four).sealed()


def told(record: MatchRecord, seat: int | None = None) -> list[str | None]:
    return [frame.entry for frame in frames(record, seat) if frame.is_told]


def test_a_match_under_older_rules_is_drawn_as_far_as_ours_go_and_then_told(old: MatchRecord) -> None:
    shown = frames(old)
    assert [frame.is_told for frame in shown] == [False] * 3 + [True] * (len(old.actions) - 2)
    assert shown[3].as_json() == {"ply": 3, "entry": f"{old.actions[2].seat} take4", "told": True}
    assert [frame.ply for frame in shown] == list(range(len(old.actions) + 1))


def test_a_part_of_what_is_told_needs_no_position(old: MatchRecord) -> None:
    assert [frame.as_json()["ply"] for frame in frames(old, start=4, stop=6)] == [4, 5]
    assert all(frame.is_told for frame in frames(old, start=4))


def test_what_is_told_gives_a_seat_only_its_own_actions(old: MatchRecord) -> None:
    for frame in frames(old, 1)[3:]:
        seat, _, text = str(frame.entry).partition(" ")
        assert (text == "?") == (seat != "1")
    assert [line for line in seat_view(old, 1).log if line.endswith("?")] == [
        line for line in told(old, 1) if line and line.endswith("?")
    ]


def test_a_position_that_ends_otherwise_than_the_match_did_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    record = played()
    monkeypatch.setattr(Countdown, "rules_version", 2)
    lost = Outcome(ranks=(2, 1), scores=(0.0, 1.0), ending="heap_empty")
    assert record.outcome is not None
    other = lost if record.outcome.ranks == (1, 2) else Outcome((1, 2), (1.0, 0.0), "heap_empty")
    assert told(record) == []
    assert len(told(replace(record, outcome=other).sealed())) == 1


def test_an_end_that_comes_sooner_under_our_rules_is_not_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = played()
    monkeypatch.setattr(Countdown, "rules_version", 2)

    def soon(state: CountdownState) -> Outcome | None:
        return Outcome((1, 2), (1.0, 0.0), "soon") if state.heap < 8 else None

    monkeypatch.setattr(CountdownState, "outcome", soon)
    drawn = [frame for frame in frames(record) if not frame.is_told]
    assert 1 < len(drawn) < len(record.actions)
    assert "soon" not in str([frame.as_json() for frame in drawn])


def test_a_table_that_our_rules_can_not_set_up_is_told_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    record = played(seats=4)
    monkeypatch.setattr(Countdown, "rules_version", 2)
    monkeypatch.setattr(Countdown, "seats", range(2, 4))
    assert all(frame.is_told for frame in frames(record))
    assert frames(record)[0].as_json() == {"ply": 0, "entry": None, "told": True}
    assert len(seat_view(record, 0).log) == len(record.actions)


def test_a_match_under_older_rules_verifies_by_digest_and_shape(old: MatchRecord) -> None:
    verdict = verify(old)
    assert verdict.ok
    assert verdict.note == "played under rules 1"
    assert verify(played()).note == ""


@pytest.mark.parametrize(
    ("words", "changes"),
    [
        ("the digest is", {"digest": "0" * 64}),
        ("the ending must be", {"ending": "crash"}),
        ("the ranks must be", {"ranks": (1, 1)}),
    ],
)
def test_a_lie_about_a_match_under_older_rules_is_found_out(
    old: MatchRecord, words: str, changes: dict[str, Any]
) -> None:
    verdict = verify(replace(old, **changes))
    assert any(words in problem for problem in verdict.problems)
    assert verdict.note == "played under rules 1"


def test_newer_rules_than_ours_are_refused_with_what_to_do(old: MatchRecord) -> None:
    newer = replace(old, order=replace(old.order, rules_version=3)).sealed()
    words = "rules version 3 of countdown is not known here.*version 2.*install a newer"
    with pytest.raises(InvalidOrder, match=words):
        newer.order.check()
    with pytest.raises(Unplayable, match=words):
        frames(newer)
    assert not verify(newer).ok


def test_nothing_is_played_under_older_rules(old: MatchRecord) -> None:
    with pytest.raises(InvalidOrder, match=r"rules version 1 of countdown.*plays version 2"):
        old.order.check()


def test_a_page_of_its_own_says_under_which_rules_it_was_played(old: MatchRecord) -> None:
    assert "Played under rules 1" in standalone_page(old, ())
