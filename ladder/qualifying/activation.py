"""Which version plays for its bot: activating one, withdrawing one, and who plays instead."""

from __future__ import annotations

from django.db import transaction

from ladder.accounts.models import User
from ladder.matches.services import call_off_versions
from ladder.ratings.services import list_active_version
from ladder.refusals import Conflict, hold
from ladder.submissions.following import tell_followers
from ladder.submissions.models import Bot, BotVersion
from ladder.submissions.permissions import check_may_manage

WITHDRAWABLE = (
    BotVersion.Status.RECEIVED,
    BotVersion.Status.CHECKING,
    BotVersion.Status.QUALIFIED,
    BotVersion.Status.QUARANTINED,
)


class WrongState(Conflict):
    """The version is in a state in which this can't be done."""

    code = "wrong_state"


@transaction.atomic
def activate(version: BotVersion, *, by: User) -> None:
    """Let this version play for its bot, be it newer or older than the one that does; raises WrongState or NotYours."""
    check_may_manage(by, version.bot)
    hold(version.bot)
    version.refresh_from_db(fields=["status"])  # it may have left since it was found
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


def present(bot: Bot, version: BotVersion) -> None:
    """A new version plays from now on, and who follows its bot is told."""
    set_active(bot, version)
    tell_followers(bot, f"{bot.name} has a new version playing, v{version.number}.", f"/bots/{bot.pk}/")


@transaction.atomic
def withdraw(version: BotVersion, *, by: User) -> None:
    """Take a version out of play for good; its results stay. Raises WrongState or NotYours."""
    check_may_manage(by, version.bot)
    changed = BotVersion.objects.filter(pk=version.pk, status__in=WITHDRAWABLE).update(
        status=BotVersion.Status.WITHDRAWN, reason=withdrawn_by(by.username)
    )
    if not changed:
        raise WrongState(f"{version} is {version.status}; it can't be withdrawn.")
    version.refresh_from_db()
    step_down(version)


def withdrawn_by(name: str) -> str:
    """The reason that a withdrawn version has."""
    return f"withdrawn by {name}"


def step_down(version: BotVersion) -> None:
    """A version leaves: its waiting matches are called off; the newest other qualified one plays instead, or none."""
    call_off_versions(version)
    bot = Bot.objects.select_for_update().get(pk=version.bot_id)
    if bot.active_version_id in (None, version.pk):
        heirs = bot.versions.filter(status=BotVersion.Status.QUALIFIED).exclude(pk=version.pk)
        set_active(bot, heirs.order_by("-number").first())
