"""The house is laid out as its pages say, and its checks fail when they should."""

import ast
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


def imported_names(path):
    for node in ast.walk(ast.parse(path.read_text())):
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
