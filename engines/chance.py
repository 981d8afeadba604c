"""Chance as a keyed hash of (seed, label): no event tells another, and no choice shifts a later one."""

from __future__ import annotations

from collections.abc import Sequence
from struct import unpack
from typing import Any, Final, TypeVar

try:
    from _blake2 import blake2b  # what hashlib has, without the library that it loads for all the others
except ImportError:
    from hashlib import blake2b

T = TypeVar("T")

_WORDS_A_BLOCK: Final = 8
# Words from here on are rejected, so that all numbers below n are equally likely.
_LIMITS: Final[tuple[Any, ...]] = (0, *((1 << 64) - (1 << 64) % n for n in range(1, 128)))


def word_block(key: bytes, label: str, number: int) -> tuple[Any, ...]:
    """The next eight 64-bit words of an endless stream that belongs to this seed and label alone."""
    return unpack(">8Q", blake2b(f"{label}#{number}".encode(), key=key, digest_size=64).digest())


def draw(seed: int, label: str, n: int) -> int:
    """A number in range(n), uniform over seeds."""
    key = seed.to_bytes(16, "big")
    limit = (1 << 64) - (1 << 64) % n
    block = 0
    while True:
        for word in word_block(key, label, block):
            if word < limit:
                return int(word % n)
        block += 1


def shuffle(seed: int, label: str, items: Sequence[T]) -> list[T]:
    """The items in an order that is uniform over seeds."""
    deck = list(items)
    key = seed.to_bytes(16, "big")
    words: tuple[Any, ...] = ()
    block, at = 0, _WORDS_A_BLOCK
    last = len(deck) - 1
    while last > 0:
        if at == _WORDS_A_BLOCK:
            words = word_block(key, label, block)
            block += 1
            at = 0
        word = words[at]
        at += 1
        n = last + 1
        if word < (_LIMITS[n] if n < len(_LIMITS) else (1 << 64) - (1 << 64) % n):
            other: int = word % n
            deck[last], deck[other] = deck[other], deck[last]
            last -= 1
    return deck
