"""What the service says no to: a person's fault, with a message that can be acted on; the API and the pages tell it."""

from __future__ import annotations


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


class Conflict(Refused):
    """The thing is in a state in which this can't be done."""

    code = "conflict"
    status = 409


class QuotaExceeded(Refused):
    """The asker has used up what one person may have."""

    code = "quota_exceeded"
    status = 429

    def __init__(self, message: str, *, retry_after_s: int | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
