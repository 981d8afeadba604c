"""Orders and records: reading, writing, packing, verifying, and what they refuse."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import orjson
import pytest
from backports import zstd

from arena import (
    Fault,
    InvalidOrder,
    InvalidRecord,
    Limits,
    MatchOrder,
    MatchRecord,
    digest_of,
    frames,
    pack,
    read_record,
    redact,
    seat_view,
    unpack,
    verify,
)
from engines import GAMES, Outcome
from tests.arena.paper import played

SCHEMA = Path(__file__).parents[2] / "docs" / "record.schema.json"
LATE = Fault(0, "crash", "act", 2, "gone")
EARLY = Fault(1, "timeout", "start", 0, "slow")


def test_a_record_comes_back_from_its_json_and_from_its_bytes() -> None:
    record = played(faults=(LATE,))
    assert MatchRecord.from_json(json.loads(json.dumps(record.as_json()))) == record
    assert unpack(pack(record)) == record
    assert unpack(json.dumps(record.as_json()).encode()) == record


@pytest.mark.parametrize(("seats", "faults"), [*product((2, 3), [(), (LATE,), (EARLY,)]), (3, (EARLY, LATE))])
def test_what_we_write_fits_the_schema_and_verifies(seats: int, faults: tuple[Fault, ...]) -> None:
    record = played(seats=seats, faults=faults)
    jsonschema.validate(record.as_json(), json.loads(SCHEMA.read_text()))
    assert verify(record).problems == ()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_on_paper_verifies_and_packs_small(game: str) -> None:
    record = played(game, seats=GAMES[game].seats.start)
    assert verify(record).ok
    assert len(pack(record)) < 4096


def test_the_seed_is_a_decimal_string() -> None:
    order = replace(played().order, seed=(1 << 128) - 1)
    assert order.as_json()["seed"] == "340282366920938463463374607431768211455"
    assert MatchOrder.from_json(order.as_json()) == order


def test_the_digest_covers_facts_and_nothing_else() -> None:
    record = played(faults=(LATE,))
    reason = (replace(LATE, reason="other words"),)
    slower = tuple(replace(action, cpu_ms=9.9) for action in record.actions)
    for same in (replace(record, faults=reason), replace(record, actions=slower), replace(record, seats=())):
        assert digest_of(same) == record.digest
    for other in (replace(record, faults=()), replace(record, actions=record.actions[:-1])):
        assert digest_of(other) != record.digest


def test_scores_without_a_fraction_have_one_spelling() -> None:
    record = played()
    assert record.outcome is not None
    whole = Outcome(record.outcome.ranks, tuple(int(score) for score in record.outcome.scores), record.outcome.ending)
    assert digest_of(replace(record, outcome=whole)) == record.digest


def spoilt(record: MatchRecord, **changes: Any) -> MatchRecord:
    return replace(record, **changes).sealed()


def test_a_record_that_lies_is_found_out() -> None:
    record = played()
    assert record.ranks is not None
    assert record.outcome is not None
    wrong_seat = (replace(record.actions[0], seat=1), *record.actions[1:])
    illegal = (*record.actions[:-1], replace(record.actions[-1], text="take9"))
    turned = Outcome(record.outcome.ranks[::-1], record.outcome.scores, record.outcome.ending)
    lies = {
        "the ranks must be": spoilt(record, ranks=record.ranks[::-1]),
        "the actions give the outcome": spoilt(record, outcome=turned),
        "seat 0 is to act": spoilt(record, actions=wrong_seat),
        "no action": spoilt(record, actions=illegal),
        "the digest is": replace(record, digest="0" * 64),
        "stop before the game is over": spoilt(record, actions=record.actions[:-1], outcome=None),
        "the ending must be finished": spoilt(record, ending="crash"),
        "already over": spoilt(record, actions=(*record.actions, record.actions[-1])),
        "rules version": spoilt(record, order=replace(record.order, rules_version=99)),
        "no game": spoilt(record, order=replace(record.order, game="poker")),
        "has no ranks": spoilt(record, ending="host_fault"),
    }
    for words, lie in lies.items():
        assert any(words in problem for problem in verify(lie).problems), (words, verify(lie).problems)


def test_faults_that_cannot_have_happened_are_found_out() -> None:
    record = played(seats=3, faults=(LATE,))
    lies = {
        "more than once": (LATE, LATE),
        "not in the order": (Fault(1, "crash", "act", 3), Fault(2, "crash", "act", 1)),
        "a fault is later": (Fault(1, "crash", "act", 99),),
        "first legal action only": (Fault(1, "crash", "act", 0),),
        "a fault at the start is at ply 0": (Fault(1, "crash", "start", 1),),
        "later than the": (Fault(1, "crash", "act", len(record.actions)),),  # the game was over by then
    }
    for words, faults in lies.items():
        assert any(words in problem for problem in verify(spoilt(record, faults=faults)).problems), words


def test_a_game_that_went_on_between_two_faults_although_the_first_had_cut_it_is_found_out() -> None:
    record = played()
    faults = (Fault(0, "crash", "act", 1), Fault(1, "crash", "act", 2))
    lie = spoilt(record, actions=record.actions[:2], faults=faults, outcome=None, ending="crash", ranks=(2, 1))
    assert any("the game goes on" in problem for problem in verify(lie).problems)


WRONG_RECORDS: dict[str, Any] = {
    "must be an object": [],
    "record version 2": {"record": 2},
    "record version True": {"record": True},
    "has no 'record'": {},
}


@pytest.mark.parametrize("words", WRONG_RECORDS)
def test_what_is_no_record_is_told_so(words: str) -> None:
    with pytest.raises(InvalidRecord, match=words):
        MatchRecord.from_json(WRONG_RECORDS[words])


def test_every_value_of_the_wrong_type_is_told_so() -> None:
    """Each member of a record, at every depth, is replaced by what it must not be."""
    whole = played(faults=(LATE,)).as_json()
    whole["seats"][0]["notes"] = [[1, "x"]]
    for path in _paths(whole):
        if path[:2] == ("order", "options"):
            continue
        broken = json.loads(json.dumps(whole))
        holder = broken
        for step in path[:-1]:
            holder = holder[step]
        holder[path[-1]] = {"wrong": []} if not isinstance(holder[path[-1]], dict) else "wrong"
        with pytest.raises(InvalidRecord):
            MatchRecord.from_json(broken)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [path] if path else []
    for key, item in inner:
        found += _paths(item, (*path, key))
    return found


WRONG_ORDERS: dict[str, dict[str, Any]] = {
    "order.seed must be": {"seed": 7},
    "decimal string": {"seed": "007"},
    "below 2": {"seed": str(1 << 128)},
    "sha256": {"seats": ["x"]},
    "whole number": {"rules_version": "1"},
    "must be an object": {"options": []},
    "limits.turn_ms": {"limits": {**Limits().as_json(), "turn_ms": 0}},
    "has no 'bank_ms'": {"limits": {"start_ms": 1, "turn_ms": 1}},
}


@pytest.mark.parametrize("words", WRONG_ORDERS)
def test_what_is_no_order_is_told_so(words: str) -> None:
    with pytest.raises(InvalidOrder, match=words):
        MatchOrder.from_json({**played().order.as_json(), **WRONG_ORDERS[words]})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "poker"}, "there is no game 'poker'"),
        ({"rules_version": 9}, "rules version 9"),
        ({"seats": ("ab" * 32,)}, "can't be played with 1 seats"),
        ({"options": {"x": 1}}, "no option 'x'"),
        ({"game": []}, "order.game must be a string"),
        ({"rules_version": "1"}, "order.rules_version must be a whole number"),
        ({"rules_version": float("nan")}, "order.rules_version must be a whole number"),
        ({"rules_version": 0}, "order.rules_version must be a whole number from 1"),
        ({"seats": None}, "order.seats must be a list"),
        ({"options": None}, "order.options must be an object"),
        ({"limits": {}}, "order.limits must be Limits"),
    ],
)
def test_an_order_that_cannot_be_played_here_says_why(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidOrder, match=words):
        replace(played().order, **change).check()


def test_bytes_that_are_no_record_are_told_so(tmp_path: Path) -> None:
    bomb = zstd.compress(b" " * (20 << 20))
    for data in (b"", b"{", b"\xff\xfe", b"[" * 100_000, bomb, pack(played())[:-9], pack(played())[:40]):
        with pytest.raises(InvalidRecord):
            unpack(data)
    with pytest.raises(InvalidRecord, match="can't be read"):
        read_record(tmp_path / "nothing")


@pytest.mark.parametrize("name", ["seed", "seats", "self"])
def test_an_option_that_is_called_like_something_else_of_a_game_is_refused_and_no_failure_of_ours(name: str) -> None:
    record = played()
    lying = replace(record, order=replace(record.order, options={name: 2})).sealed()
    assert any(f"no option '{name}'" in problem for problem in verify(lying).problems)
    with pytest.raises(InvalidRecord, match="no option"):
        frames(lying)


@pytest.mark.parametrize("text", ["NaN", "1e999", '"\\ud800"'])
def test_bytes_with_values_that_json_does_not_have_are_no_record(text: str) -> None:
    words = json.dumps(spoilt(played(), order=replace(played().order, options={"a": "here"})).as_json())
    with pytest.raises(InvalidRecord, match="not JSON"):
        unpack(words.replace('"here"', text).encode())


@pytest.mark.parametrize(
    "value",
    [float("nan"), "\ud800", 10**5000, orjson.loads("[" * 1000 + "]" * 1000)],
    ids=["nan", "surrogate", "int", "deep"],
)
def test_facts_that_cannot_be_written_are_told_by_verify(value: Any) -> None:
    record = played()
    lying = replace(record, order=replace(record.order, options={"a": value}))
    assert any("can't be written as JSON" in problem for problem in verify(lying).problems)


def test_the_public_gets_no_log_and_the_owner_only_his_own() -> None:
    record = played()
    public, owners = redact(record), redact(record, 1)
    assert [(seat.stderr, seat.bot_seed) for seat in public.seats] == [("", 0), ("", 0)]
    assert [(seat.stderr, seat.bot_seed) for seat in owners.seats] == [("", 0), ("log of 1", 2)]
    assert verify(public).ok
    assert public.digest == record.digest


def test_a_seat_sees_its_own_secret_and_neither_seed_nor_the_other_secret() -> None:
    record = played(seed=123456789123456789)
    text = json.dumps(seat_view(record, 0).as_json())
    mine, theirs = GAMES["countdown"].new(seats=2, seed=record.order.seed).observe(None)["secrets"]
    assert f'"secrets": [{mine}, null]' in text
    assert str(theirs) not in text.replace(str(mine), "") or theirs == mine
    assert "123456789123456789" not in text
    assert "log of 1" not in text
    assert seat_view(record, 0).log == tuple(f"{a.seat} {a.text}" for a in record.actions)
