"""A name has one meaning, and nobody asks a format or a game for its name: what it needs to say, it says itself."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from engines import GAMES
from ladder.tournaments.formats import FORMATS

ROOT = Path(__file__).resolve().parents[2]
HOMES = ("migrations", "formats", "house", "starter", "policies", "values", "boards")  # each has a file for each name
# The same thing in several forms: for authors and on the server, planned and stored, computed and served.
SAME = {
    "Bot", "Bundle", "CrossRow", "Deal", "Entrant", "ExportView", "Fit", "Floats", "Ints", "Match", "Playthrough",
    "Position", "SeasonLine", "SeatLine", "TokenLine", "Trial", "UnsafeName", "Upload",
}  # fmt: skip


def sources(folder, ending):
    found = sorted((ROOT / folder).rglob(f"*{ending}"))
    return [path for path in found if not set(HOMES) & set(path.relative_to(ROOT).parts)]


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


def defined(tree):
    """The classes and the aliases of types that a module defines."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield from re.findall(r"^[A-Z]+[a-z]\w*$", node.targets[0].id)


def test_no_two_modules_give_one_name_to_different_things():
    homes = defaultdict(list)
    for folder in ("engines", "arena", "bots", "ladder"):
        for path in sources(folder, ".py"):
            if "commands" not in path.parts:
                for name in defined(ast.parse(path.read_text())):
                    homes[name].append(str(path.relative_to(ROOT)))
    several = {name: found for name, found in homes.items() if len(found) > 1}
    assert {name: found for name, found in several.items() if name not in SAME} == {}
    assert set(several) >= SAME, "these have one home by now"
