"""Who may do what with a bot and its versions."""

from __future__ import annotations

from ladder.accounts.permissions import Visitor, is_administrator, is_person
from ladder.refusals import Refused
from ladder.submissions.models import Bot, BotVersion


class NotYours(Refused):
    """Somebody else's bot."""

    code = "not_yours"
    status = 403


def owns(visitor: Visitor, bot: Bot) -> bool:
    """Whether a bot is somebody's own."""
    return is_person(visitor, bot.owner_id)


def may_manage(visitor: Visitor, bot: Bot) -> bool:
    """Upload, activate and withdraw, and read how a check went: the owner, and whoever keeps the service."""
    return owns(visitor, bot) or is_administrator(visitor)


def may_see_source(visitor: Visitor, version: BotVersion) -> bool:
    """The uploaded bytes are for the owner alone."""
    return owns(visitor, version.bot)


def check_may_manage(visitor: Visitor, bot: Bot) -> None:
    """Raises NotYours."""
    if not may_manage(visitor, bot):
        raise NotYours(f"{bot.name} is not your bot.")
