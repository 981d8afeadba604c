"""The check of a version: trials in order, cheapest first, each a match that must end without a fault of its own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.contrib.humanize.templatetags.humanize import naturaltime
from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now
from django.utils.timezone import now

from arena.qualifying import (
    NO_PARTNER,
    NOT_NEEDED,
    SPARRING_PARTNER,
    TrialKind,
    plan_of,
    seats_of_bot,
    start_advice,
)
from ladder.accounts.models import Notification
from ladder.accounts.permissions import HOUSE
from ladder.accounts.services import notify
from ladder.events import Event, announce
from ladder.ladders.models import Ladder
from ladder.matches.leases import try_again
from ladder.matches.models import Lane, Match, Seat
from ladder.matches.queries import SETTLED, set_aside_matches
from ladder.matches.services import create_set
from ladder.qualifying.activation import present, set_active, step_down
from ladder.qualifying.models import Trial
from ladder.ratings.models import Standing
from ladder.ratings.services import enter_ladder, list_active_version
from ladder.refusals import Conflict, QuotaExceeded
from ladder.submissions.models import Bot, BotVersion

ADMITTED_A_BEAT = 20  # bots looked at when a ladder opens
OPEN_TRIALS = (Trial.Status.WAITING, Trial.Status.PLAYING)


TRY_EVERY = timedelta(minutes=1)
CHECK_EVERY = timedelta(hours=1)


class CheckedLately(QuotaExceeded):
    """An author may have a version checked again, and not all the time."""

    code = "checked_lately"


@dataclass(frozen=True, slots=True)
class TrialVerdict:
    """How a trial's match ended for the version."""

    status: Trial.Status
    reason: str = ""


def advance_all() -> int:
    """Move every check as far as it can go now; returns how many moved."""
    received = BotVersion.objects.filter(status=BotVersion.Status.RECEIVED).order_by("id")
    begun = sum(begin_check(version) for version in received[:100])
    under_way = Trial.objects.filter(status__in=OPEN_TRIALS).values_list("version_id", flat=True).distinct()
    return begun + sum(advance(version) for version in list(under_way)) + admit_to_new_ladders()


@transaction.atomic
def begin_check(version: BotVersion) -> bool:
    """Write down the trials of a received version; False when another process has."""
    waiting = BotVersion.objects.filter(pk=version.pk, status=BotVersion.Status.RECEIVED)
    if not waiting.update(status=BotVersion.Status.CHECKING):
        return False
    version.status = BotVersion.Status.CHECKING
    ladders = Ladder.objects.filter(game=version.bot.game, is_open=True).order_by("seats", "slug")
    plan_trials(version, list(ladders), Trial.Occasion.QUALIFYING)
    if not version.trials.exists():
        _conclude(version, Trial.Occasion.QUALIFYING)  # no ladder of its game is open: the archive check has to do
    return True


def plan_trials(version: BotVersion, ladders: list[Ladder], occasion: Trial.Occasion) -> None:
    """The trials of some ladders, after those the version has had: itself in all seats, then the sparring partner."""
    last = version.trials.aggregate(last=Max("order"))["last"] or 0
    Trial.objects.bulk_create(
        Trial(version=version, ladder=ladder, kind=kind.value, occasion=occasion, order=last + 1 + place)
        for place, (kind, ladder) in enumerate(plan_of(ladders))
    )


@transaction.atomic
def advance(version_id: int) -> bool:
    """Judge the trial under way and begin the next one; False when there is nothing to do yet."""
    version = BotVersion.objects.select_for_update(of=("self",)).select_related("bot__owner").get(pk=version_id)
    trial = version.trials.filter(status__in=OPEN_TRIALS).select_related("ladder", "match").order_by("order").first()
    if trial is None:
        return False
    if version.status not in (BotVersion.Status.CHECKING, BotVersion.Status.QUALIFIED):
        return _skip_rest(version)
    if trial.status == Trial.Status.WAITING:
        return _begin(trial, version)
    if trial.match is not None and trial.match.status not in SETTLED:
        return False
    return _settle(trial, version)


def _begin(trial: Trial, version: BotVersion) -> bool:
    seating = _seating(trial, version)
    if seating is None:
        return False  # the sparring partner is still being checked itself
    if not seating:
        Trial.objects.filter(pk=trial.pk).update(status=Trial.Status.SKIPPED, reason=NO_PARTNER)
        return _move_on(trial, version)
    is_house = version.bot.owner is not None and version.bot.owner.username == HOUSE
    match_set = create_set(  # people don't wait for the house
        ladder=trial.ladder, seatings=[seating], lane=Lane.TRIAL, is_rated=False, priority=int(is_house)
    )
    Trial.objects.filter(pk=trial.pk).update(
        status=Trial.Status.PLAYING, match=match_set.matches.get(), tries=trial.tries + 1
    )
    return True


def _seating(trial: Trial, version: BotVersion) -> list[int] | None:
    """Version ids by seat; empty when the trial can't be held, None when it has to wait."""
    if trial.kind == Trial.Kind.SELF:
        return [version.pk] * trial.ladder.seats
    partner = Bot.objects.filter(owner__username=HOUSE, game=version.bot.game, name=SPARRING_PARTNER).first()
    if partner is None or partner.pk == version.bot_id:
        return []
    if partner.active_version_id is None:
        being_checked = [BotVersion.Status.RECEIVED, BotVersion.Status.CHECKING]
        return None if partner.versions.filter(status__in=being_checked).exists() else []
    seats = trial.ladder.seats
    mine = seats_of_bot(TrialKind.HOUSE, seats=seats, version=version.number)
    return [version.pk if seat in mine else partner.active_version_id for seat in range(seats)]


def _settle(trial: Trial, version: BotVersion) -> bool:
    verdict = _judge(trial, version)
    if verdict.status == Trial.Status.WAITING:
        Trial.objects.filter(pk=trial.pk).update(status=Trial.Status.WAITING, match=None)
        return True
    Trial.objects.filter(pk=trial.pk).update(status=verdict.status, reason=verdict.reason)
    if verdict.status == Trial.Status.FAILED:
        _fail(trial, version, verdict.reason)
        return True
    return _move_on(trial, version)


def _judge(trial: Trial, version: BotVersion) -> TrialVerdict:
    """A fault of the version fails the trial; a match that was struck or called off is played anew."""
    fault = Seat.objects.filter(match=trial.match, version=version).exclude(fault="").order_by("seat").first()
    if fault is not None:
        where = "at start" if fault.fault_stage == "start" else f"at ply {fault.fault_ply}"
        told = f": {fault.fault_reason}" if fault.fault_reason else ""
        advice = start_advice(fault.fault) if fault.fault_stage == "start" else ""
        sentence = f"{fault.fault} {where} in match {fault.match_id}{told}"
        return TrialVerdict(Trial.Status.FAILED, ". ".join(filter(None, (sentence, advice))))
    if trial.match is None or trial.match.status != Match.Status.FINISHED:
        return TrialVerdict(Trial.Status.WAITING)
    return TrialVerdict(Trial.Status.PASSED)


def _move_on(trial: Trial, version: BotVersion) -> bool:
    following = version.trials.filter(status__in=OPEN_TRIALS).select_related("ladder").order_by("order").first()
    if following is None:
        _conclude(version, Trial.Occasion(trial.occasion))
        return True
    _begin(following, version)
    return True


def _skip_rest(version: BotVersion) -> bool:
    return bool(version.trials.filter(status__in=OPEN_TRIALS).update(status=Trial.Status.SKIPPED, reason=NOT_NEEDED))


def _conclude(version: BotVersion, occasion: Trial.Occasion) -> None:
    """Every trial of this occasion is passed."""
    if occasion == Trial.Occasion.RETEST:
        _clear(version, f"{version} passed its retest and keeps playing.")
    for ladder in Ladder.objects.filter(pk__in=version.trials.values("ladder")):
        enter_ladder(version, ladder)
    if version.status == BotVersion.Status.CHECKING:
        qualify(version)
    else:
        list_active_version(version.bot_id)


def qualify(version: BotVersion) -> None:
    BotVersion.objects.filter(pk=version.pk).update(status=BotVersion.Status.QUALIFIED, checked_at=Now())
    version.status = BotVersion.Status.QUALIFIED
    active = version.bot.active_version
    plays = active is None or (active.number < version.number and not version.bot.plays_better_only)
    if plays:
        present(version.bot, version)
    plan_missing_trials(version)  # on ladders that opened while it was checked
    told = f"{version} qualified and is now active." if plays else f"{version} qualified; {active} keeps playing."
    _tell(version, Notification.Kind.QUALIFIED, told)


def _clear(version: BotVersion, told: str) -> None:
    """The faults so far are forgiven, and the owner is told why."""
    last = Seat.objects.filter(version=version).aggregate(last=Max("match_id"))["last"] or 0
    BotVersion.objects.filter(pk=version.pk).update(cleared_match=last)
    _tell(version, Notification.Kind.RELEASED, told)


def _fail(trial: Trial, version: BotVersion, reason: str) -> None:
    """A failed qualification rejects; a failed retest quarantines; on a ladder opened later it changes nothing."""
    _skip_rest(version)
    if version.status == BotVersion.Status.CHECKING:
        BotVersion.objects.filter(pk=version.pk).update(
            status=BotVersion.Status.REJECTED, reason=reason, checked_at=Now()
        )
        _tell(version, Notification.Kind.REJECTED, f"{version} was rejected: {reason}")
    elif trial.occasion == Trial.Occasion.RETEST:
        quarantine(version, reason=f"failed against several opponents, then failed the retest: {reason}")


def quarantine(version: BotVersion, *, reason: str) -> None:
    """Take a failing version out of play; nothing is deleted."""
    BotVersion.objects.filter(pk=version.pk).update(status=BotVersion.Status.QUARANTINED, reason=reason)
    version.refresh_from_db()
    step_down(version)
    _tell(version, Notification.Kind.QUARANTINED, f"{version} was quarantined: {reason}")


@transaction.atomic
def release(version: BotVersion) -> None:
    """Let a quarantined version play again, as an operator decided."""
    changed = BotVersion.objects.filter(pk=version.pk, status=BotVersion.Status.QUARANTINED).update(
        status=BotVersion.Status.QUALIFIED, reason=""
    )
    if changed:
        version.refresh_from_db()
        _clear(version, f"{version} was released from quarantine and may play again.")
        if version.bot.active_version is None:
            set_active(version.bot, version)


@transaction.atomic
def check_again(version: BotVersion, *, by_operator: bool = False) -> None:
    """Check a rejected version anew, or have a waiting check go on now; raises Conflict or CheckedLately."""
    if version.status == BotVersion.Status.CHECKING:
        _go_on_now(version, by_operator=by_operator)
    elif version.status == BotVersion.Status.REJECTED:
        _begin_again(version, by_operator=by_operator)
    else:
        raise Conflict(f"{version} is {version.status}; only a rejected or a waiting version can be checked again.")


def _go_on_now(version: BotVersion, *, by_operator: bool) -> None:
    match = waiting_match(version)
    if match is None:
        raise Conflict(f"{version} is being checked already.")
    last = match.failed_attempts.aggregate(last=Max("at"))["last"]
    if not by_operator and last is not None and now() - last < TRY_EVERY:
        raise CheckedLately(f"{version} was last checked {naturaltime(last)}.", free_at=last + TRY_EVERY)
    try_again(match.pk)
    announce(Event.MATCHES_QUEUED)


def _begin_again(version: BotVersion, *, by_operator: bool) -> None:
    if not by_operator and version.checked_at is not None and now() - version.checked_at < CHECK_EVERY:
        raise CheckedLately(
            f"{version} was rejected {naturaltime(version.checked_at)}, and the same file will most likely fail again.",
            free_at=version.checked_at + CHECK_EVERY,
        )
    rejected = BotVersion.objects.filter(pk=version.pk, status=BotVersion.Status.REJECTED)
    if rejected.update(status=BotVersion.Status.RECEIVED, reason="", checked_at=None):
        announce(Event.VERSION_RECEIVED, version.pk)


def unclaimed_match(version: BotVersion) -> Match | None:
    """The trial's match that is queued and not being played."""
    playing = version.trials.filter(status=Trial.Status.PLAYING).values("match")
    return Match.objects.filter(pk__in=playing, status=Match.Status.QUEUED).first()


def waiting_match(version: BotVersion) -> Match | None:
    """The trial's match that the service could not play yet and has set aside; None where nothing waits so."""
    playing = version.trials.filter(status=Trial.Status.PLAYING).values("match")
    return set_aside_matches().filter(pk__in=playing).first()


def _tell(version: BotVersion, kind: Notification.Kind, text: str) -> None:
    if version.bot.owner is not None and version.bot.owner.username != HOUSE:
        notify(version.bot.owner, kind, text, url=f"/bots/{version.bot_id}/")


def admit_to_new_ladders() -> int:
    """Plan trials for active versions on ladders that opened after they qualified, some at a time; returns how many."""
    return sum(_admit_some(ladder) for ladder in Ladder.objects.filter(is_open=True, admitted_through__isnull=False))


@transaction.atomic
def _admit_some(ladder: Ladder) -> int:
    bots = Bot.objects.filter(game=ladder.game, pk__gt=ladder.admitted_through).select_related("active_version")
    page = list(bots.order_by("pk")[:ADMITTED_A_BEAT])
    through = page[-1].pk if page else None
    if not Ladder.objects.filter(pk=ladder.pk, admitted_through=ladder.admitted_through).update(
        admitted_through=through
    ):
        return 0  # another process is at it
    return sum(plan_missing_trials(bot.active_version) for bot in page if bot.active_version is not None)


def plan_missing_trials(version: BotVersion) -> int:
    """Trials on the open ladders of its game that a version never tried; returns on how many."""
    open_ladders = Ladder.objects.filter(game=version.bot.game, is_open=True).order_by("seats", "slug")
    tried, standing = version.trials.values("ladder"), Standing.objects.filter(version=version).values("ladder")
    missing = list(open_ladders.exclude(pk__in=tried).exclude(pk__in=standing))
    plan_trials(version, missing, Trial.Occasion.QUALIFYING)
    return len(missing)
