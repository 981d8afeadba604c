"""What an owner does with a bot as a whole: describes it, opens it to people, hides it, shows it again, deletes it.

A hidden bot meets nobody any more: its waiting ladder matches are called off, it leaves tournaments that have not
started, and no list shows it but its owner's. What has begun is played to its end, checks and tests among its own
versions go on, and past results stay under its name. A deleted bot is gone if it met nobody beyond its checks;
otherwise others' results hang on it, so that it stays hidden, withdrawn and without owner or name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from ladder.accounts.audit import audit
from ladder.accounts.models import User
from ladder.accounts.permissions import HOUSE
from ladder.duels.models import Duel
from ladder.duels.services import end, play_better_only
from ladder.matches.models import Lane, Match, MatchSet, Seat
from ladder.matches.services import call_off_versions
from ladder.parlour.models import Chair
from ladder.privacy.deletion import anonymise_bots
from ladder.qualifying.activation import WITHDRAWABLE, withdraw
from ladder.ratings.models import FitLine, SeasonLine, Standing
from ladder.ratings.services import list_active_version, name_standings
from ladder.refusals import Conflict, hold
from ladder.submissions.models import Bot, BotVersion, Bundle, Follow
from ladder.submissions.permissions import check_may_manage
from ladder.submissions.services import describe_bot, let_people_play
from ladder.tournaments.models import Entrant, Tournament
from ladder.tournaments.services import leave_unstarted


class BotKept(Conflict):
    """A bot that can't be deleted, or not now."""

    code = "bot_kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class BotWishes:
    """What an owner wants to change; None leaves it as it is."""

    name: str | None = None
    description: str | None = None
    plays_better_only: bool | None = None
    plays_people: bool | None = None
    is_hidden: bool | None = None


@transaction.atomic
def change_bot(bot: Bot, wishes: BotWishes, *, by: User) -> None:
    """Do all that is wished, or nothing; raises NotYours or BotRefused."""
    check_may_manage(by, bot)
    if wishes.name is not None or wishes.description is not None:
        name = bot.name if wishes.name is None else wishes.name
        described = bot.description if wishes.description is None else wishes.description
        describe_bot(bot, name=name, description=described, by=by)
        name_standings(bot)
    if wishes.plays_better_only is not None:
        play_better_only(bot, wishes.plays_better_only, by=by)
    if wishes.plays_people is not None:
        let_people_play(bot, wishes.plays_people, by=by)
    if wishes.is_hidden is not None and wishes.is_hidden != bot.is_hidden:
        _turn(bot, hidden=wishes.is_hidden)
        audit(by, "hide bot" if wishes.is_hidden else "show bot", bot)


def _turn(bot: Bot, *, hidden: bool) -> None:
    Bot.objects.filter(pk=bot.pk).update(is_hidden=hidden)
    bot.is_hidden = hidden
    list_active_version(bot.pk)
    if hidden:
        leave_unstarted(bot)
        call_off_versions(*bot.versions.all())


@transaction.atomic
def delete_bot(bot: Bot, *, by: User) -> None:
    """Delete a bot that met nobody, and make any other one nameless for good; raises NotYours or BotKept."""
    check_may_manage(by, bot)
    if bot.owner is None or bot.owner.username == HOUSE:
        raise BotKept(f"{bot.name} has no owner or comes with the service and can't be deleted. Hide it instead.")
    hold(bot)
    audit(by, "delete bot", f"bot {bot.pk}")
    leave_unstarted(bot)
    if has_met_others(bot):
        _retire(bot, by)
    else:
        _erase(bot)


def has_met_others(bot: Bot) -> bool:
    """Whether anything beyond the checks of its versions hangs on a bot."""
    traces: tuple[QuerySet[Any], ...] = (
        Seat.objects.filter(version__bot=bot).exclude(match__lane=Lane.TRIAL),
        Chair.objects.filter(version__bot=bot),
        FitLine.objects.filter(version__bot=bot),
        SeasonLine.objects.filter(bot=bot),
        Entrant.objects.filter(bot=bot),
        Tournament.objects.filter(champion=bot),
        Duel.objects.filter(bot=bot),
    )
    return any(rows.exists() for rows in traces)


def _retire(bot: Bot, by: User) -> None:
    for duel in bot.duels.filter(status=Duel.Status.PLAYING):
        end(duel, Duel.Status.CANCELLED, told="the bot was deleted")
    for version in bot.versions.filter(status__in=WITHDRAWABLE).select_related("bot"):
        withdraw(version, by=by)
    BotVersion.objects.filter(bot=bot, status=BotVersion.Status.WITHDRAWN).update(reason="its bot was deleted")
    Follow.objects.filter(bot=bot).delete()
    _turn(bot, hidden=True)
    anonymise_bots([bot.pk])


def _erase(bot: Bot) -> None:
    """Versions, the matches of their checks, and the bot; raises BotKept while one of these is being played."""
    checks = list(MatchSet.objects.filter(matches__seats__version__bot=bot).values_list("pk", flat=True))
    matches = Match.objects.filter(set__in=checks)
    if matches.filter(status=Match.Status.RUNNING).exists():
        raise BotKept(f"A version of {bot.name} is being checked at this moment. Try again in a minute.")
    digests = list(bot.versions.values_list("bundle_id", flat=True))
    matches.delete()
    MatchSet.objects.filter(pk__in=checks).delete()
    Standing.objects.filter(bot=bot).delete()
    bot.versions.all().delete()
    bot.delete()
    Bundle.objects.filter(pk__in=digests, versions__isnull=True).delete()
