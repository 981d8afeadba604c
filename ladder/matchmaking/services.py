"""What the beat does about ladders: keeps a short queue of the most telling matches."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from random import Random

import numpy as np
from django.db.models import QuerySet

from ladder.accounts.permissions import HOUSE
from ladder.ladders.models import Ladder
from ladder.locks import each_alone
from ladder.matches.models import Lane, Match, Seat
from ladder.matches.queries import UNSETTLED, playing_slots
from ladder.matches.services import create_set, rotations
from ladder.matchmaking.doubt import Doubt
from ladder.matchmaking.pairing import BEST, Aims, Contender, choose_tables
from ladder.qualifying.models import Trial
from ladder.qualifying.trials import OPEN_TRIALS
from ladder.ratings.draws import deviations
from ladder.ratings.fit.dispersion import FLOOR
from ladder.ratings.fits import is_fresh
from ladder.ratings.models import RANKED_MATCHES, Standing
from ladder.ratings.queries import columns_of, shown_fit

QUEUE_A_SLOT = 4  # waiting ladder matches for each match that can be played at once
SETS_PENDING = 3  # of one version
ASKERS = 20  # versions known least that are looked at in one beat
NEIGHBOURS = 20  # others looked at on each side of them
AROUND_BEST = 60  # whether a version is among the best is asked of so many at the top
CANDIDATES = 120  # contenders whose draws are compared
LOOK_BACK = 1000  # matches since the fit that are looked at


@dataclass(frozen=True, slots=True)
class Asker:
    """A line of a ladder as far as pairing cares."""

    version: int
    mu: float
    sigma: float
    matches: int
    owner: str | None
    sd: float
    is_provisional: bool
    place_low: int | None
    place_high: int | None

    @property
    def doubt(self) -> float:
        """The fit's deviation; at the start of a season that of the last one, and then TrueSkill's is the wide one."""
        return max(self.sd, self.sigma) if self.is_provisional else self.sd

    @property
    def is_contested(self) -> bool:
        """Whether its place may be among the best, or not."""
        return self.place_low is not None and self.place_high is not None and self.place_low <= BEST < self.place_high


ASKER = columns_of(Asker, version="version_id", owner="bot__owner__username")


def pair_all(rng: Random | None = None) -> int:
    """Fill up the queue of every open ladder; returns how many sets were made."""
    ladders = list(Ladder.objects.filter(is_open=True, is_paused=False).order_by("slug"))
    room = QUEUE_A_SLOT * playing_slots()
    rng = rng or Random()
    rng.shuffle(ladders)  # when the room is short, each ladder gets its turn
    by_pk, share = {ladder.pk: ladder for ladder in ladders}, max(1, room // max(1, len(ladders)))
    return each_alone("pair", by_pk, lambda pk: _fill_up(by_pk[pk], share, rng))


def _fill_up(ladder: Ladder, share: int, rng: Random) -> int:
    """Pair until so many matches of a ladder wait; returns how many sets were made."""
    waiting = Match.objects.filter(ladder=ladder, lane=Lane.LADDER, status=Match.Status.QUEUED).count()
    return pair(ladder, count=-(-(share - waiting) // ladder.seats), rng=rng) if waiting < share else 0


def pair(ladder: Ladder, *, count: int, rng: Random) -> int:
    """Queue up to ``count`` sets on a ladder; returns how many were worth playing."""
    pending = SETS_PENDING * ladder.seats
    aims = Aims(ladder.sigma_goal, ladder.most_matches, most_pending=pending, fewest_matches=RANKED_MATCHES)
    found = contenders(ladder)
    doubt = doubt_about(found, ladder) if found else None
    tables = choose_tables(found, seats=ladder.seats, count=count, aims=aims, rng=rng, doubt=doubt)
    for table in tables:
        create_set(ladder=ladder, seatings=rotations(table), lane=Lane.LADDER, is_rated=True)
    return len(tables)


def contenders(ladder: Ladder) -> list[Contender]:
    """The top of the table where that is open, versions that ask for matches, and others near them.

    A large ladder costs no more than a small one.
    """
    listed = Standing.objects.filter(ladder=ladder, is_listed=True)
    listed = listed.exclude(version__in=Trial.objects.filter(status__in=OPEN_TRIALS).values("version"))
    playing = listed.filter(matches__lt=ladder.most_matches)
    unsure = _unsure(playing, ladder)
    found = _around_best(listed, ladder) | {row.version: row for row in unsure}
    seen: list[tuple[float, float]] = []  # between which mu everybody has neighbours on both sides by now
    for asker in unsure:
        if not any(low <= asker.mu <= high for low, high in seen):
            others = listed if asker.owner in (None, HOUSE) else listed.exclude(bot__owner__username=asker.owner)
            above = _rows(others.filter(mu__gte=asker.mu).order_by("mu"), NEIGHBOURS)
            below = _rows(others.filter(mu__lt=asker.mu).order_by("-mu"), NEIGHBOURS)
            found |= {row.version: row for row in (*above, *below)}
            seen.append((_halfway(below, -math.inf), _halfway(above, math.inf)))
    pending = pending_matches(list(found), ladder)
    return [_contender(row, pending.get(row.version, 0)) for row in found.values()]


def _halfway(neighbours: Sequence[Asker], end: float) -> float:
    """The mu that half of the neighbours lie beyond; where there are no more of them, the end of the table."""
    return neighbours[NEIGHBOURS // 2].mu if len(neighbours) == NEIGHBOURS else end


def _unsure(playing: QuerySet[Standing], ladder: Ladder) -> list[Asker]:
    """Those without a rank, and those whose rating the fit knows least."""
    unranked = _rows(playing.filter(is_provisional=True, board_key__lt=0).order_by("-board_key"), ASKERS)
    unsure = _rows(playing.filter(sd__gt=ladder.sigma_goal).order_by("-sd"), ASKERS)
    found = {row.version: row for row in (*unranked, *unsure)}
    return sorted(found.values(), key=lambda row: -row.doubt)[:ASKERS]


def _around_best(listed: QuerySet[Standing], ladder: Ladder) -> dict[int, Asker]:
    """The top of the table, where somebody in it asks whether it belongs to the best."""
    top = _rows(listed.filter(is_provisional=False).order_by("-board_key"), AROUND_BEST)
    is_open = any(row.is_contested and row.matches < ladder.most_matches for row in top)
    return {row.version: row for row in top} if is_open else {}


def _rows(standings: QuerySet[Standing], most: int) -> list[Asker]:
    return [Asker(*row) for row in standings.values_list(*ASKER)[:most]]


def _contender(row: Asker, pending: int) -> Contender:
    """House bots meet each other too: a new service has no others."""
    owner = "" if row.owner is None or row.owner == HOUSE else row.owner
    return Contender(
        row.version, row.mu, row.sigma, row.matches, pending, sd=row.doubt, is_contested=row.is_contested, owner=owner
    )


def doubt_about(found: Sequence[Contender], ladder: Ladder) -> Doubt | None:
    """What the fit leaves open about contenders and what they have played since; none where it says too little."""
    fit = shown_fit(ladder)
    if fit is None or not is_fresh(fit, ladder):
        return None
    candidates = [each.version for each in found[:CANDIDATES]]
    ratings = dict(fit.lines.filter(version__in=candidates).values_list("version_id", "rating"))
    drawn = deviations(fit, candidates)
    versions = sorted(drawn)
    if len(versions) < ladder.seats:
        return None
    columns = np.stack([ratings[version] + drawn[version] for version in versions], axis=1)
    best = BEST if any(each.is_contested for each in found) else 0
    doubt = Doubt(versions, columns, best=best, phi=max(FLOOR, fit.phi_set + fit.phi_between))
    doubt.note(met_since(fit.rated_through, ladder))
    return doubt


def met_since(number: int, ladder: Ladder) -> dict[tuple[int, int], float]:
    """How often pairs have met since a rating number or will meet, in matches of two seats; the latest are enough."""
    seats = Seat.objects.filter(match__ladder=ladder, match__is_rated=True)
    after = max(number, ladder.rated_through - LOOK_BACK)
    rows = chain(
        seats.filter(match__rating_number__gt=after).values_list("match_id", "version_id"),
        seats.filter(match__status__in=UNSETTLED).values_list("match_id", "version_id"),
    )
    tables: dict[int, list[int]] = defaultdict(list)
    for match, version in rows:
        tables[match].append(version)
    met = Counter(pair for table in tables.values() for pair in combinations(sorted(table), 2))
    return {pair: 2 * matches / ladder.seats for pair, matches in met.items()}


def pending_matches(versions: list[int], ladder: Ladder) -> dict[int, int]:
    """How many ladder matches each version still has before it, leaving out those without."""
    if not versions:
        return {}
    unsettled = Match.objects.filter(ladder=ladder, lane=Lane.LADDER, status__in=UNSETTLED).values_list("pk", flat=True)
    seated = Counter(Seat.objects.filter(match__in=list(unsettled)).values_list("version_id", flat=True))
    return {version: seated[version] for version in versions if version in seated}
