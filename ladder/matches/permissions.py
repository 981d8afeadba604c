"""Who may look at what of a match."""

from __future__ import annotations

from dataclasses import dataclass

from arena import PUBLIC, View
from ladder.accounts.models import User
from ladder.accounts.permissions import Visitor, is_administrator
from ladder.matches.models import Match, Seat
from ladder.matches.queries import is_revealed


def own_seats(visitor: Visitor, match: Match) -> list[int]:
    """The seats in which somebody's own bots sat."""
    if not isinstance(visitor, User):
        return []
    mine = Seat.objects.filter(match=match, version__bot__owner=visitor)
    return list(mine.order_by("seat").values_list("seat", flat=True))


@dataclass(frozen=True, slots=True)
class Eyes:
    """Whose eyes somebody may look through: all once the seed is out, before that the own seats' and the public's."""

    is_revealed: bool
    own: tuple[int, ...]

    def may(self, view: View) -> bool:
        return self.is_revealed or view == PUBLIC or view in self.own

    def views(self, seats: int) -> list[str]:
        everything = ["all", *map(str, range(seats))]
        return everything if self.is_revealed else [PUBLIC, *map(str, self.own)]


def eyes_of(visitor: Visitor, match: Match) -> Eyes:
    return Eyes(is_revealed(match), tuple(own_seats(visitor, match)))


def may_see(visitor: Visitor, match: Match, seat: int | None) -> bool:
    """Look through the eyes of a seat, or through all (None)."""
    return eyes_of(visitor, match).may(seat)


def may_read_log(visitor: Visitor, match: Match, seat: int) -> bool:
    """What a bot wrote for its author: the owner, and whoever keeps the service."""
    return is_administrator(visitor) or seat in own_seats(visitor, match)
