"""What a public forge and a newcomer's editor need is there and fits the rest."""

import re
import tomllib
from pathlib import Path

import yaml

from arena.version import VERSION

ROOT = Path(__file__).resolve().parents[2]


def test_the_workflow_runs_what_every_change_must_pass():
    steps = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]["run"]["steps"]
    assert ".ci/run" in [step.get("run") for step in steps]


def test_hooks_call_tools_that_make_dev_installs():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    wanted = {hook["entry"].split()[0].rsplit("/", 1)[-1] for hook in hooks}
    locked = (ROOT / "requirements-dev.txt").read_text()
    packages = {"lint-imports": "import-linter"}
    assert wanted
    assert all(re.search(rf"(?m)^{packages.get(tool, tool)}==", locked) for tool in wanted)


def test_the_version_is_said_once():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["tool"]["setuptools"]["dynamic"]["version"]["attr"] == "arena.version.VERSION"
    said = re.compile(rf"""VERSION = ["']{re.escape(VERSION)}["']""")
    sources = [path for folder in ("arena", "bots", "engines", "ladder") for path in (ROOT / folder).rglob("*.py")]
    assert [path.name for path in sources if said.search(path.read_text())] == ["version.py"]


def test_every_shipped_package_says_that_it_is_typed():
    assert all((ROOT / package / "py.typed").exists() for package in ("arena", "bots", "engines"))
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["*"]
    assert "py.typed" in data


def test_the_glossary_has_one_short_line_for_each_word():
    rows = re.findall(r"(?m)^\| \*\*(.+?)\*\* \| (.+) \|$", (ROOT / "docs/glossary.md").read_text())
    words = [word for word, _ in rows]
    assert len(words) >= 30
    assert words == sorted(words)
    assert all(len(meaning) <= 120 for _, meaning in rows)
