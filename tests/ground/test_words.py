"""Phrases that no native speaker would write, and that may not come back."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PHRASES = (
    "of the Prohibition",
    "would teach something",
    "What is taken",
    "has a slip",
    "a letter with a link",
    "among the unwanted ones",
    "Look into your mail",
    "Nothing stands here",
    "sure rating",
    "Nothing fits",
    "Not yours to do",
    "Our own failure",
    "Prove it",
    "by hand</a>",
    "looks again by itself",
    "Not possible like this",
    "Not both found",
    "Nobody yet",
    "shown itself lately",
    "do not belong together",
    "only through the eyes",
    "Whose eyes;",
    "There is room again",
    "is switched off",
    "Mend what",
    "upload it whole",
    "It is paired no more",
    "that wait are called off",
    "the most there may be",
    "were not to be had",
    "Is it well?",
    "it stands here",
    "stands here when",
    "stands here as soon",
    "stand here while",
    "then stand here",
    "stands on every page",
    "Whom you follow",
    "How true is",
    "small time bank",
    "got a core",
    "Leave it as it is",
    "It stands next to",
    "is being played since",
    "ends before it.",
    "goes into “Authorize”",
    "if they come without",
    "points of a hundred more",
    "What all know",
    "On one ply",
    "fell silent. The",
    "Hands are opened",
    "Arrows walk",
    "marks that turn text round",
    "% are asked for",
    '95 % sure"',
    "stands twice",
    "sends you on to",
    "it can't be told whose",
    "brought back and would have",
    "opened it to people",
    "It waits for a free",
)
COLUMN_DO = re.compile(r"<th[^>]*>\s*Do\s*</th>")
WHERE = ("ladder/**/*.html", "ladder/**/*.py", "arena/**/*.py", "bots/**/*.py", "engines/**/*.py", "engines/*/*.md",
         "docs/*.md", "bots/**/*.md", "ladder/web/static/web/*.js", "arena/viewer/*.js",
         "README.md", "CONTRIBUTING.md")  # fmt: skip
FILES = sorted({path for pattern in WHERE for path in ROOT.glob(pattern) if "migrations" not in path.parts})


def found(text: str) -> list[str]:
    """The phrases in a text, wherever its lines break."""
    flat = " ".join(text.split())
    return [phrase for phrase in PHRASES if phrase in flat] + COLUMN_DO.findall(text)


def test_what_users_read_is_looked_at() -> None:
    kinds = {path.suffix for path in FILES}
    assert {".html", ".py", ".md", ".js"} <= kinds
    assert ROOT / "README.md" in FILES


@pytest.mark.parametrize("phrase", [*PHRASES, "<th scope='col'>Do</th>"])
def test_a_phrase_is_found_across_lines(phrase: str) -> None:
    assert found("Read: " + phrase.replace(" ", "\n  ", 1) if phrase in PHRASES else phrase)


def test_no_phrase_came_back() -> None:
    back = {str(path.relative_to(ROOT)): found(path.read_text()) for path in FILES}
    assert not {path: phrases for path, phrases in back.items() if phrases}
