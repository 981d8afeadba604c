import re
from pathlib import Path

from ladder.environment import VARIABLES

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| `([A-Z_]+)` \| (.+?) \| (.+) \|$", re.MULTILINE)


def test_the_settings_page_lists_every_variable_with_its_default_and_meaning():
    page = (ROOT / "docs" / "2-settings.md").read_text()
    documented = {name: (default.strip("`"), meaning) for name, default, meaning in ROW.findall(page)}
    expected = {v.name: (v.written or "(empty)", v.meaning) for v in VARIABLES}
    assert documented == expected


def test_no_code_reads_a_variable_that_is_not_listed():
    pattern = re.compile(r"""(?:environ(?:\.get)?[\[(]|read(?:_\w+)?\()["'](RUMRUNNER_[A-Z_]+|HOST|PORT)["']""")
    listed = {v.name for v in VARIABLES}
    sources = [p for folder in ("ladder", "arena") for p in (ROOT / folder).rglob("*.py")]
    used = {name for path in sources for name in pattern.findall(path.read_text())}
    assert used
    assert used <= listed
