"""Who may play against whom, and who sits where."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from django.db.models import Q

from ladder.accounts.models import User
from ladder.accounts.permissions import HOUSE, is_person
from ladder.parlour.models import Chair, Sitting
from ladder.submissions.models import Bot
from ladder.submissions.permissions import owns


@dataclass(frozen=True, slots=True)
class HumanPlayer:
    """Whoever plays: a signed-in person, or a guest known by a secret that the browser keeps."""

    user: User | None = None
    secret: str = ""

    @property
    def guest(self) -> str:
        """How a guest's chair is marked; the secret itself is kept nowhere."""
        return sha256(self.secret.encode()).hexdigest() if self.secret and self.user is None else ""

    @property
    def chairs(self) -> Q:
        """The chairs that are this player's."""
        if self.user is not None:
            return Q(person=self.user)
        return Q(guest=self.guest) & ~Q(guest="")


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
    return next((chair.seat for chair in sitting.chairs.all() if _is_theirs(player, chair)), None)


def _is_theirs(player: HumanPlayer, chair: Chair) -> bool:
    if player.user is not None:
        return is_person(player.user, chair.person_id)
    return bool(player.guest) and chair.guest == player.guest


def may_watch(player: HumanPlayer, sitting: Sitting) -> bool:
    """While it is played, those who play; afterwards whoever has the address."""
    return sitting.is_over or seat_of(player, sitting) is not None
