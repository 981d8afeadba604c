"""Which version plays for its bot: activating one, withdrawing one, and who plays instead."""

from __future__ import annotations

from django.db import transaction

from ladder.accounts.models import User
from ladder.matches.services import call_off_version
from ladder.ratings.services import list_active_version
from ladder.refusals import Refused
from ladder.submissions.models import Bot, BotVersion
from ladder.submissions.permissions import check_may_manage


class WrongState(Refused):
    """The version is in a state in which this can't be done."""

    code = "wrong_state"
    status = 409


@transaction.atomic
def activate(version: BotVersion, *, by: User) -> None:
    """Let this version play for its bot, be it newer or older than the one that does; raises WrongState or NotYours."""
    check_may_manage(by, version.bot)
    if version.status != BotVersion.Status.QUALIFIED:
        raise WrongState(f"{version} is {version.status}; only a qualified version can be made active.")
    set_active(version.bot, version)


def set_active(bot: Bot, version: BotVersion | None) -> None:
    """Make a version (or none) the one that plays from now on, on leaderboards too.

    Matches that another version was already paired for are still played: nobody dodges an opponent by switching.
    """
    Bot.objects.filter(pk=bot.pk).update(active_version=version)
    bot.active_version = version
    list_active_version(bot.pk)


@transaction.atomic
def withdraw(version: BotVersion, *, by: User) -> None:
    """Take a version out of play for good; its results stay. Raises WrongState or NotYours."""
    check_may_manage(by, version.bot)
    status = BotVersion.Status
    withdrawable = [status.RECEIVED, status.CHECKING, status.QUALIFIED, status.QUARANTINED]
    changed = BotVersion.objects.filter(pk=version.pk, status__in=withdrawable).update(
        status=status.WITHDRAWN, reason=f"withdrawn by {by.username}"
    )
    if not changed:
        raise WrongState(f"{version} is {version.status}; it can't be withdrawn.")
    version.refresh_from_db()
    step_down(version)


def step_down(version: BotVersion) -> None:
    """A version leaves: its waiting matches are called off; the newest other qualified one plays instead, or none."""
    call_off_version(version)
    bot = Bot.objects.select_for_update().get(pk=version.bot_id)
    if bot.active_version_id in (None, version.pk):
        heirs = bot.versions.filter(status=BotVersion.Status.QUALIFIED).exclude(pk=version.pk)
        set_active(bot, heirs.order_by("-number").first())
