"""Every clause of every rules page has a test, and every field documented is a field sent."""

from __future__ import annotations

import csv
import re

import pytest

from engines import GAMES
from tests.engines.clauses import ROOT, clauses_of, covered_by
from tests.engines.playing import positions, setups_of, views

every_game = pytest.mark.parametrize("name", sorted(GAMES))


@every_game
def test_every_clause_is_cited_by_a_test(name: str) -> None:
    clauses = clauses_of(name)
    assert len(clauses) > 15, f"engines/{name}/RULES.md has too few paragraphs that start with a clause in bold"
    covered = covered_by(name)
    assert [clause for clause in clauses if clause not in covered] == []


@every_game
def test_no_clause_stands_twice_and_no_test_cites_one_that_is_not_there(name: str) -> None:
    clauses = clauses_of(name)
    assert sorted(set(clauses)) == sorted(clauses)
    assert sorted(set(covered_by(name)) - set(clauses)) == []


@every_game
def test_the_fields_documented_are_the_fields_sent(name: str) -> None:
    page = "".join(path.read_text() for path in sorted((ROOT / "engines" / name).glob("*.md")))
    table = page.split("\n## Observation", 1)[1].split("| field |", 1)[1].split("\n\n", 1)[0]
    documented = sorted(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))
    for setup in setups_of(name):
        for state in positions(setup, 51, 4):
            assert all(sorted(view) == documented for view in views(state, setup.seats))


@every_game
def test_every_row_of_the_printed_data_says_whether_it_is_found_inferred_or_rebuilt(name: str) -> None:
    tables = sorted((ROOT / "engines" / name / "data").glob("*.csv"))
    assert tables
    for path in tables:
        with path.open(newline="") as lines:
            assert {row["status"] for row in csv.DictReader(lines)} <= {"found", "inferred", "rebuilt"}, path.name
