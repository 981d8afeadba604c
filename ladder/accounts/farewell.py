"""What becomes of the bots of somebody who leaves: they stop playing, lose their name, and keep their results."""

from __future__ import annotations

from ladder.accounts.models import User
from ladder.submissions.models import Bot, BotVersion

STILL_ABOUT = (
    BotVersion.Status.RECEIVED,
    BotVersion.Status.CHECKING,
    BotVersion.Status.QUALIFIED,
    BotVersion.Status.QUARANTINED,
)


def abandon_bots(user: User) -> None:
    """Withdraw and anonymise every bot of this user."""
    for bot in Bot.objects.filter(owner=user):
        bot.name, bot.description, bot.owner = f"anonymous-{bot.pk}", "", None
        bot.save(update_fields=["name", "description", "owner"])
    BotVersion.objects.filter(bot__owner=user).update(filename="")
