"""Where a page of a leaderboard begins: by key, so that the thousandth page costs what the first does."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass

from ladder.refusals import Refused


class InvalidCursor(Refused):
    """A cursor that no page gave out."""

    code = "invalid_cursor"
    status = 400


@dataclass(frozen=True, slots=True)
class Cursor:
    """The line beside which a page begins; rank 0 is the start of the table."""

    rating: float = 0.0
    id: int = 0
    rank: int = 0
    backwards: bool = False

    @property
    def is_start(self) -> bool:
        return self.rank == 0

    def text(self) -> str:
        """The cursor as it stands in a URL."""
        plain = json.dumps([self.rating, self.id, self.rank, int(self.backwards)]).encode()
        return base64.urlsafe_b64encode(plain).decode().rstrip("=")

    @classmethod
    def read(cls, text: str | None) -> Cursor:
        """The cursor of a URL; raises InvalidCursor."""
        if not text:
            return cls()
        try:
            padded = text + "=" * (-len(text) % 4)
            rating, standing, rank, backwards = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
            at = cls(float(rating), int(standing), int(rank), bool(backwards))
        except (ValueError, TypeError, OverflowError, RecursionError, binascii.Error):
            raise InvalidCursor(f"{text[:60]!r} is no cursor; begin again without one.") from None
        if not (abs(at.rating) < 1e9 and 0 < at.id < 1 << 62 and 0 < at.rank < 1 << 62):
            raise InvalidCursor(f"{text[:60]!r} is no cursor; begin again without one.")
        return at
