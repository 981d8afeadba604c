"""The log that copies share."""

from __future__ import annotations

from engines.log import Log, chain, entries


def test_a_log_is_read_oldest_first() -> None:
    log: Log[int] = None
    for entry in (5, 3, 5):
        log = (log, entry)
    assert entries(log) == [5, 3, 5]


def test_an_empty_log_has_no_entries() -> None:
    assert entries(None) == []
    assert chain([]) is None


def test_a_log_made_from_its_entries_is_the_same_log() -> None:
    log = chain([(0, 7), (1, 8)])
    assert log == ((None, (0, 7)), (1, 8))
    assert chain(entries(log)) == log


def test_two_logs_that_went_different_ways_share_what_came_before() -> None:
    common = chain([1, 2])
    one, other = (common, 3), (common, 4)
    assert entries(one) == [1, 2, 3]
    assert entries(other) == [1, 2, 4]
    assert one[0] is other[0] is common


def test_a_log_of_a_hundred_thousand_entries_can_be_read() -> None:
    assert entries(chain(range(100_000))) == list(range(100_000))
