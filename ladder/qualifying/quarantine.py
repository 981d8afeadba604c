"""Versions that keep failing: blame is uncertain, so it takes two opponents and a failed retest."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F, Max

from ladder.ladders.models import Ladder
from ladder.matches.models import Lane, Match, Seat
from ladder.qualifying.models import Trial
from ladder.qualifying.trials import OPEN_TRIALS, plan_trials
from ladder.submissions.models import BotVersion

OPPONENTS = 2
FAILURES = 2  # one match at a table of four has three opponents, but is one accident
LOOK_BACK = 30  # matches of a version in which its faults are counted
LATEST = 500  # matches looked through in one beat


def suspect_all() -> int:
    """Order a retest for every version that failed lately against several opponents; returns how many."""
    newest = Match.objects.aggregate(last=Max("pk"))["last"] or 0
    failing = (
        Seat.objects.filter(match_id__gt=newest - LATEST, match__lane__in=[Lane.LADDER, Lane.TOURNAMENT])
        .exclude(fault="")
        .filter(version__status=BotVersion.Status.QUALIFIED, match_id__gt=F("version__cleared_match"))
        .values_list("version_id", flat=True)
        .distinct()
    )
    return sum(suspect(version) for version in list(failing))


@transaction.atomic
def suspect(version_id: int) -> bool:
    """Order a retest if the faults of a version came up against enough opponents; False if they did not."""
    version = BotVersion.objects.select_for_update(of=("self",)).select_related("bot").get(pk=version_id)
    if version.status != BotVersion.Status.QUALIFIED or version.trials.filter(status__in=OPEN_TRIALS).exists():
        return False
    failed = failed_matches(version)
    opponents = Seat.objects.filter(match__in=failed).exclude(version=version).values("version").distinct().count()
    if opponents < OPPONENTS or len(failed) < FAILURES:
        return False
    ladders = Ladder.objects.filter(pk__in=Match.objects.filter(pk__in=failed).values("ladder")).order_by("seats")
    plan_trials(version, list(ladders), Trial.Occasion.RETEST)
    return True


def failed_matches(version: BotVersion) -> list[int]:
    """The latest matches in which the version was at fault and that no retest has forgiven."""
    recent = Seat.objects.filter(version=version, match_id__gt=version.cleared_match).exclude(match__lane=Lane.TRIAL)
    latest = recent.order_by("-match_id").values_list("match_id", "fault")[:LOOK_BACK]
    return [match for match, fault in latest if fault]
