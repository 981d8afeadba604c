"""Compiled engines against the pure ones: in turns, each turn a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from statistics import median
from typing import Any

from engines.compiled import SETTING

BUILDS = ("pure", "compiled")
FIGURES = ("moves_per_second", "legal_us", "copy_us", "observe_us", "imagine_us")


def compare_builds(*, names: list[str], rounds: int, seconds: float) -> str:
    """A table with the median of each figure over all turns; raises CalledProcessError where there is no build."""
    found: dict[tuple[str, str, str], list[float]] = {}
    for _ in range(rounds):
        for name in names:
            for build in BUILDS:
                for one in measure_apart(build, name, seconds):
                    for figure in FIGURES:
                        found.setdefault((f"{one['game']}-{one['seats']}", figure, build), []).append(one[figure])
    lines = [f"{'game':15}{'figure':18}{'pure':>12}{'compiled':>12}{'times as fast':>15}"]
    for table, figure in dict.fromkeys((table, figure) for table, figure, _ in found):
        pure, fast = (median(found[table, figure, build]) for build in BUILDS)
        ratio = fast / pure if figure == "moves_per_second" else pure / fast
        lines.append(f"{table:15}{figure:18}{pure:12,.2f}{fast:12,.2f}{ratio:15.2f}")
    return "\n".join(lines)


def measure_apart(build: str, name: str, seconds: float) -> list[dict[str, Any]]:
    """One turn of one build."""
    command = [sys.executable, "-m", "benchmarks.engines", "--json", "--rounds", "1", "--game", name]
    done = subprocess.run(
        [*command, "--seconds", str(seconds)], env={**os.environ, SETTING: build}, stdout=subprocess.PIPE, check=True
    )
    figures: list[dict[str, Any]] = json.loads(done.stdout)["figures"]
    return figures
