"""Who may play against whom, and who sits where."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db.models import Q

from ladder.accounts.models import User
from ladder.accounts.permissions import HOUSE, is_person
from ladder.parlour.models import Sitting
from ladder.submissions.models import Bot
from ladder.submissions.permissions import owns


@dataclass(frozen=True, slots=True)
class HumanPlayer:
    """Whoever plays: a signed-in person, or a guest known by a secret that the browser keeps.

    A person whose browser has played as a guest is both, so that nobody loses a game by signing in.
    """

    user: User | None = None
    secret: str = ""

    @property
    def guest(self) -> str:
        """How a guest's chair is marked; the secret itself is kept nowhere."""
        return sha256(self.secret.encode()).hexdigest() if self.secret else ""

    @property
    def mark(self) -> dict[str, Any]:
        """How a chair is marked that this player takes now: a person takes it as a person."""
        return {"person": self.user, "guest": "" if self.user else self.guest}

    @property
    def chairs(self) -> Q:
        """The chairs that are this player's."""
        as_guest = Q(guest=self.guest) & ~Q(guest="")
        return as_guest if self.user is None else Q(person=self.user) | as_guest


def is_house(bot: Bot) -> bool:
    """Whether a bot comes with the service."""
    return bot.owner is not None and bot.owner.username == HOUSE


def may_play_against(player: HumanPlayer, bot: Bot) -> bool:
    """House bots play with everybody; others with signed-in people if their owner allows it, and with the owner.

    A hidden bot plays with nobody.
    """
    if bot.is_hidden:
        return False
    if is_house(bot):
        return True
    return player.user is not None and (bot.plays_people or owns(player.user, bot))


def seat_of(player: HumanPlayer, sitting: Sitting) -> int | None:
    """Where this player sits; None for everybody else."""
    chairs = sitting.chairs.all()
    as_person = [chair.seat for chair in chairs if player.user is not None and is_person(player.user, chair.person_id)]
    as_guest = [chair.seat for chair in chairs if player.guest and chair.guest == player.guest]
    return next(iter(as_person + as_guest), None)


def may_watch(player: HumanPlayer, sitting: Sitting) -> bool:
    """While it is played, those who play; afterwards whoever has the address."""
    return sitting.is_over or seat_of(player, sitting) is not None
