"""Which test covers which clause: ``python -m tests.engines.clauses`` prints the table."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEADING = re.compile(r"^\*\*((?:SE|GA|CA|CC) \d+(?:\.\d+)*[a-z]?)\*\*", re.MULTILINE)
CITED = re.compile(r"\b(SE|GA|CA|CC)[ _](\d+(?:[._]\d+)*[a-z]?)", re.IGNORECASE)


def games_with_rules() -> list[str]:
    return sorted(page.parent.name for page in ROOT.glob("engines/*/RULES.md"))


def clauses_of(game: str) -> list[str]:
    """The ids of the clauses that head a paragraph of the rules, in the order of the page."""
    return HEADING.findall((ROOT / "engines" / game / "RULES.md").read_text())


def cited_in(text: str) -> set[str]:
    """Clause ids in a docstring (`SE 4.5`) or in a name (`se_4_5`)."""
    return {f"{game.upper()} {number.replace('_', '.')}" for game, number in CITED.findall(text)}


def covered_by(game: str) -> dict[str, list[str]]:
    """For each clause cited by a test of that game, the tests that cite it."""
    table: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests" / "engines" / game).rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for clause in sorted(cited_in(f"{ast.get_docstring(node) or ''} {node.name}")):
                    table.setdefault(clause, []).append(f"{path.relative_to(ROOT)}::{node.name}")
    return table


def main() -> None:
    for game in games_with_rules():
        table = covered_by(game)
        for clause in clauses_of(game):
            print(f"{clause:10} {', '.join(table.get(clause, ['NO TEST']))}")


if __name__ == "__main__":
    main()
