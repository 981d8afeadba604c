"""The page about the arena names what the code has."""

from __future__ import annotations

import json
import re
from pathlib import Path

from arena import FAULT_KINDS, BundleRejected, apply_changes
from arena.sandbox.profile import LAYERS
from arena.sandbox.runtimes import RUNTIME_KINDS
from arena.sandbox.syscalls import ALLOWED

PAGE = (Path(__file__).parents[2] / "docs" / "5-arena.md").read_text()


def test_every_fault_rejection_layer_and_runtime_is_on_the_page() -> None:
    codes = [kind.code for kind in BundleRejected.__subclasses__()]
    missing = [name for name in (*FAULT_KINDS, *codes, *LAYERS, *RUNTIME_KINDS) if f"`{name}`" not in PAGE]
    assert missing == []


def test_the_page_counts_the_system_calls_right() -> None:
    assert re.findall(r"allow-list of (\d+) system calls", PAGE) == [str(len(ALLOWED))]


def test_the_example_of_a_change_can_be_applied() -> None:
    frame = json.loads(next(line for line in PAGE.splitlines() if line.startswith('{"ply": 1')))
    state = apply_changes({"to_act": 0, "board": ["", "", "", ""]}, frame["changes"])
    assert state == {"to_act": 1, "board": ["", "", "", "M"]}
