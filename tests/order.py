"""In which order tests run: long ones first, so that no process waits in the end for one that began last.

pytest-xdist gives every process an equal part of the list, in one piece, and who is done takes from the end of
another's. So each part begins with its share of the long tests, and has quick ones to give away in the end.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Protocol, TypeVar

LONG = ("service", "browser", "slow")  # marks; the longest first


class Test(Protocol):
    """What is asked of one of pytest's items."""

    @property
    def path(self) -> Hashable: ...

    def get_closest_marker(self, name: str) -> object: ...


Some = TypeVar("Some", bound=Test)


def long_ones_first(tests: Iterable[Some], *, shares: int) -> list[Some]:
    """The same tests; the long ones of a file stay together, the others keep the order they had."""
    ranked: dict[int, list[Some]] = {rank: [] for rank in range(len(LONG) + 1)}
    for test in tests:
        ranked[_rank(test)].append(test)
    quick, parts = ranked.pop(len(LONG)), [list[Some]() for _ in range(shares)]
    for rank in ranked.values():
        for file in sorted(_files(rank), key=len, reverse=True):
            min(parts, key=len).extend(file)
    return [test for part in _filled(parts, quick) for test in part]


def _rank(test: Test) -> int:
    return next((rank for rank, mark in enumerate(LONG) if test.get_closest_marker(mark)), len(LONG))


def _files(tests: Sequence[Some]) -> list[list[Some]]:
    """Those of each file; pytest-django may have put them into several pieces."""
    found: dict[Hashable, list[Some]] = {}
    for test in tests:
        found.setdefault(test.path, []).append(test)
    return list(found.values())


def _filled(parts: list[list[Some]], quick: Sequence[Some]) -> list[list[Some]]:
    """Parts of one size, as far as that goes, each with its piece of the quick tests behind the long ones."""
    total, begin = len(quick) + sum(map(len, parts)), 0
    for number, part in enumerate(parts):
        wanted = total * (number + 1) // len(parts) - total * number // len(parts)
        piece = quick[begin : begin + max(0, wanted - len(part))] if number < len(parts) - 1 else quick[begin:]
        part.extend(piece)
        begin += len(piece)
    return parts
