"""When the rules of a game change: its ladders begin a new table, and what was played before stays as history."""

from __future__ import annotations

from typing import Any

import structlog
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from engines import GAMES
from ladder.ladders.models import Ladder
from ladder.matches.services import call_off_ladder
from ladder.ratings.models import BELOW_ALL, RANKED_MATCHES, START_MU, START_SIGMA
from ladder.ratings.recompute import clear_table

log = structlog.get_logger("ladder.ratings")
UNFITTED: dict[str, Any] = {  # what a line shows before the first fit
    "rating": START_MU,
    "sd": START_SIGMA,
    "is_provisional": True,
    "missing": RANKED_MATCHES,
    "board_key": START_MU - BELOW_ALL,
    "storey": None,
    "place_low": None,
    "place_high": None,
    "p_first": None,
}


def adopt_all() -> int:
    """Bring every ladder to the present rules of its game; returns how many were behind."""
    return sum(_adopt(pk) for pk, game, rules in _rules() if game in GAMES and rules < GAMES[game].rules_version)


def _rules() -> list[tuple[int, str, int]]:
    return list(Ladder.objects.values_list("pk", "game", "rules_version"))


@transaction.atomic
def _adopt(ladder_id: int) -> int:
    """Whoever comes second finds nothing to do."""
    ladder = Ladder.objects.select_for_update().get(pk=ladder_id)
    rules = GAMES[ladder.game].rules_version
    if ladder.rules_version >= rules:
        return 0
    called_off = call_off_ladder(ladder, reason=f"rules {rules} took effect; the bots are paired anew")
    ladder.standings.update(earlier=F("earlier") + F("matches"), start_mu=START_MU, start_sigma=START_SIGMA)
    clear_table(ladder)
    ladder.standings.update(**UNFITTED)
    Ladder.objects.filter(pk=ladder.pk).update(rules_version=rules, rules_since=Now())
    log.info("rules adopted", ladder=ladder.slug, rules=rules, called_off=called_off)
    return 1
