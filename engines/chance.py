"""Chance as a keyed hash of (seed, label): no event tells another, and no choice shifts a later one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


def _words(seed: int, label: str) -> Iterator[int]:
    """An endless stream of 64-bit words that belongs to this seed and label alone."""
    key = seed.to_bytes(16, "big")
    block = 0
    while True:
        digest = blake2b(f"{label}#{block}".encode(), key=key, digest_size=64).digest()
        for start in range(0, 64, 8):
            yield int.from_bytes(digest[start : start + 8], "big")
        block += 1


def _below(words: Iterator[int], n: int) -> int:
    """Uniform in range(n), by rejection."""
    limit = (1 << 64) - (1 << 64) % n
    while (word := next(words)) >= limit:
        pass
    return word % n


def draw(seed: int, label: str, n: int) -> int:
    """A number in range(n), uniform over seeds."""
    return _below(_words(seed, label), n)


def shuffle(seed: int, label: str, items: Sequence[T]) -> list[T]:
    """The items in an order that is uniform over seeds."""
    words = _words(seed, label)
    deck = list(items)
    for last in range(len(deck) - 1, 0, -1):
        other = _below(words, last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck
