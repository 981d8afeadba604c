"""docs/10-protocol.md shows what the arena really sends and takes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from arena import Limits, MatchOrder
from arena.bundle.archive import BundleLimits
from arena.bundle.manifest import KEYS, RUNTIMES, read_manifest
from arena.players import MAX_OUTPUT
from arena.protocol import MAX_LINE, MAX_NOTE, InvalidAnswer, act_line, end_line, read_answer, read_ready, start_line
from arena.record import FaultKind
from engines import GAMES, State

PAGE = (Path(__file__).parents[2] / "docs" / "10-protocol.md").read_text(encoding="utf-8")
ORDER = MatchOrder(game="gatsby", rules_version=GAMES["gatsby"].rules_version, seed=7, seats=("0" * 64, "1" * 64))


def examples(mark: str) -> list[str]:
    """The fenced blocks of the page with this mark behind their language."""
    return re.findall(rf"```\w+ {mark}\n(.*?)\n```", PAGE, re.DOTALL)


def rows(head: str) -> list[list[str]]:
    """The cells of the table that begins with this header cell."""
    table = PAGE.split(f"| {head} |", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def first_turn() -> State:
    state = GAMES["gatsby"].new(seats=2, seed=7)
    for text in ("pick:S6", "c11"):
        state.apply(state.parse(text))
    return state


LEGAL = [first_turn().format(action) for action in first_turn().legal_actions()]


def test_the_start_line_is_the_one_the_referee_sends() -> None:
    (example,) = examples("start")
    assert example.encode() + b"\n" == start_line(ORDER, {}, 1, 1923)


def test_the_ready_line_is_taken() -> None:
    (example,) = examples("ready")
    read_ready(example.encode())


def test_the_act_line_is_the_one_the_referee_sends() -> None:
    (example,) = examples("act")
    sent = act_line(2, first_turn().observe(1), LEGAL, ORDER.limits.turn_ms, ORDER.limits.bank_ms)
    assert json.loads(example) == json.loads(sent)


def test_the_end_line_is_the_one_the_referee_sends() -> None:
    (example,) = examples("end")
    assert example.encode() + b"\n" == end_line((1, 2), "finished", "five_families")


@pytest.mark.parametrize("line", examples("answer"))
def test_an_answer_shown_is_read_and_legal(line: str) -> None:
    assert read_answer(line.encode()).action in LEGAL


@pytest.mark.parametrize(("line", "fault"), rows("line"))
def test_a_line_that_is_no_answer_is_the_fault_it_is_said_to_be(line: str, fault: str) -> None:
    try:
        found = "legal" if read_answer(line.strip("`").encode()).action in LEGAL else "illegal_action"
    except InvalidAnswer:
        found = "invalid_answer"
    assert fault == f"`{found}`"


def test_every_kind_of_fault_is_listed() -> None:
    assert {row[0].strip("`") for row in rows("kind")} == set(get_args(FaultKind))


def test_every_limit_is_listed_with_its_default() -> None:
    listed = {row[0].strip("`"): int(row[1]) for row in rows("limit")}
    assert listed == {item.name: getattr(Limits(), item.name) for item in fields(Limits)}


def test_the_sizes_are_those_that_are_enforced() -> None:
    limits = BundleLimits()
    assert (MAX_LINE, MAX_NOTE, MAX_OUTPUT) == (65_536, 500, 16 * 1024 * 1024)
    told = f"{limits.upload_bytes >> 20} MiB packed, {limits.unpacked_bytes >> 20} MiB unpacked, {limits.files} files"
    assert f"{told}, a compression ratio of {limits.ratio}" in PAGE
    assert "cut\nto 500 characters" in PAGE
    assert "more than 16 MiB" in PAGE


def test_the_manifest_shown_is_taken_and_every_key_and_runtime_is_told() -> None:
    (example,) = examples("manifest")
    assert read_manifest(example.encode()).game == "gatsby"
    assert tuple(row[0].strip("`") for row in rows("key")) == KEYS
    assert tuple(row[0].strip("`") for row in rows("runtime")) == RUNTIMES


def test_the_bot_without_a_kit_answers() -> None:
    (program,) = examples("whole")
    lines = "\n".join(examples("start") + examples("act") + examples("end")) + "\n"
    done = subprocess.run([sys.executable, "-c", program], input=lines, capture_output=True, text=True, timeout=300)
    ready, answer = done.stdout.splitlines()
    read_ready(ready.encode())
    assert read_answer(answer.encode()).action in LEGAL
