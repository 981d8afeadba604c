"""Where a page of a leaderboard begins: by key, so that the thousandth page costs what the first does."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import astuple, dataclass
from functools import lru_cache
from hashlib import sha256

from ladder.refusals import Refused

LONGEST = 400  # characters of a cursor


class InvalidCursor(Refused):
    """A cursor that no page gave out, or a page of another list."""

    code = "invalid_cursor"

    def __init__(self, text: str) -> None:
        super().__init__(f"{text[:60]!r} is not a cursor of this list; start again without one.")


@dataclass(frozen=True, slots=True)
class Listing:
    """What is paged through: an order, and what was left out of it."""

    order: str
    search: str = ""
    owner: str = ""

    @lru_cache(maxsize=256)  # noqa: B019 listings are small, and there are few
    def mark(self) -> str:
        """A few letters that differ from those of any other list."""
        return sha256(json.dumps(astuple(self)).encode()).hexdigest()[:12]


def _is_name(text: str) -> bool:
    """Whether every database can look for it: no NUL in it, and no half of a letter."""
    return len(text) < LONGEST and "\0" not in text and text.isprintable()


@dataclass(frozen=True, slots=True)
class Cursor:
    """The line beside which a page begins: its value in the order and its id; id 0 is the start of the list."""

    value: float | str = 0.0
    id: int = 0
    above: int = 0  # ranked lines above the page; read backwards, above the line itself
    backwards: bool = False

    @property
    def is_start(self) -> bool:
        return self.id == 0

    def text(self, listing: Listing) -> str:
        """The cursor as it stands in a URL; it is good for this list only."""
        plain = json.dumps([listing.mark(), self.value, self.id, self.above, int(self.backwards)]).encode()
        return base64.urlsafe_b64encode(plain).decode().rstrip("=")

    @classmethod
    def read(cls, text: str | None, listing: Listing, *, kind: type[float] | type[str] = float) -> Cursor:
        """The cursor of a URL; raises InvalidCursor."""
        if not text:
            return cls()
        try:
            padded = text + "=" * (-len(text) % 4)
            mark, value, line, above, backwards = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
            at = cls(kind(value), int(line), int(above), bool(backwards))
        except (ValueError, TypeError, OverflowError, RecursionError, binascii.Error):
            raise InvalidCursor(text) from None
        if mark != listing.mark() or not at._is_possible():
            raise InvalidCursor(text)
        return at

    def _is_possible(self) -> bool:
        fits = _is_name(self.value) if isinstance(self.value, str) else abs(self.value) < 1e15
        return fits and 0 < self.id < 1 << 62 and 0 <= self.above < 1 << 62
