"""What the beat does about ladders: keeps a short queue of the most telling matches."""

from __future__ import annotations

from random import Random

from django.db.models import Count, QuerySet

from ladder.accounts.permissions import HOUSE
from ladder.ladders.models import Ladder
from ladder.matches.models import Lane, Match, Seat
from ladder.matches.queries import UNSETTLED, playing_slots
from ladder.matches.services import create_set, rotations
from ladder.matchmaking.pairing import Aims, Contender, choose_tables
from ladder.qualifying.models import Trial
from ladder.qualifying.trials import OPEN_TRIALS
from ladder.ratings.models import Standing

QUEUE_A_SLOT = 4  # waiting ladder matches for each match that can be played at once
SETS_PENDING = 3  # of one version
ASKERS = 20  # versions known least that are looked at in one beat
NEIGHBOURS = 20  # others looked at on each side of them
Row = tuple[int, float, float, int, str | None]  # version, mu, sigma, matches, owner


def pair_all(rng: Random | None = None) -> int:
    """Fill up the queue of every open ladder; returns how many sets were made."""
    ladders = list(Ladder.objects.filter(is_open=True, is_paused=False).order_by("slug"))
    room = QUEUE_A_SLOT * playing_slots()
    rng = rng or Random()
    rng.shuffle(ladders)  # when the room is short, each ladder gets its turn
    made = 0
    for ladder in ladders:
        waiting = Match.objects.filter(ladder=ladder, lane=Lane.LADDER, status=Match.Status.QUEUED).count()
        share = max(1, room // len(ladders))
        if waiting < share:
            made += pair(ladder, count=-(-(share - waiting) // ladder.seats), rng=rng)
    return made


def pair(ladder: Ladder, *, count: int, rng: Random) -> int:
    """Queue up to ``count`` sets on a ladder; returns how many were worth playing."""
    aims = Aims(ladder.sigma_goal, ladder.most_matches, most_pending=SETS_PENDING * ladder.seats)
    tables = choose_tables(contenders(ladder), seats=ladder.seats, count=count, aims=aims, rng=rng)
    for table in tables:
        create_set(ladder=ladder, seatings=rotations(table), lane=Lane.LADDER, is_rated=True)
    return len(tables)


def contenders(ladder: Ladder) -> list[Contender]:
    """The listed versions that are known least, and others near them in mu; constant work however large the ladder."""
    listed = Standing.objects.filter(ladder=ladder, is_listed=True)
    listed = listed.exclude(version__in=Trial.objects.filter(status__in=OPEN_TRIALS).values("version"))
    askers = _rows(listed.filter(sigma__gt=ladder.sigma_goal, matches__lt=ladder.most_matches).order_by("-sigma"))
    found = {row[0]: row for row in askers}
    for _, mu, _, _, owner in askers:
        others = listed if owner in (None, HOUSE) else listed.exclude(bot__owner__username=owner)
        found |= {row[0]: row for row in _rows(others.filter(mu__gte=mu).order_by("mu"), NEIGHBOURS)}
        found |= {row[0]: row for row in _rows(others.filter(mu__lt=mu).order_by("-mu"), NEIGHBOURS)}
    pending = pending_matches(list(found), ladder)
    return [_contender(row, pending.get(row[0], 0)) for row in found.values()]


def _rows(standings: QuerySet[Standing], most: int = ASKERS) -> list[Row]:
    return list(standings.values_list("version_id", "mu", "sigma", "matches", "bot__owner__username")[:most])


def _contender(row: Row, pending: int) -> Contender:
    """House bots meet each other too: a new service has no others."""
    version, mu, sigma, matches, owner = row
    return Contender(version, mu, sigma, matches, pending, owner="" if owner is None or owner == HOUSE else owner)


def pending_matches(versions: list[int], ladder: Ladder) -> dict[int, int]:
    """How many ladder matches each version still has before it, leaving out those without."""
    seats = Seat.objects.filter(
        match__status__in=UNSETTLED, match__lane=Lane.LADDER, match__ladder=ladder, version__in=versions
    )
    return dict(seats.values_list("version_id").annotate(count=Count("pk")).order_by())
