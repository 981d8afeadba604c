"""What BOTS.md says of actions and of what is pending is what the engine does."""

from __future__ import annotations

import re

from engines.gatsby.actions import TEXTS
from engines.gatsby.choices import CHOICES
from engines.gatsby.game import GAME
from tests.engines.gatsby.scene import scene, see

PAGE = (GAME.folder / "BOTS.md").read_text(encoding="utf-8")


def test_the_table_of_actions_names_the_first_and_the_last_of_each_row() -> None:
    rows = re.findall(r"^\| (\d+)(?: to |, )(\d+) \| (`.*?) \|", PAGE, re.MULTILINE)
    assert [int(first) for first, _, _ in rows] == [0, *(int(last) + 1 for _, last, _ in rows[:-1])]
    assert int(rows[-1][1]) == len(TEXTS) - 1
    for first, last, cell in rows:
        words = re.sub("[`,…]", " ", cell).split()
        assert (words[0], words[-1]) == (TEXTS[int(first)], TEXTS[int(last)])


def test_the_keys_of_pending_are_the_documented_ones() -> None:
    table = PAGE.split("| key |", 1)[1].split("\n\n", 1)[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(see(scene(), "pending"))


def test_every_kind_of_choice_is_documented_with_its_phase() -> None:
    table = PAGE.split("| `ask` |", 2)[2].split("\n\n", 1)[0]
    documented = re.findall(r"^\| `(\w+)` \| `(\w+)` \|", table, re.MULTILINE)
    assert documented == [(row.name, row.phase) for row in CHOICES if row.name != "over"]


def test_the_bound_on_choices_is_the_documented_one() -> None:
    assert f"No seat chooses more than {GAME.max_choices} times" in PAGE


def test_the_rules_version_is_the_documented_one() -> None:
    assert f"| `rules_version` | int | version of these rules | all | `{GAME.rules_version}` |" in PAGE
