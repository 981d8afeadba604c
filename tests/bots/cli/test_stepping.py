"""Stepping through a match at the keyboard, and the questions a check asks before it plays."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from arena.bundle import BundleRejected
from arena.desk import check as checking
from arena.desk.check import CannotCheck, CheckReport, check_upload, show_trial
from arena.desk.trials import Trial
from arena.desk.upload import Upload
from arena.record import Fault, MatchRecord
from bots.cli.output import Stop
from bots.cli.replay import names_of, replay
from tests.arena.paper import played

GOOD = Upload("mine.py", b"print()\n", Path("mine.py"))
Typed = Callable[..., list[str]]


@pytest.fixture
def match(tmp_path: Path) -> Path:
    path = tmp_path / "match.json"
    path.write_text(json.dumps(played("gatsby").as_json()))
    return path


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Somebody at a terminal who types these words; returns the prompts that were shown."""

    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    def type_in(*words: str) -> list[str]:
        prompts: list[str] = []
        rest = iter(words)

        def answer(prompt: str) -> str:
            prompts.append(prompt.split("]")[0].strip("["))
            word = next(rest, None)
            if word is None:
                raise EOFError
            return word

        monkeypatch.setattr("builtins.input", answer)
        return prompts

    monkeypatch.setattr(sys, "stdin", Terminal())
    return type_in


def places(prompts: list[str]) -> list[int]:
    return [int(prompt.split("/")[0]) for prompt in prompts]


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        (["", "", "q"], [0, 1, 2]),
        (["b", "q"], [0, 0]),
        (["5", "b", "q"], [0, 5, 4]),
        ([" 5 ", "Q"], [0, 5]),
        (["nonsense", "q"], [0, 1]),
        (["9" * 5000, "q"], [0, 1]),
        ([], [0]),
    ],
)
def test_one_steps_on_back_and_to_a_ply(match: Path, keyboard: Typed, typed: list[str], seen: list[int]) -> None:
    prompts = keyboard(*typed)
    replay(match)
    assert places(prompts) == seen


def test_nobody_steps_beyond_the_end(match: Path, keyboard: Typed) -> None:
    last = len(played("gatsby").actions)
    prompts = keyboard("99999", "", "q")
    replay(match)
    assert places(prompts) == [0, last, last]


@pytest.mark.parametrize(("ply", "first"), [(3, 3), (99999, len(played("gatsby").actions))])
def test_one_may_begin_in_the_middle(match: Path, keyboard: Typed, ply: int, first: int) -> None:
    prompts = keyboard("q")
    replay(match, ply=ply)
    assert places(prompts) == [first]


def test_every_ply_is_told_in_words_with_the_names_that_were_given(match: Path, capsys) -> None:
    replay(match, names=["Ann", "Bob"], all_plies=True)
    told = capsys.readouterr().out
    assert "seat 0 (Ann)" in told
    assert told.rstrip().splitlines()[-1].startswith("finished: seat 0 (Ann) rank")


def test_frames_are_for_programs(match: Path, capsys) -> None:
    replay(match, as_json=True)
    frames = json.loads(capsys.readouterr().out)
    assert [frame["ply"] for frame in frames] == list(range(len(played("gatsby").actions) + 1))


def test_a_page_that_can_t_be_written_is_told_so(match: Path, tmp_path: Path) -> None:
    with pytest.raises(Stop, match="can't be written: No such file or directory"):
        replay(match, html=tmp_path / "nowhere" / "page.html")


@pytest.mark.parametrize(
    ("given", "kept", "called"),
    [
        ((), (), []),
        (("Ann",), (), ["Ann", ""]),
        ((), ("x", "y"), ["x", "y"]),
        (("", "Bob"), ("x", "y"), ["x", "Bob"]),
        (("Ann", "Bob", "Eve"), (), ["Ann", "Bob"]),
    ],
)
def test_what_is_given_comes_before_what_is_kept(given: tuple, kept: tuple, called: list[str]) -> None:
    record: MatchRecord = replace(played("gatsby"), names=kept)
    assert names_of(record, given) == called


@pytest.fixture
def trials(monkeypatch: pytest.MonkeyPatch) -> list[Trial]:
    """The trials that would be held, told beforehand; nothing is played."""
    held: list[Trial] = []
    asked: dict[str, object] = {}

    def hold(upload: Upload, game: str, tables: tuple[int, ...], **more: object) -> Iterator[Trial]:
        asked.update(game=game, tables=tables, **more)
        yield from held

    monkeypatch.setattr(checking, "hold_trials", hold)
    monkeypatch.setattr(checking, "require_sandbox", lambda: asked.update(sandbox=True))
    monkeypatch.setattr(checking, "asked", asked, raising=False)
    return held


def test_a_file_that_names_no_game_needs_one(trials: list[Trial]) -> None:
    with pytest.raises(CannotCheck, match=r"mine\.py does not name its game; add --game with one of"):
        check_upload(GOOD, game=None)


@pytest.mark.parametrize("seats", [[1], [2, 9]])
def test_seats_that_a_game_has_not_are_refused_before_anything_is_played(trials: list[Trial], seats: list[int]) -> None:
    with pytest.raises(CannotCheck, match=f"cotton_club can't be played with {seats[-1]} seats; choose from 2, 3, 4"):
        check_upload(GOOD, game="cotton_club", seats=seats)


@pytest.mark.parametrize(("seats", "tables"), [([4, 2, 4], (2, 4)), ([3], (3,))])
def test_every_table_is_tried_once_the_smallest_first(trials: list[Trial], seats: list[int], tables: tuple) -> None:
    check_upload(GOOD, game="cotton_club", seats=seats)
    assert checking.asked["tables"] == tables  # type: ignore[attr-defined]


@pytest.mark.parametrize("trust", [True, False])
def test_a_sandbox_is_needed_unless_the_file_is_trusted(trials: list[Trial], trust: bool) -> None:
    check_upload(GOOD, game="gatsby", trust=trust)
    assert ("sandbox" in checking.asked) is not trust  # type: ignore[attr-defined]


def test_a_bundle_that_is_none_is_not_even_tried(trials: list[Trial]) -> None:
    with pytest.raises(BundleRejected):
        check_upload(Upload("mine.zip", b"no zip", Path("mine.zip")), game="gatsby")
    assert checking.asked == {}  # type: ignore[attr-defined]


def test_a_report_without_a_failure_is_good(trials: list[Trial]) -> None:
    report = check_upload(GOOD, game="gatsby")
    assert isinstance(report, CheckReport)
    told = report.as_json()
    assert (told["ok"], told["game"], told["log"], told["turn"]) == (True, "gatsby", "", None)
    assert told["digest"] == report.bundle.digest


@pytest.mark.parametrize(
    ("trial", "told"),
    [
        ({"kind": "self", "status": "passed", "reason": ""}, "gatsby-2, with itself: passed\n"),
        ({"kind": "house", "status": "failed", "reason": "[b]"}, "gatsby-2, against house random: failed: [b]\n"),
        ({"kind": "house", "status": "skipped", "reason": "none"}, "gatsby-2, against house random: skipped: none\n"),
    ],
)
def test_a_trial_is_told_in_a_line(trial: dict[str, str], told: str) -> None:
    console = Console(file=StringIO(), width=200, color_system=None)
    show_trial(console, {"ladder": "gatsby-2", **trial})
    assert console.file.getvalue() == told  # type: ignore[attr-defined]
    show_trial(None, trial)


def test_faults_of_one_moment_are_no_reason_to_crash() -> None:
    record = played("gatsby", faults=(Fault(0, "crash", "act", 3), Fault(1, "crash", "act", 3)))
    assert record.ranks == (1, 1)
