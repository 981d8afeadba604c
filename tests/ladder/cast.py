"""The cast of the service's tests: people, bots, ladders, and matches that were never really played."""

from __future__ import annotations

import itertools
from hashlib import sha256
from uuid import UUID

from arena import Fault, HostFacts, MatchOrder, MatchRecord, SandboxFacts, SeatReport
from engines import Outcome
from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.ladders.services import find_ladder, set_open
from ladder.matches import leases, results
from ladder.matches.models import Lane, Match
from ladder.matches.services import create_set
from ladder.qualifying.activation import set_active
from ladder.ratings.models import BELOW_ALL, Standing
from ladder.ratings.services import enter_ladder
from ladder.submissions.models import Bot, BotVersion, Bundle

_counter = itertools.count(1)


def make_user(name: str = "", role: str = User.Role.AUTHOR) -> User:
    return User.objects.create_user(name or f"user{next(_counter)}", password="long enough 1", role=role)


def make_ladder(game: str = "speak_easy", seats: int = 2) -> Ladder:
    ladder = find_ladder(game=game, seats=seats)
    set_open(ladder, True)
    return ladder


def make_version(
    *, owner: User | None = None, game: str = "speak_easy", bot: Bot | None = None, status: str = "qualified"
) -> BotVersion:
    """A version that never saw a check; a qualified one is active."""
    serial = next(_counter)
    bot = bot or Bot.objects.create(owner=owner, game=game, name=f"bot {serial}")
    content = f"# {serial}".encode()
    bundle = Bundle.objects.create(digest=sha256(content).hexdigest(), content=content, size_bytes=len(content))
    version = BotVersion.objects.create(
        bot=bot,
        number=bot.versions.count() + 1,
        bundle=bundle,
        runtime="python",
        entry="main.py",
        filename="main.py",
        status=status,
        uploaded_by=owner,
    )
    if status == "qualified":
        set_active(bot, version)
    return version


def enrol(ladder: Ladder, count: int) -> list[BotVersion]:
    """Active versions with a place on a ladder."""
    versions = [make_version(game=ladder.game) for _ in range(count)]
    for version in versions:
        enter_ladder(version, ladder)
        set_active(version.bot, version)
    return versions


def standing(version: BotVersion, ladder: Ladder) -> Standing:
    return Standing.objects.get(version=version, ladder=ladder)


def shown_at(rating: float, *, sd: float = 0.5, is_provisional: bool = False) -> dict[str, object]:
    """The columns of a standing that a fit would have written."""
    key = rating - BELOW_ALL if is_provisional else rating
    return {"rating": rating, "sd": sd, "is_provisional": is_provisional, "board_key": key}


def queue(ladder: Ladder, *versions: BotVersion, is_rated: bool = True, lane: Lane = Lane.LADDER, **more) -> Match:
    """One queued match with these versions in its seats."""
    seating = [version.pk for version in versions]
    return create_set(ladder=ladder, seatings=[seating], lane=lane, is_rated=is_rated, **more).matches.get()


def make_record(
    order: MatchOrder, *, ranks: tuple[int, ...], faults: tuple[Fault, ...] = (), stderr: str = ""
) -> MatchRecord:
    """A report as the arena would write it."""
    ending = faults[0].kind if faults else "finished"
    outcome = None if faults else Outcome(ranks=ranks, scores=tuple(float(2 - rank) for rank in ranks), ending="done")
    return MatchRecord(
        order=order,
        actions=(),
        faults=faults,
        outcome=outcome,
        ending=ending,
        ranks=ranks,
        seats=tuple(SeatReport(stderr=stderr) for _ in ranks),
        sandbox=SandboxFacts(kind="bwrap"),
        host=HostFacts(wall_ms=12.0),
    ).sealed()


def finish(match: Match, *ranks: int, faults: tuple[Fault, ...] = (), lease: UUID | None = None) -> None:
    """Report a result for a claimed match."""
    match.refresh_from_db()
    record = make_record(leases.order_of(match), ranks=ranks, faults=faults)
    assert results.record_result(match_id=match.pk, lease=lease or match.lease, record=record)


def play(ladder: Ladder, *versions: BotVersion, ranks: tuple[int, ...], faults: tuple[Fault, ...] = ()) -> Match:
    """Queue, claim and finish one match; every other match must be settled or held."""
    match = queue(ladder, *versions)
    claim = leases.claim_match(worker="host/1")
    assert claim is not None
    assert claim.match_id == match.pk
    finish(match, *ranks, faults=faults)
    match.refresh_from_db()
    return match


def crash(seat: int, ply: int = 3, stage: str = "act") -> Fault:
    return Fault(seat=seat, kind="crash", stage=stage, ply=ply, reason="exit code 1")
