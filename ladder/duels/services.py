"""What an owner asks for: a duel between two versions, an end to it, and that only the better one plays."""

from __future__ import annotations

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils.timezone import now

from ladder.accounts.models import User
from ladder.accounts.permissions import has_no_limits
from ladder.duels.models import Duel
from ladder.events import Event, announce
from ladder.ladders.models import Ladder
from ladder.matches.services import cancel_sets
from ladder.refusals import Conflict, QuotaReached, Refused, check_day, hold
from ladder.submissions.models import Bot, BotVersion
from ladder.submissions.permissions import check_may_manage

AT_ONCE = 3  # duels of one person that are being played


class DuelRefused(Refused):
    """These two can't be tested against each other."""

    code = "duel_refused"


class SamePlayer(Conflict):
    """Both versions are the same file."""

    code = "same_player"


@transaction.atomic
def start(
    *,
    bot: Bot,
    by: User,
    ladder: Ladder | None = None,
    old: BotVersion | None = None,
    new: BotVersion | None = None,
    switch_when_better: bool = False,
) -> Duel:
    """Begin a duel, by default the newest version against the one it has to beat; raises Refused."""
    check_may_manage(by, bot)
    hold(by)
    new = new or newest(bot)
    old = old or rival_of(new)
    ladder = ladder or first_ladder(bot)
    _check_versions(old, new)
    _check_ladder(bot, ladder)
    _check_quota(by)
    try:
        with transaction.atomic():
            duel = Duel.objects.create(
                bot=bot, ladder=ladder, old=old, new=new, rules_version=ladder.rules_version, asked_by=by,
                switch_when_better=switch_when_better,
            )  # fmt: skip
    except IntegrityError:
        raise Conflict(
            f"Two versions of {bot.name} are already being tested. Wait for the end, or cancel the test."
        ) from None
    announce(Event.DUEL_STARTED, duel.pk)
    return duel


def newest(bot: Bot) -> BotVersion:
    """The newest qualified version of a bot; raises DuelRefused."""
    found = _qualified(bot).first()
    if found is None:
        raise DuelRefused(f"{bot.name} has no qualified version to test.", field="new")
    return found


def rival_of(new: BotVersion) -> BotVersion:
    """Which version a new one has to beat: the active one, or else the newest one before it; raises DuelRefused."""
    others = _qualified(new.bot).exclude(pk=new.pk)
    active = others.filter(bot__active_version=F("pk")).first()
    found = active or others.filter(number__lt=new.number).first() or others.first()
    if found is None:
        raise DuelRefused(
            f"{new.bot.name} has no other qualified version to test version {new.number} against. Upload a new one.",
            field="old",
        )
    return found


def _qualified(bot: Bot) -> QuerySet[BotVersion]:
    return bot.versions.filter(status=BotVersion.Status.QUALIFIED).select_related("bot").order_by("-number")


def first_ladder(bot: Bot) -> Ladder:
    """The open ladder of the bot's game with the fewest seats; raises DuelRefused."""
    found = Ladder.objects.filter(game=bot.game, is_open=True).order_by("seats", "slug").first()
    if found is None:
        raise DuelRefused(f"No ladder of {bot.game} is open.", field="ladder")
    return found


def _check_versions(old: BotVersion, new: BotVersion) -> None:
    if old.bot_id != new.bot_id:
        raise DuelRefused(f"{old} and {new} are not versions of the same bot.", field="old")
    if old.pk == new.pk:
        raise DuelRefused(f"Version {new.number} can't be tested against itself.", field="old")
    for version, field in ((old, "old"), (new, "new")):
        if version.status != BotVersion.Status.QUALIFIED:
            told = f"Version {version.number} is {version.status}; only qualified versions can be tested."
            raise DuelRefused(told, status=409, field=field)
    if old.digest == new.digest:
        raise SamePlayer(
            f"Versions {old.number} and {new.number} are the same file (sha256 {new.digest[:12]}…), "
            "so neither can be better. Upload a changed one."
        )


def _check_ladder(bot: Bot, ladder: Ladder) -> None:
    if ladder.game != bot.game:
        raise DuelRefused(f"{bot.name} plays {bot.game}, not {ladder.game} ({ladder.slug}).", field="ladder")
    if not ladder.is_open:
        raise DuelRefused(f"The ladder {ladder.slug} is closed.", status=409, field="ladder")


def _check_quota(by: User) -> None:
    if has_no_limits(by):
        return
    playing = Duel.objects.filter(asked_by=by, status=Duel.Status.PLAYING).count()
    if playing >= AT_ONCE:
        raise QuotaReached(f"You have {playing} tests under way, the maximum. Wait for one to end, or cancel one.")
    told = "You started {had} tests in the last 24 hours; the limit is {most}."
    check_day(Duel.objects.filter(asked_by=by), "created_at", settings.DUELS_A_DAY, told)


@transaction.atomic
def cancel(duel: Duel, *, by: User) -> None:
    """End a duel without a verdict; raises NotYours or Conflict."""
    check_may_manage(by, duel.bot)
    if not end(duel, Duel.Status.CANCELLED, told=cancelled_by(by.username)):
        raise Conflict(f"The test is over: {duel.get_status_display().lower()}.")


def cancelled_by(name: str) -> str:
    """What is told of a duel that somebody has cancelled."""
    return f"cancelled by {name}"


def end(duel: Duel, status: Duel.Status, *, told: str = "", **more: object) -> bool:
    """Close a duel that is being played, and call off what waits; False when it was over before."""
    playing = Duel.objects.filter(pk=duel.pk, status=Duel.Status.PLAYING)
    changed = playing.update(status=status, told=told, finished_at=now(), **more)
    if changed:
        cancel_sets(duel.played.filter(is_over=False).values_list("set", flat=True), reason="its test is over")
    duel.refresh_from_db()
    return bool(changed)


def play_better_only(bot: Bot, wanted: bool, *, by: User) -> None:
    """Have new versions tested before they may play, or let them play at once again; raises NotYours."""
    check_may_manage(by, bot)
    Bot.objects.filter(pk=bot.pk).update(plays_better_only=wanted)
    bot.plays_better_only = wanted


def start_wanted() -> int:
    """Begin the duels of bots that play only what is better; what can't begin yet waits. Returns how many began."""
    untested = BotVersion.objects.filter(
        status=BotVersion.Status.QUALIFIED,
        bot__plays_better_only=True,
        bot__active_version__isnull=False,
        bot__owner__isnull=False,
        number__gt=F("bot__active_version__number"),
        duels_as_new__isnull=True,
    ).exclude(bot__duels__status=Duel.Status.PLAYING)
    newest_first = untested.select_related("bot__owner", "bot__active_version").order_by("bot_id", "-number")
    by_bot = {version.bot_id: version for version in reversed(newest_first[:100])}
    return sum(_start_wanted(version) for version in by_bot.values())


def _start_wanted(version: BotVersion) -> bool:
    bot, owner = version.bot, version.bot.owner
    if owner is None:
        return False
    try:
        start(bot=bot, by=owner, new=version, old=bot.active_version, switch_when_better=True)
    except Refused:
        return False
    return True
