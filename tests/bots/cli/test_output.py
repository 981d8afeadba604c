"""How commands end: one line for people, one JSON value for programs, and the code that the tutorial lists."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import typer

from bots.cli import main
from bots.cli.main import COMMANDS, app
from bots.cli.output import Code, Stop, progress, show_json, stop

TUTORIAL = (Path(__file__).parents[3] / "docs" / "3-tutorial.md").read_text()


def test_every_code_is_in_the_tutorial() -> None:
    listed = {int(number) for number in re.findall(r"^\| (\d) \|", TUTORIAL, re.MULTILINE)}
    assert listed == {int(code) for code in Code}


def test_every_code_is_in_the_first_line_of_the_help() -> None:
    told = app.info.help or ""
    assert [int(number) for number in re.findall(r"\b(\d) ", told)] == sorted(int(code) for code in Code)


@pytest.mark.parametrize(("code", "kind"), [(Code.NO, "no"), (Code.SIGN_IN, "sign_in"), (Code.USAGE, "usage")])
def test_a_problem_without_a_name_is_called_by_its_code(code: Code, kind: str) -> None:
    assert Stop("so it is.", code).kind == kind
    assert Stop("so it is.", code, kind="other").kind == "other"


def test_a_problem_is_told_to_people_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended:
        stop(Stop("there is no [b]bot[/b].", Code.USAGE), as_json=False)
    told = capsys.readouterr()
    assert (ended.value.exit_code, told.out) == (2, "")
    assert told.err == "Error: there is no [b]bot[/b].\n"


def test_a_problem_is_told_to_programs_on_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        stop(Stop("no.", Code.SERVER, kind="unreachable"), as_json=True)
    told = capsys.readouterr()
    assert json.loads(told.out) == {"error": {"code": "unreachable", "message": "no."}}
    assert told.err == ""


def test_what_the_answer_has_told_already_is_not_told_twice(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended:
        stop(Stop("rejected.", is_in_answer=True), as_json=True)
    assert (ended.value.exit_code, capsys.readouterr().out) == (1, "")


def test_a_json_value_is_one_document_with_an_end(capsys: pytest.CaptureFixture[str]) -> None:
    show_json({"bot": "über", "seats": [0, 1]})
    told = capsys.readouterr().out
    assert told.endswith("}\n")
    assert json.loads(told) == {"bot": "über", "seats": [0, 1]}


def test_a_file_name_that_is_no_text_is_written_with_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    show_json({"file": "a\udcff.py"})
    assert json.loads(capsys.readouterr().out) == {"file": "a\udcff.py"}


def test_where_nobody_looks_there_is_no_bar() -> None:
    assert progress().disable


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_says_what_it_does_in_a_sentence(name: str) -> None:
    told = (COMMANDS[name].__doc__ or "").strip()
    assert told[0].isupper()
    assert told.endswith(".")


@pytest.mark.parametrize(
    ("words", "code"), [(["--json", "nonsense"], 2), (["play", "--json"], 2), (["status", "--json", "--wrong"], 2)]
)
def test_a_command_that_can_t_be_understood_is_told_in_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], code: int
) -> None:
    monkeypatch.setattr("sys.argv", ["rumrunner", *words])
    with pytest.raises(SystemExit) as ended:
        main.main()
    assert ended.value.code == code
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "usage"
