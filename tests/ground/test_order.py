"""The order of the tests themselves."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from tests.order import long_ones_first


@dataclass(frozen=True)
class Item:
    path: str
    number: int
    mark: str = ""

    def get_closest_marker(self, name: str) -> bool:
        return self.mark == name


def of_files(count: int, size: int, mark: str = "") -> list[Item]:
    return [Item(f"{mark} {file}", number, mark) for file in range(count) for number in range(size)]


EVERYTHING = of_files(30, 20) + of_files(9, 4, "service") + of_files(5, 6, "browser") + of_files(4, 3, "slow")


@pytest.mark.parametrize("shares", [1, 2, 3])
def test_every_process_begins_with_its_share_of_the_long_tests_and_ends_with_quick_ones(shares: int) -> None:
    ordered = long_ones_first(random.Random(5).sample(EVERYTHING, len(EVERYTHING)), shares=shares)
    assert sorted(ordered, key=hash) == sorted(EVERYTHING, key=hash)
    size = len(ordered) // shares
    for part in [ordered[size * number :][:size] for number in range(shares)]:
        marks = [item.mark for item in part]
        assert marks == sorted(marks, key=["service", "browser", "slow", ""].index)
        assert abs(marks.count("service") - 36 / shares) <= 4
        assert marks.count("") >= 100


def test_long_tests_of_a_file_stay_together_because_they_may_share_a_service() -> None:
    ordered = long_ones_first(random.Random(5).sample(EVERYTHING, len(EVERYTHING)), shares=2)
    files = [item.path for item in ordered if item.mark]
    turns = [path for path, before in zip(files, ["", *files], strict=False) if path != before]
    assert len(turns) == len(set(turns))


def test_quick_tests_keep_the_order_they_had() -> None:
    shuffled = random.Random(5).sample(EVERYTHING, len(EVERYTHING))
    ordered = long_ones_first(shuffled, shares=2)
    assert [item for item in ordered if not item.mark] == [item for item in shuffled if not item.mark]


def test_a_few_tests_of_one_kind_are_all_kept() -> None:
    for few in (of_files(1, 3), of_files(1, 3, "service"), []):
        assert sorted(long_ones_first(few, shares=2), key=hash) == sorted(few, key=hash)
