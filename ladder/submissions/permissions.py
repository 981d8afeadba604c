"""Who may do what with a bot and its versions."""

from __future__ import annotations

from django.db.models import Q

from ladder.accounts.models import User
from ladder.accounts.permissions import Visitor, is_administrator, is_person
from ladder.refusals import Forbidden
from ladder.submissions.models import Bot, BotVersion


class NotYours(Forbidden):
    """Somebody else's bot."""

    code = "not_yours"


def owns(visitor: Visitor, bot: Bot) -> bool:
    """Whether a bot is somebody's own."""
    return is_person(visitor, bot.owner_id)


def may_manage(visitor: Visitor, bot: Bot) -> bool:
    """Upload, activate, withdraw, rename, open to people, hide, delete, and read how a check went.

    The owner may, and whoever keeps the service.
    """
    return owns(visitor, bot) or is_administrator(visitor)


def shown_to(visitor: Visitor) -> Q:
    """Every bot but those that others have hidden; whoever keeps the service sees all."""
    if is_administrator(visitor):
        return Q()
    shown = Q(is_hidden=False)
    return shown | Q(owner=visitor) if isinstance(visitor, User) else shown


def may_see_source(visitor: Visitor, version: BotVersion) -> bool:
    """The uploaded bytes are for the owner alone."""
    return owns(visitor, version.bot)


def check_may_manage(visitor: Visitor, bot: Bot) -> None:
    """Raises NotYours."""
    if not may_manage(visitor, bot):
        raise NotYours(f"{bot.name} is not your bot.")
