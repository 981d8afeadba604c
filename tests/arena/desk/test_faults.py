"""What a fault leaves on the desk: a sentence, a hint, the end of the log, and the questions."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from arena.desk.faults import HINTS, LOG_SHOWN, describe, hint, log_end, save_turn, show_fault, starting
from arena.record import FAULT_KINDS, Fault, MatchRecord, SeatReport
from tests.arena.paper import played

ACT = Fault(1, "crash", "act", 3, "exit code 1")
START = Fault(0, "timeout", "start", 0)


def with_log(text: str) -> MatchRecord:
    return replace(played(), seats=(SeatReport(stderr=text), SeatReport(stderr="another's log")))


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (ACT, "crash at ply 3: exit code 1"),
        (START, "timeout at start"),
        (Fault(0, "illegal_action", "act", 0, "'take9'"), "illegal_action at ply 0: 'take9'"),
    ],
)
def test_a_fault_is_told_in_one_sentence(fault: Fault, told: str) -> None:
    assert describe(fault) == told


def test_the_log_is_that_of_the_bot_at_fault_and_its_end() -> None:
    record = with_log("begin" + "x" * LOG_SHOWN + "Traceback: the cause\n\n")
    end = log_end(record, Fault(0, "crash", "act", 1))
    assert end.endswith("Traceback: the cause")
    assert len(end) == LOG_SHOWN
    assert "begin" not in end
    assert log_end(record, Fault(1, "crash", "act", 1)) == "another's log"


def test_hints_are_for_faults_that_there_are() -> None:
    assert set(HINTS) <= set(FAULT_KINDS)


@pytest.mark.parametrize("kind", sorted(HINTS))
def test_every_hint_is_filled_in_with_the_limits_of_the_match(kind: str) -> None:
    told = hint(played(), Fault(0, kind, "act", 3))  # type: ignore[arg-type]
    assert told
    assert "{" not in told


def test_a_crash_says_it_all_by_itself() -> None:
    assert hint(played(), ACT) == ""


def test_at_start_the_time_to_get_ready_counts_and_not_that_of_a_turn() -> None:
    told = hint(played(), START)
    assert "5000 ms of CPU time to get ready" in told
    assert "endless loop" not in told


def framed(fault: Fault, record: MatchRecord, saved: Path | None = None, path: Path = Path("mine.py")) -> str:
    console = Console(file=StringIO(), width=100, color_system=None)
    show_fault(console, "mine [b]", path, record, fault, saved)
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_a_fault_is_framed_with_its_log_and_nothing_in_it_is_markup() -> None:
    told = framed(Fault(0, "crash", "act", 3, "[red]no"), with_log("[bold]IndexError[/]"))
    assert "mine [b] in seat 0: crash" in told
    assert "crash at ply 3: [red]no" in told
    assert "[bold]IndexError[/]" in told


def test_a_bot_that_wrote_nothing_is_said_to() -> None:
    assert "(it wrote nothing to stderr)" in framed(ACT, replace(played(), seats=(SeatReport(), SeatReport())))


def test_the_command_to_ask_again_is_shown_if_the_questions_were_saved() -> None:
    assert "python mine.py < turn-1.jsonl" in framed(ACT, played(), Path("/far/turn-1.jsonl"))
    assert "without clock" not in framed(ACT, played())


@pytest.mark.parametrize(
    ("manifest", "entry", "command"),
    [
        ('name = "a"\ngame = "gatsby"\n', "main.py", "python {}/main.py"),
        ('name = "a"\ngame = "gatsby"\nruntime = "node"\nentry = "main.js"\n', "main.js", "node {}/main.js"),
        ('name = "a"\ngame = "gatsby"\nruntime = "native"\nentry = "bot"\n', "bot", "{}/bot"),
    ],
)
def test_a_folder_is_started_by_its_manifest(tmp_path: Path, manifest: str, entry: str, command: str) -> None:
    (tmp_path / "bot.toml").write_text(manifest)
    (tmp_path / entry).write_text("x")
    assert starting(tmp_path) == command.format(tmp_path)


def test_a_file_is_started_by_python_and_a_zip_by_nobody() -> None:
    assert starting(Path("a/mine.py")) == "python a/mine.py"
    assert starting(Path("mine.zip")) == "THE-UNPACKED-BOT"


def asked(path: Path | None) -> list[dict[str, object]]:
    assert path is not None
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_questions_up_to_the_fault_are_saved_and_no_later_ones(tmp_path: Path) -> None:
    record = played()
    mine = [ply for ply, action in enumerate(record.actions) if action.seat == 1]
    start, *questions = asked(save_turn(record, Fault(1, "crash", "act", mine[1]), tmp_path))
    assert (start["type"], start["seat"]) == ("start", 1)
    assert [question["ply"] for question in questions] == mine[:2]


def test_of_a_fault_at_start_the_start_is_saved(tmp_path: Path) -> None:
    path = save_turn(played(), START, tmp_path)
    assert [line["type"] for line in asked(path)] == ["start"]
    assert path is not None
    assert path.name.endswith("-start.jsonl")


def test_where_nothing_can_be_written_nothing_is_said(tmp_path: Path) -> None:
    assert save_turn(played(), ACT, tmp_path / "nowhere") is None


def test_a_record_that_can_t_be_replayed_has_no_questions(tmp_path: Path) -> None:
    record = played()
    bent = replace(record, actions=(replace(record.actions[0], text="nonsense"), *record.actions[1:]))
    assert save_turn(bent, Fault(1, "crash", "act", 5), tmp_path) is None
