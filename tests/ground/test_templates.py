"""Templates have one element a line: a diff shows what changed, and djlint keeps the rest of the format."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "ladder" / "web" / "templates"
BLOCKS = "div|p|section|table|thead|tbody|tr|th|td|caption|ul|ol|li|h[1-6]|dl|dt|dd|form|nav|header|footer|main|article"
OPENING = re.compile(rf"<(?:{BLOCKS})\b")


def crowded(text: str) -> list[str]:
    return [line.strip()[:100] for line in text.splitlines() if len(OPENING.findall(line)) > 1]


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.html")), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_line_opens_one_element_at_most(path: Path) -> None:
    assert not crowded(path.read_text()), "run make format"


def test_a_crowded_line_is_found() -> None:
    assert crowded("<ul><li>one</li></ul>\n<p>two</p>") == ["<ul><li>one</li></ul>"]
