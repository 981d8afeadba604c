"""What a worker finds out about itself: whether it can tell foreign time, and what it can play."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arena import abilities, find_abilities, require_fairness, require_sandbox
from arena.sandbox import fairness
from arena.sandbox.counters import CoreTimes
from arena.sandbox.errors import SandboxError, SandboxUnavailable, UnfairClock
from arena.sandbox.fairness import CoreSample
from engines import GAMES

FAIR = CoreSample(core=1, wall_ms=600, counted_ms=610, busy_ms=590, burnt_ms=200)
# What such a machine was seen to do, and the word of the sentence about it.
UNFAIR = {
    "counts stand still": (FAIR._replace(counted_ms=0, busy_ms=0), "the kernel counted 0 ms of core 1"),
    "counts of all cores in one": (FAIR._replace(counted_ms=1200, busy_ms=600), "the kernel counted 1200 ms"),
    "counts of another core": (FAIR._replace(busy_ms=10), "a program used 200 ms of core 1, and the kernel counted 10"),
}


def test_this_machine_counts_what_others_use() -> None:
    require_fairness()


@pytest.mark.parametrize("trial", [FAIR, FAIR._replace(wall_ms=7104, counted_ms=7110, busy_ms=7100)])
def test_counts_that_add_up_are_fair_however_busy_the_core_is(trial: CoreSample) -> None:
    assert trial.problem == ""


@pytest.mark.parametrize("name", UNFAIR)
def test_a_machine_whose_counts_are_not_its_core_s_is_unfair_and_told_why(name: str) -> None:
    trial, words = UNFAIR[name]
    with pytest.raises(UnfairClock, match=words) as refused:
        require_fairness(lambda: trial)
    assert "/proc/stat" in refused.value.cure


def test_one_measurement_that_went_wrong_is_made_again() -> None:
    answers: list[CoreSample | Exception] = [UNFAIR["counts stand still"][0], SandboxError("no line for cpu1"), FAIR]

    def measure() -> CoreSample:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    require_fairness(measure)
    assert answers == []


def test_the_real_measurement_notices_virtual_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    class Virtual:
        def __init__(self, core: int) -> None:
            pass

        def read(self) -> CoreTimes:
            return CoreTimes(0.0, 0.0, 0.0, 0.0)

        def close(self) -> None:
            pass

    monkeypatch.setattr(fairness, "CoreCounters", Virtual)
    monkeypatch.setattr(fairness, "CORE_WAIT_S", 300.0)  # other tests' matches may have every core for long
    with pytest.raises(UnfairClock, match="the kernel counted 0 ms"):
        require_fairness()


def test_where_every_core_plays_a_match_nothing_is_concluded(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def none_free(**_: Any) -> None:
        asked.append("a core")
        raise SandboxUnavailable("no core came free", "wait")

    monkeypatch.setattr(fairness, "lease_core", none_free)
    require_fairness()
    assert asked == ["a core"]  # and not again, as after a measurement that went wrong


def test_abilities_name_runtimes_games_digests_and_limits() -> None:
    found = find_abilities()
    assert found.problem == ""
    assert found.runtimes["python"].startswith("3.")
    assert found.runtimes["native"] == "x86_64"
    assert ("node" in found.runtimes) == require_sandbox().folder.has_node
    assert {found.games[name] for name in ("gatsby",)} == {GAMES["gatsby"].rules_version}
    assert set(found.digests) >= {"engines", "kit", "arena", "code", "root", "game gatsby"}
    assert all(found.digests.values())
    assert found.limits["cores"] > 0
    assert found.missing(["python", "native"]) == []
    assert found.missing(["cobol"]) == ["cobol"]


def test_without_node_there_is_no_node_runtime() -> None:
    bare = replace(require_sandbox().folder, has_node=False)
    assert "node" not in abilities.runtimes_of(bare)


def test_who_has_no_sandbox_can_do_nothing_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_wall() -> None:
        raise SandboxUnavailable("bwrap is missing.", "install it.")

    monkeypatch.setattr(abilities, "require_sandbox", no_wall)
    found = find_abilities.__wrapped__()
    assert found.runtimes == {}
    assert "bwrap is missing" in found.problem
    assert found.as_json()["problem"] == found.problem
