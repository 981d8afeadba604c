"""The recipes of CONTRIBUTING.md, followed to the letter."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engines import GAMES
from ladder.tournaments.formats import FORMATS, Format, Plan

ROOT = Path(__file__).resolve().parents[2]


def block(mark: str) -> str:
    """The one block of the page with this mark."""
    found = re.findall(rf"```{mark}\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.S)
    assert len(found) == 1
    return str(found[0])


def names_of(mark: str) -> dict[str, Any]:
    """What a block of Python defines."""
    names: dict[str, Any] = {"__name__": mark}
    exec(compile(block(mark), f"<{mark}>", "exec"), names)
    return names


@pytest.mark.slow
def test_the_recipe_for_a_game_gives_one_that_keeps_every_promise(tmp_path: Path) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["sh", "-e", "-c", block("sh game")], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "my_game keeps all" in done.stdout


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (7, 2), (9, 4)])
def test_the_recipe_for_a_format_draws_every_table_once(
    entrants: int, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    new: Format = names_of("python format")["Neighbours"]()
    monkeypatch.setitem(FORMATS, new.name, new)
    plan = Plan(entrants=entrants, seats=seats, seed=7)
    FORMATS["neighbours"].check(plan)
    assert isinstance(new, Format)
    tables = list(new.draw(plan, 0, []).tables)
    assert new.tables_through(plan, 0, []) == len(tables)
    assert [table.number for table in tables] == list(range(new.table_count(plan)))
    assert {entrant for table in tables for entrant in table.entrants} == set(range(entrants))
    assert all(len(set(table.entrants)) == seats for table in tables)
    assert list(new.draw(plan, 0, [], first=1).tables) == tables[1:]


def test_the_recipe_for_a_field_puts_it_into_the_answer_and_the_schema() -> None:
    names = names_of("python field")
    shown = names["GameLineWithFewest"](names["line_with_fewest"](GAMES["capone"]))
    assert shown.data["fewest_seats"] == 3
    assert shown.data["name"] == "capone"
    assert shown.fields["fewest_seats"].help_text == "The smallest table."
