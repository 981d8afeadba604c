"""Nobody asks a format or a game for its name to know what to do: what it needs to say, it says itself."""

import ast
from pathlib import Path

import pytest

from engines import GAMES
from ladder.tournaments.formats import FORMATS

ROOT = Path(__file__).resolve().parents[2]
HOMES = ("migrations", "formats", "house", "starter", "policies", "values", "boards")  # each has a file for each name


def sources(folder, ending):
    return [path for path in sorted((ROOT / folder).rglob(f"*{ending}")) if not set(HOMES) & set(path.parts)]


def named(tree, names):
    """Lines in which one of these names is compared with, or is a key or a choice."""
    for node in ast.walk(tree):
        held = []
        if isinstance(node, ast.Compare):
            held = [node.left, *node.comparators]
        elif isinstance(node, ast.Dict):
            held = [key for key in node.keys if key is not None]
        held += [item for one in held if isinstance(one, ast.Tuple | ast.List | ast.Set) for item in one.elts]
        if any(isinstance(one, ast.Constant) and one.value in names for one in held):
            yield node.lineno


@pytest.mark.parametrize("folder", ["ladder", "arena", "bots"])
def test_no_python_asks_for_a_format_or_a_game_by_name(folder):
    names = {*FORMATS, *GAMES}
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sources(folder, ".py")
        for line in named(ast.parse(path.read_text()), names)
    ]
    assert found == []


def test_no_template_asks_for_a_format_or_a_game_by_name():
    names = [f'"{name}"' for name in (*FORMATS, *GAMES)]
    pages = sources("ladder/web/templates", ".html")
    assert [(page.name, name) for page in pages for name in names if name in page.read_text()] == []
