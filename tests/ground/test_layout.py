"""The house is laid out as its pages say, and its checks fail when they should."""

import ast
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.ground.modules import PACKAGES, module_lines

ROOT = Path(__file__).resolve().parents[2]
ALLOWED = {"engines", "bots", "numpy", "orjson", *sys.stdlib_module_names}


def test_the_list_of_modules_has_one_line_for_every_module():
    page = (ROOT / "docs" / "modules.md").read_text()
    missing = [line for line in module_lines() if line and line not in page]
    assert not missing, "run scripts/architecture_page"


def hops(way):
    """The steps of a way through the code, as the page about the architecture tells it."""
    page = (ROOT / "docs" / "1-architecture.md").read_text()
    told = page.split(f"## {way}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| \d+ \| `(ladder/\S+\.py)` `(\w+)`", told, re.MULTILINE)


def named_in_rooms():
    """Each place that the table of rooms names, with the rooms it may stand in."""
    page = (ROOT / "docs" / "1-architecture.md").read_text()
    told = page.split("## Room by room\n")[1].split("\n## ")[0].replace("GAME", "gatsby")
    for row in re.findall(r"^\| (`.*) \|$", told, re.MULTILINE):
        rooms, places = (re.findall(r"`([^` ]+)`", cell) for cell in row.split(" | "))
        yield from ((rooms, place) for place in places)


def test_everything_that_the_table_of_rooms_names_stands_there():
    named = list(named_in_rooms())
    assert len(named) > 100
    missing = [
        (rooms, place)
        for rooms, place in named
        if not any((ROOT / room / f"{place}{end}").exists() for room in rooms for end in ("", ".py"))
    ]
    assert missing == []


def layers():
    """The rooms of the ladder, highest first, as import-linter holds them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    order = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return {room.strip(): height for height, line in enumerate(order) for room in line.split("|")}


@pytest.mark.parametrize("way", ["The way of a submitted bot", "The way of a tournament"])
def test_the_ways_through_the_code_are_as_the_page_tells_them(way):
    steps = hops(way)
    assert len(steps) > 10
    missing = [(file, name) for file, name in steps if f"def {name}(" not in (ROOT / file).read_text()]
    assert missing == []


@pytest.mark.parametrize("way", ["The way of a submitted bot", "The way of a tournament"])
def test_a_way_leads_up_only_through_the_pipeline_or_back_to_who_called(way):
    height = layers()
    rooms = [Path(file).parts[1].removesuffix(".py") for file, _ in hops(way)]
    importers = {room: imported_rooms(room) for room in set(rooms)}
    climbs = [(room, above) for room in importers for above in importers[room] if height[above] < height[room]]
    assert climbs == []


def imported_rooms(room):
    folder = ROOT / "ladder" / room
    files = folder.rglob("*.py") if folder.is_dir() else [folder.with_suffix(".py")]
    names = {name for file in files if "migrations" not in file.parts for name in imported_names(file)}
    return {name.split(".")[1] for name in names if name.startswith("ladder.") and name.split(".")[1] in layers()}


def parsed(path):
    """The syntax tree of a file; Python 3.11 now and then loses count of its own depth, and not twice."""
    try:
        return ast.parse(path.read_text())
    except SystemError:
        return ast.parse(path.read_text())


def imported_names(path):
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@pytest.mark.parametrize("folder", ["house", "starter"])
def test_bots_import_only_what_the_runtime_has(folder):
    files = list((ROOT / "bots" / folder).rglob("*.py"))
    assert files
    for path in files:
        names = set(imported_names(path))
        assert {name.split(".")[0] for name in names} <= ALLOWED, path
        assert not any(name.startswith("bots.") and not name.startswith("bots.kit") for name in names), path


def test_nothing_that_is_shipped_knows_the_benchmarks():
    shipped = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    knowing = [path for path in shipped if any(name.split(".")[0] == "benchmarks" for name in imported_names(path))]
    assert not knowing
    assert "benchmarks" in (ROOT / ".dockerignore").read_text().splitlines()
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]["include"]
    assert not any(fnmatch("benchmarks", pattern) for pattern in wheel)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "text", "command"),
    [
        ("engines/wrong.py", "import os\n", ["ruff", "check", "engines"]),
        ("engines/wrong.py", "def f(x):\n    return x\n", ["mypy", "--strict", "engines/wrong.py"]),
        ("engines/wrong.py", "import arena\n", ["lint-imports", "--no-cache"]),
        (
            "tests/test_wrong.py",
            "def test_wrong():\n    assert False\n",
            ["pytest", "-q", "-n", "0", "tests/test_wrong.py"],
        ),
    ],
)
def test_each_check_fails_when_it_should(tmp_path, file, text, command):
    tree = tmp_path / "tree"
    tree.mkdir()
    for name in ("engines", "arena", "bots", "ladder", "pyproject.toml", "tests/settings.py", "tests/__init__.py"):
        target = tree / name
        target.parent.mkdir(exist_ok=True, parents=True)
        subprocess.run(["cp", "-r", str(ROOT / name), str(target)], check=True)
    (tree / file).write_text(text)
    tool = Path(sys.executable).with_name(command[0])
    result = subprocess.run([str(tool), *command[1:]], cwd=tree, capture_output=True, text=True, timeout=300)
    assert result.returncode != 0, result.stdout
    assert "wrong" in result.stdout + result.stderr
