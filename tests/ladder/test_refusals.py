"""What the service says no with: the code, the status, and when to come back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils.timezone import now

from ladder.refusals import (
    Conflict,
    Forbidden,
    Missing,
    QuotaExceeded,
    Refused,
    when_so_many_are_a_day_old,
)

NOON = datetime(2026, 11, 17, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("kind", "code", "status"),
    [
        (Refused, "refused", 400),
        (Forbidden, "forbidden", 403),
        (Missing, "not_found", 404),
        (Conflict, "conflict", 409),
        (QuotaExceeded, "quota_exceeded", 429),
    ],
)
def test_every_kind_has_its_code_and_status(kind: type[Refused], code: str, status: int) -> None:
    refused = kind("no.")
    assert (refused.code, refused.status, refused.message, str(refused)) == (code, status, "no.", "no.")


def test_one_refusal_may_say_more_than_its_kind() -> None:
    refused = Refused("no.", code="name_taken", status=409, field="name")
    assert (refused.code, refused.status, refused.field) == ("name_taken", 409, "name")
    assert Refused.code == "refused"


@pytest.mark.parametrize(("second", "told"), [(0, "12:00"), (1, "12:01"), (59, "12:01")])
def test_the_minute_told_is_never_too_early(second: int, told: str) -> None:
    refused = QuotaExceeded("Enough for today.", free_at=NOON + timedelta(seconds=second))
    assert refused.message == f"Enough for today. Try again after 2026-11-17 {told} UTC."


def test_where_waiting_does_not_help_nothing_is_told_of_it() -> None:
    refused = QuotaExceeded("Ten bots are the most.")
    assert (refused.message, refused.retry_after_s) == ("Ten bots are the most.", None)


def test_the_header_asks_for_at_least_a_second() -> None:
    assert QuotaExceeded("no.", free_at=now() - timedelta(hours=1)).retry_after_s == 1
    assert 50 <= (QuotaExceeded("no.", free_at=now() + timedelta(minutes=1)).retry_after_s or 0) <= 60


@pytest.mark.parametrize(("many", "hours"), [(1, 0), (2, 1), (3, 2), (4, None), (0, None)])
def test_room_comes_back_a_day_after_the_oldest_that_are_too_many(many: int, hours: int | None) -> None:
    counted = [NOON + timedelta(hours=hour) for hour in range(3)]
    expected = None if hours is None else NOON + timedelta(days=1, hours=hours)
    assert when_so_many_are_a_day_old(iter(counted), many) == expected
