"""When the rules of a game change: its ladders close their season and begin the next."""

from __future__ import annotations

import structlog
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from engines import GAMES
from ladder.ladders.models import Ladder
from ladder.matches.services import call_off_ladder
from ladder.ratings.models import Season
from ladder.ratings.seasons import bring_up_to_date, end_season
from ladder.ratings.services import hold_ladder

log = structlog.get_logger("ladder.ratings")


def adopt_all() -> int:
    """Bring every ladder to the present rules of its game; returns how many were behind."""
    ladders = list(Ladder.objects.values_list("pk", "game", "rules_version"))
    return sum(_adopt(pk) for pk, game, rules in ladders if game in GAMES and rules < GAMES[game].rules_version)


def _adopt(ladder_id: int) -> int:
    """Whoever comes second finds nothing to do; the season ends with all that was rated under the old rules."""
    bring_up_to_date(Ladder.objects.get(pk=ladder_id), with_fit=True)
    with transaction.atomic():
        return _change_rules(hold_ladder(ladder_id))


def _change_rules(ladder: Ladder) -> int:
    rules = GAMES[ladder.game].rules_version
    if ladder.rules_version >= rules:
        return 0
    called_off = call_off_ladder(ladder, reason=f"rules {rules} took effect; the bots are paired anew")
    end_season(ladder, cause=Season.Cause.RULES, note=f"Rules {rules} took effect.")
    Ladder.objects.filter(pk=ladder.pk).update(
        rules_version=rules, rules_since=Now(), last_edition=F("last_edition") + 1
    )
    log.info("rules adopted", ladder=ladder.slug, rules=rules, called_off=called_off)
    return 1
