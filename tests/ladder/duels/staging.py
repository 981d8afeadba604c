"""Duels whose matches were never really played: the script says what the new version scores."""

from __future__ import annotations

from collections.abc import Iterable

from ladder.accounts.models import User
from ladder.duels import services
from ladder.duels.advancing import advance
from ladder.duels.models import Duel
from ladder.ladders.models import Ladder
from ladder.matches import leases
from ladder.matches.models import Match
from ladder.qualifying.activation import set_active
from ladder.ratings.services import enter_ladder
from ladder.submissions.models import BotVersion
from tests.ladder.cast import finish, make_version


def two_versions(ladder: Ladder, owner: User) -> tuple[BotVersion, BotVersion]:
    """An old version that is active, and a new one; both stand on the ladder."""
    old = make_version(owner=owner, game=ladder.game)
    new = make_version(owner=owner, bot=old.bot)
    for version in (old, new):
        enter_ladder(version, ladder)
    set_active(old.bot, old)
    return old, new


def started(ladder: Ladder, owner: User, *, margin: float = 0.05, **wishes: object) -> Duel:
    """A duel between two fresh versions, with its first sets queued; a wide margin is decided soon."""
    _, new = two_versions(ladder, owner)
    duel = services.start(bot=new.bot, by=owner, new=new, **wishes)
    Duel.objects.filter(pk=duel.pk).update(margin=margin)
    advance(duel.pk)
    return duel


def ranks_for(match: Match, new: int, points: float) -> list[int]:
    """Ranks in which the version beats all others, none of them, or draws with all."""
    seats = list(match.seats.order_by("seat").values_list("version_id", flat=True))
    if points == 0.5:
        return [1] * len(seats)
    mine = 1 if points == 1 else len(seats)
    others = 2 if points == 1 else 1
    return [mine if version == new else others for version in seats]


def play_match(duel: Duel, points: float) -> None:
    """Claim the next match of anybody and finish it; there must be none but those of the duel."""
    claim = leases.claim_match(worker="host/1")
    assert claim is not None
    match = Match.objects.get(pk=claim.match_id)
    finish(match, *ranks_for(match, duel.new_id, points))


def play_sets(duel: Duel, points: Iterable[float]) -> Duel:
    """Play set after set, each match of it with these points, as long as the duel goes on."""
    for each in points:
        for _ in range(duel.ladder.seats):
            play_match(duel, each)
        advance(duel.pk)
        duel.refresh_from_db()
        if not duel.is_playing:
            break
    return duel
