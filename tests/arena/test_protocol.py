"""Every way of answering wrongly, with the fault it gets, and the ways of answering oddly but rightly."""

from __future__ import annotations

import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena import Limits
from arena.clock import SeatClock
from arena.players import NOTES_KEPT, Player
from arena.protocol import MAX_LINE, MAX_NOTE, InvalidAnswer, printable, read_answer, read_ready
from tests.arena.table import SHORT, Watch, make_bot, make_scripted, play_bots

GOOD = '{"action":"take1"}\n'


def padded(size: int) -> str:
    """A right answer of exactly this many bytes, its newline not counted."""
    head, tail = '{"action":"take1","x":"', '"}'
    return head + "x" * (size - len(head) - len(tail)) + tail + "\n"


WRONG: dict[str, tuple[dict[str, Any], str, str]] = {
    "not JSON": ({"act": ["take1\n"]}, "invalid_answer", "act"),
    "an empty line": ({"act": ["\n"]}, "invalid_answer", "act"),
    "not an object": ({"act": ['["take1"]\n']}, "invalid_answer", "act"),
    "a bare string": ({"act": ['"take1"\n']}, "invalid_answer", "act"),
    "no action": ({"act": ['{"move":"take1"}\n']}, "invalid_answer", "act"),
    "an action that is not legal": ({"act": ['{"action":"take9"}\n']}, "illegal_action", "act"),
    "an action with a space": ({"act": ['{"action":"take1 "}\n']}, "illegal_action", "act"),
    "an action in capitals": ({"act": ['{"action":"TAKE1"}\n']}, "illegal_action", "act"),
    "an empty action": ({"act": ['{"action":""}\n']}, "illegal_action", "act"),
    "an action of the wrong type": ({"act": ['{"action":1}\n']}, "invalid_answer", "act"),
    "a list of actions": ({"act": ['{"action":["take1"]}\n']}, "invalid_answer", "act"),
    "null": ({"act": ['{"action":null}\n']}, "invalid_answer", "act"),
    "a key twice": ({"act": ['{"action":"take1","action":"take2"}\n']}, "invalid_answer", "act"),
    "a key twice further in": ({"act": ['{"action":"take1","x":{"a":1,"a":2}}\n']}, "invalid_answer", "act"),
    "NaN": ({"act": ['{"action":"take1","x":NaN}\n']}, "invalid_answer", "act"),
    "Infinity": ({"act": ['{"action":"take1","x":-Infinity}\n']}, "invalid_answer", "act"),
    "broken UTF-8": ({"act": ['{"action":"take\xff"}\n']}, "invalid_answer", "act"),
    "an escape character": ({"act": ['{"action":"\x1b[2Jtake1"}\n']}, "invalid_answer", "act"),
    "a NUL": ({"act": ['{"action":"take1"}\x00\n']}, "invalid_answer", "act"),
    "a lone surrogate": ({"act": ['{"action":"\\ud800"}\n']}, "invalid_answer", "act"),
    "a thousand brackets": ({"act": ["[" * 30000 + "\n"]}, "invalid_answer", "act"),
    "two objects in a line": ({"act": ['{"action":"take1"}{"action":"take1"}\n']}, "invalid_answer", "act"),
    "several answers at once": ({"act": [GOOD * 3]}, "invalid_answer", "act"),
    "a line one byte too long": ({"act": [padded(MAX_LINE + 1)]}, "output_limit", "act"),
    "a very long action": ({"act": ['{"action":"' + "x" * 60000 + '"}\n']}, "illegal_action", "act"),
    "half a line and no more": ({"act": ['{"action":"ta', "EXIT"]}, "crash", "act"),
    "nothing at all": ({"act": []}, "timeout", "act"),
    "an exit instead of an answer": ({"act": ["EXIT"]}, "crash", "act"),
    "an exit after an answer": ({"act": [GOOD, "EXIT"]}, "crash", "act"),
    "an answer before being asked": ({"start": ['{"type":"ready"}\n' + GOOD]}, "invalid_answer", "act"),
    "an exit before reading": ({"first": "EXIT"}, "crash", "start"),
    "an exit instead of ready": ({"start": ["EXIT"]}, "crash", "start"),
    "an exit in the middle of ready": ({"start": ['{"type":"re', "EXIT"]}, "crash", "start"),
    "an exit after ready": ({"start": ['{"type":"ready"}\n', "EXIT"]}, "crash", "act"),
    "another word than ready": ({"start": ['{"type":"steady"}\n']}, "invalid_answer", "start"),
    "ready in another form": ({"start": ['"ready"\n']}, "invalid_answer", "start"),
    "ready that is not JSON": ({"start": ["ready\n"]}, "invalid_answer", "start"),
    "an answer instead of ready": ({"start": [GOOD]}, "invalid_answer", "start"),
    "a greeting that is too long": ({"start": ["x" * 70000 + "\n"]}, "output_limit", "start"),
}

RIGHT: dict[str, dict[str, Any]] = {
    "unknown keys": {"act": ['{"action":"take1","confidence":0.7,"type":"answer"}\n']},
    "spaces": {"act": ['  { "action" : "take1" }  \r\n']},
    "escapes": {"act": ['{"action":"\\u0074ake1"}\n']},
    "pieces": {"act": ['{"act', "WAIT", 'ion":"ta', "WAIT", 'ke1"}', "WAIT", "\n"]},
    "a line of 64 KiB less one": {"act": [padded(MAX_LINE - 1)]},
    "a line of 64 KiB": {"act": [padded(MAX_LINE)]},
    "a note": {"act": ['{"action":"take1","note":"%s"}\n' % ("n" * 600)]},
    "a note that is no text": {"act": ['{"action":"take1","note":17}\n']},
    "something after the end": {"end": [GOOD * 1000, "EXIT"]},
    "a ready with more to say": {"start": ['{"type":"ready","name":"x"}\n']},
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_answer_is_named_and_blamed(case: str, tmp_path: Path) -> None:
    script, kind, stage = WRONG[case]
    bad, good = make_scripted(tmp_path, **script), make_bot(tmp_path, "good")
    watch = Watch(bad, good)
    record = play_bots(bad, good)
    assert [(fault.seat, fault.kind, fault.stage) for fault in record.faults] == [(0, kind, stage)], record.faults
    assert (record.ending, record.ranks, record.outcome) == (kind, (2, 1), None)
    assert record.faults[0].reason
    watch.assert_unharmed(record)


@pytest.mark.parametrize("case", RIGHT)
def test_an_odd_but_right_answer_is_taken(case: str, tmp_path: Path) -> None:
    record = play_bots(make_scripted(tmp_path, **RIGHT[case]), make_bot(tmp_path, "good"))
    assert (record.ending, record.faults) == ("finished", ())
    assert record.actions[0].text == "take1"


def test_a_note_is_cut_to_500_characters(tmp_path: Path) -> None:
    record = play_bots(make_scripted(tmp_path, **RIGHT["a note"]), make_bot(tmp_path, "good"))
    assert [(note.ply, len(note.text)) for note in record.seats[0].notes] == [(0, 500)]


def test_the_fault_of_a_second_answer_is_at_the_next_ply(tmp_path: Path) -> None:
    record = play_bots(make_scripted(tmp_path, act=[GOOD * 2]), make_bot(tmp_path, "good"))
    assert [action.text for action in record.actions] == ["take1"]
    assert (record.faults[0].ply, record.faults[0].kind) == (1, "invalid_answer")


def test_with_three_seats_the_game_goes_on_by_first_legal_actions(tmp_path: Path) -> None:
    bad = make_scripted(tmp_path, act=['{"action":"nonsense"}\n'])
    record = play_bots(make_bot(tmp_path, "good"), bad, make_bot(tmp_path, "good"))
    assert (record.ending, record.outcome is not None) == ("finished", True)
    assert [(fault.seat, fault.ply) for fault in record.faults] == [(1, 1)]
    assert record.ranks is not None
    assert record.ranks[1] == 3
    assert all(action.cpu_ms == 0 for action in record.actions if action.seat == 1)


def test_with_three_seats_and_two_faults_the_game_is_cut_and_the_later_fault_ranks_higher(tmp_path: Path) -> None:
    early = make_scripted(tmp_path, start=["no\n"])
    late = make_scripted(tmp_path, act=["no\n"])
    record = play_bots(late, make_bot(tmp_path, "good"), early)
    assert (record.ending, record.ranks, record.outcome) == ("invalid_answer", (2, 1, 3), None)
    assert [fault.stage for fault in record.faults] == ["start", "act"]


def test_idle_time_over_the_whole_match_is_limited(tmp_path: Path) -> None:
    sleepy = tmp_path / "sleepy.py"
    sleepy.write_text(
        "import time\nfrom seat import play, say\n"
        "def answer(m):\n    time.sleep(0.2)\n    say({'action': 'take1'})\nplay(answer=answer)\n"
    )
    limits = Limits(start_ms=1000, turn_ms=50, bank_ms=200, idle_act_ms=1000, idle_match_ms=500, wall_ms=30_000)
    record = play_bots(make_bot(tmp_path, sleepy), make_bot(tmp_path, "good"), limits=limits)
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(0, "timeout")]
    assert 2 <= record.faults[0].ply <= 8


def test_cpu_beyond_the_allowance_is_taken_from_the_bank_until_it_is_empty(tmp_path: Path) -> None:
    clocks = tmp_path / "thinker.py"
    clocks.write_text(
        "import sys, time\nfrom seat import play, say\n"
        "def answer(m):\n"
        "    sys.stderr.write('%d\\n' % m['clock']['bank_ms'])\n    sys.stderr.flush()\n"
        "    until = time.process_time() + 0.09\n"
        "    while time.process_time() < until: pass\n"
        "    say({'action': 'take1'})\n"
        "play(answer=answer)\n"
    )
    limits = Limits(start_ms=1000, turn_ms=40, bank_ms=120, idle_act_ms=1000, idle_match_ms=5000, wall_ms=30_000)
    record = play_bots(make_bot(tmp_path, clocks), make_bot(tmp_path, "good"), limits=limits)
    banks = [int(word) for word in record.seats[0].stderr.split()]
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(0, "timeout")]
    assert banks[0] == 120
    assert banks == sorted(banks, reverse=True)
    assert 2 <= len(banks) <= 3
    assert all(45 <= before - after <= 90 for before, after in pairwise(banks))


def test_the_start_line_holds_what_was_promised_and_no_seed(tmp_path: Path) -> None:
    teller = tmp_path / "teller.py"
    teller.write_text(
        "import json, sys\nfrom seat import play\n"
        "tell = lambda m: sys.stderr.write(json.dumps(m))\n"
        "play(on_start=tell, on_first_act=tell)\n"
    )
    record = play_bots(make_bot(tmp_path, teller), make_bot(tmp_path, "good"))
    words = record.seats[0].stderr
    for key in ('"protocol": 1', '"game": "countdown"', '"seat": 0', '"seats": 2', '"options": {}', '"turn_ms": 50'):
        assert key in words
    assert f'"bot_seed": {record.seats[0].bot_seed}' in words
    assert '"seed"' not in words
    assert record.seats[0].bot_seed != record.seats[1].bot_seed


@pytest.mark.parametrize("line", [b"", b"{}", b"[]", b'{"action":1}', b"\xff", b'{"action":"a","action":"b"}'])
def test_what_is_no_answer_is_invalid(line: bytes) -> None:
    with pytest.raises(InvalidAnswer):
        read_answer(line)


def test_both_ways_of_reading_an_answer_agree() -> None:
    for text in ("take1", "a6-a7", "", "x y", "{}", "é"):
        quick = read_answer(b'{"action":"%s"}' % text.encode())
        whole = read_answer(b'{"action":"%s","x":1}' % text.encode())
        assert quick.action == whole.action == text


@pytest.mark.parametrize("blank", [b"\x0b", b"\x0c", b"\x1c", b"\xa0"])
def test_a_blank_that_json_does_not_know_is_invalid_however_short_the_answer(blank: bytes) -> None:
    """A form feed was taken in an answer with nothing but an action, and refused beside a note."""
    for line in (blank + b'{"action":"a"}', b'{"action"' + blank + b':"a"}', b'{"action":"a"}' + blank):
        with pytest.raises(InvalidAnswer):
            read_answer(line)


def test_a_key_that_stands_twice_among_seven_thousand_costs_next_to_nothing() -> None:
    """It was looked for by comparing each key with every other."""
    keys = "".join(f',"{number:x}":1' for number in range(7000))
    lines = [f'{{"action":"a"{keys}{last}}}'.encode() for last in ("", ',"1b57":1')]
    costs = []
    for line in lines:
        began = time.process_time()
        for _ in range(5):
            with suppress(InvalidAnswer):
                read_answer(line)
        costs.append(time.process_time() - began)
    with pytest.raises(InvalidAnswer, match="the key '1b57' appears twice"):
        read_answer(lines[1])
    assert costs[1] < 20 * costs[0]


def test_only_ready_is_ready() -> None:
    read_ready(b' {"type":"ready"} ')
    with pytest.raises(InvalidAnswer, match="ready"):
        read_ready(b'{"type":"Ready"}')


def test_control_characters_are_shown_not_sent() -> None:
    assert printable("a\x1b[2Jb\x00\u202ec\n") == "a\\x1b[2Jb\\x00\\u202ec\n"


def test_the_short_limits_are_shorter_than_the_defaults() -> None:
    assert SHORT.bank_ms < Limits().bank_ms


def test_notes_are_counted_as_they_are_kept() -> None:
    """A character that cannot be shown takes more room as an escape."""
    player = Player(seat=0, clock=SeatClock(Limits()), bot_seed=0, memory_mib=64, cpu_s=60)
    for ply in range(300):
        player.note(ply, "\u200b" * 500)
    kept = sum(len(note.text.encode()) for note in player.notes)
    assert NOTES_KEPT // 2 < kept <= NOTES_KEPT
    assert {len(note.text) for note in player.notes} == {MAX_NOTE}
