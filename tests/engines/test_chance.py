"""Chance: the words of a keyed hash, taken in order, those above the last whole multiple of n left out."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import count

import pytest

from engines import chance
from engines.chance import draw, shuffle


def words(seed: int, label: str) -> Iterator[int]:
    for block in count():
        digest = blake2b(f"{label}#{block}".encode(), key=seed.to_bytes(16, "big"), digest_size=64).digest()
        yield from (int.from_bytes(digest[at : at + 8], "big") for at in range(0, 64, 8))


@pytest.mark.parametrize("size", [0, 1, 2, 9, 40, 127, 128, 200])
def test_a_deck_is_shuffled_from_its_last_card_down_by_one_word_each(size: int) -> None:
    expected, stream = list(range(size)), words(1923, "deck")
    for last in range(size - 1, 0, -1):
        other = next(stream) % (last + 1)
        expected[last], expected[other] = expected[other], expected[last]
    assert shuffle(1923, "deck", range(size)) == expected


def test_a_number_is_drawn_from_the_first_word() -> None:
    assert [draw(seed, "first", 7) for seed in range(20)] == [next(words(seed, "first")) % 7 for seed in range(20)]


def test_words_that_would_favour_small_numbers_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    highest = (1 << 64) - 1  # 2**64 leaves 1 when divided by 3, so this word is one too many
    blocks = [(highest,) * 8, (highest, 4, highest, 5, highest, 1, 0, 2)]
    monkeypatch.setattr(chance, "word_block", lambda _key, _label, number: blocks[number])
    assert draw(0, "any", 3) == 1
    assert shuffle(0, "any", "abc") == ["a", "c", "b"]  # with two left every word will do
