"""What the service says no to: a person's fault, with a message that can be acted on; the API and the pages tell it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import islice
from math import ceil
from typing import Any

from django.db.models import Model, QuerySet
from django.db.models.functions import Now
from django.utils.timezone import now

from engines.games import UnknownGame

DAY = timedelta(days=1)


class Refused(Exception):
    """A request that can't be granted; the message shows the value and says what to do."""

    code = "refused"
    status = 400

    def __init__(self, message: str, *, code: str = "", status: int = 0, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.code = code or type(self).code
        self.status = status or type(self).status


class Forbidden(Refused):
    """This person may not do this."""

    code = "forbidden"
    status = 403


class Missing(Refused):
    """There is no such thing."""

    code = "not_found"
    status = 404


def game_missing(unknown: UnknownGame) -> Missing:
    """What is told of a page whose game was installed once and is no more."""
    told = f"The game {unknown.name!r} is not installed on this service any more, so this can't be shown."
    return Missing(f"{told} Ask the operator to install its package again; all results are kept.", code="unknown_game")


class Conflict(Refused):
    """The thing is in a state in which this can't be done."""

    code = "conflict"
    status = 409


class QuotaExceeded(Refused):
    """The asker has used up what one person may have; it says when there is room again, if time gives room."""

    code = "quota_exceeded"
    status = 429

    def __init__(self, message: str, *, free_at: datetime | None = None) -> None:
        super().__init__(message if free_at is None else f"{message} Try again after {_minute(free_at)}.")
        self.free_at = free_at

    @property
    def retry_after_s(self) -> int | None:
        """As the header says it; None when waiting does not help."""
        return None if self.free_at is None else max(1, ceil((self.free_at - now()).total_seconds()))


class QuotaReached(QuotaExceeded):
    """The same of what people begin and send in: bots, versions, matches, games and tests."""

    code = "quota_reached"


def _minute(moment: datetime) -> str:
    """The first whole minute that is not before this moment."""
    return f"{moment + timedelta(seconds=59):%Y-%m-%d %H:%M} UTC"


def when_so_many_are_a_day_old(counted: Iterable[datetime], many: int) -> datetime | None:
    """When so many of the things counted, oldest first, have left the last 24 hours; None if there are fewer."""
    moments = list(islice(counted, many))
    return moments[-1] + DAY if many and len(moments) == many else None


def check_day(counted: QuerySet[Any], moment: str, most: int, told: str, *, more: int = 1) -> None:
    """Raises QuotaReached if so many more than those of the last 24 hours are over the limit.

    It is told with what there were, what is asked for and the limit: {had}, {more} and {most}.
    """
    had = list(counted.filter(**{f"{moment}__gt": Now() - DAY}).order_by(moment).values_list(moment, flat=True))
    too_many = len(had) + more - most
    if too_many > 0:
        message = told.format(had=len(had), more=more, most=most)
        raise QuotaReached(message, free_at=when_so_many_are_a_day_old(had, too_many))


def hold(row: Model) -> None:
    """Keep a row until the transaction ends, so that what two requests count is counted one after the other.

    Raises Missing for one that was deleted after the request had found it.
    """
    kept = row.__class__._default_manager.select_for_update().filter(pk=row.pk)
    if not list(kept.values_list("pk", flat=True)):
        raise Missing(f"{row} was deleted a moment ago. Nothing was changed.")
