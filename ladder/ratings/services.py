"""What changes ratings: places on a ladder, and settled matches rated in order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import F, Sum
from django.db.models.functions import Now

from ladder.ladders.models import Ladder
from ladder.matches.models import Match, Seat
from ladder.matches.queries import SETTLED
from ladder.ratings.book import Book, Change, Line, Place, Tally
from ladder.ratings.models import BELOW_ALL, START_MU, Rating, RatingStep, SeatTally, Standing
from ladder.ratings.skill import Manner, Skill
from ladder.submissions.models import BotVersion

BATCH = 100  # matches rated in one transaction


def enter_ladder(version: BotVersion, ladder: Ladder) -> Standing:
    """Give a version its place on a ladder: it begins at the mu of its predecessor, with a wide sigma."""
    before = (
        Standing.objects.filter(ladder=ladder, bot=version.bot_id, version__number__lt=version.number, matches__gt=0)
        .order_by("-version__number")
        .first()
    )
    mu, rating = (before.mu, before.rating) if before else (START_MU, START_MU)
    standing, _ = Standing.objects.get_or_create(
        ladder=ladder,
        version=version,
        defaults={
            "bot_id": version.bot_id,
            "name": version.bot.name.lower(),
            "start_mu": mu,
            "mu": mu,
            "rating": rating,
            "board_key": rating - BELOW_ALL,
        },
    )
    return standing


def list_active_version(bot_id: int) -> None:
    """Let leaderboards show the active version of a bot, and no other of its versions."""
    Standing.objects.filter(bot=bot_id, is_listed=True).exclude(
        version=F("bot__active_version"), version__status=BotVersion.Status.QUALIFIED
    ).update(is_listed=False)
    Standing.objects.filter(
        bot=bot_id, version=F("bot__active_version"), version__status=BotVersion.Status.QUALIFIED
    ).update(is_listed=True)


def rate_all() -> int:
    """Rate what is settled on every ladder; returns how many matches."""
    behind = Ladder.objects.filter(rated_through__lt=F("last_number")).values_list("pk", flat=True)
    return sum(_rate_ladder(ladder) for ladder in list(behind))


def _rate_ladder(ladder_id: int) -> int:
    total = 0
    while rated := rate_next(ladder_id):
        total += rated
        if rated < BATCH:
            break
    return total


@transaction.atomic
def rate_next(ladder_id: int, limit: int = BATCH) -> int:
    """Apply the next rating numbers, up to the first match without an end; twice or at once changes nothing more."""
    ladder = Ladder.objects.select_for_update().get(pk=ladder_id)
    settled = _next_settled(ladder, limit)
    if not settled:
        return 0
    matches = _without_history(ladder, settled)
    places = places_of(matches)
    book = open_book(ladder, [place for each in places.values() for place in each])
    steps = [_step(ladder, match) for match in matches]
    changes = [enter_match(book, step.verdict, places[step.match_id]) for step in steps]
    RatingStep.objects.bulk_create(steps)
    Rating.objects.bulk_create(
        _rating(step, change) for step, changed in zip(steps, changes, strict=True) for change in changed
    )
    save_book(ladder, book)
    Ladder.objects.filter(pk=ladder.pk).update(rated_through=settled[-1].rating_number)
    return len(settled)


def _next_settled(ladder: Ladder, limit: int) -> list[Match]:
    """The unbroken run of settled matches after the last one rated."""
    numbered = Match.objects.filter(ladder=ladder, rating_number__gt=ladder.rated_through).order_by("rating_number")
    run: list[Match] = []
    for match in numbered[:limit]:
        if match.rating_number != ladder.rated_through + len(run) + 1 or match.status not in SETTLED:
            break
        run.append(match)
    return run


def _without_history(ladder: Ladder, matches: list[Match]) -> list[Match]:
    """Leave out what was applied under older rules: a rebuild finds it as it was."""
    old = [match.pk for match in matches if is_outdated(match, ladder)]
    applied = set(RatingStep.objects.filter(match__in=old).values_list("match", flat=True)) if old else set()
    return [match for match in matches if match.pk not in applied]


def is_outdated(match: Match, ladder: Ladder) -> bool:
    """Whether a match was played under older rules than the ladder's table counts."""
    return match.rules_version is not None and match.rules_version < ladder.rules_version


def places_of(matches: Sequence[Match]) -> dict[int, list[Place]]:
    """The places of each match, by match id, in seat order; a match without ranks gets rank 1 for all."""
    places: dict[int, list[Place]] = {match.pk: [] for match in matches}
    rows = Seat.objects.filter(match__in=list(places)).order_by("match", "seat")
    fields = ("match_id", "seat", "version_id", "rank", "fault", "version__bot_id")
    for match_id, seat, version, rank, fault, bot in rows.values_list(*fields):
        places[match_id].append(Place(seat, version, rank or 1, bool(fault), bot))
    return places


def manner_of(ladder: Ladder) -> Manner:
    return Manner(draw_probability=ladder.draw_probability, tau=ladder.tau)


def open_book(ladder: Ladder, places: Sequence[Place]) -> Book:
    """The book of a ladder with the lines of these versions and bots as they stand now."""
    wanted, bots = {place.version for place in places}, {place.bot for place in places}
    lines = {standing.version_id: _line(standing) for standing in ladder.standings.filter(version__in=wanted)}
    for version in BotVersion.objects.filter(pk__in=wanted - set(lines)):
        lines[version.pk] = _line(enter_ladder(version, ladder))
    return Book(manner_of(ladder), lines, tallies_of(ladder), _played(ladder, bots))


def _played(ladder: Ladder, bots: Iterable[int]) -> dict[int, int]:
    """How many rated matches each bot has had on a ladder, over all its versions and all rules."""
    rows = ladder.standings.filter(bot__in=bots).order_by().values_list("bot")
    return dict(rows.annotate(played=Sum(F("matches") + F("earlier"))))


def tallies_of(ladder: Ladder) -> dict[int, Tally]:
    """How each seat of a ladder has fared, by seat."""
    rows = ladder.tallies.values_list("seat", "matches", "wins", "draws", "losses", "rank_sum")
    return {seat: Tally(*counts) for seat, *counts in rows}


def _line(row: Standing) -> Line:
    skill = Skill(row.mu, row.sigma)
    return Line(skill, row.matches, row.wins, row.draws, row.losses, row.rank_sum, row.faults, list(row.recent_mu))


def _step(ladder: Ladder, match: Match) -> RatingStep:
    return RatingStep(ladder=ladder, number=match.rating_number or 0, match=match, verdict=verdict_on(match, ladder))


def verdict_on(match: Match, ladder: Ladder) -> RatingStep.Verdict:
    """What a settled match is to the table."""
    if is_outdated(match, ladder):
        return RatingStep.Verdict.OUTDATED
    return RatingStep.Verdict.RATED if match.status == Match.Status.FINISHED else RatingStep.Verdict.VOID


def enter_match(book: Book, verdict: RatingStep.Verdict | str, places: Sequence[Place]) -> list[Change]:
    """Write a match into the book as its verdict says."""
    if verdict == RatingStep.Verdict.RATED:
        return book.enter(places)
    if verdict == RatingStep.Verdict.VOID:
        book.enter_void(places)
    return []


def _rating(step: RatingStep, change: Change) -> Rating:
    return Rating(
        step=step,
        ladder_id=step.ladder_id,
        version_id=change.place.version,
        bot_id=change.place.bot,
        nth=change.nth,
        seat=change.place.seat,
        rank=change.place.rank,
        mu_before=change.before.mu,
        sigma_before=change.before.sigma,
        mu=change.after.mu,
        sigma=change.after.sigma,
    )


LINE_FIELDS = ("mu", "sigma", "matches", "wins", "draws", "losses", "rank_sum", "faults", "recent_mu")


@dataclass(frozen=True, slots=True)
class LineRow:
    """A line of the book as a standing stores it."""

    mu: float
    sigma: float
    matches: int
    wins: int
    draws: int
    losses: int
    rank_sum: int
    faults: int
    recent_mu: list[float]


def line_row(line: Line) -> LineRow:
    skill = line.skill
    counts = (line.matches, line.wins, line.draws, line.losses, line.rank_sum, line.faults)
    return LineRow(skill.mu, skill.sigma, *counts, line.recent_mu)


def save_book(ladder: Ladder, book: Book) -> None:
    """Write the lines of a book back to the standings, and its tallies."""
    _write_lines(ladder, book)
    SeatTally.objects.bulk_create(
        (
            SeatTally(
                ladder=ladder,
                seat=seat,
                matches=tally.matches,
                wins=tally.wins,
                draws=tally.draws,
                losses=tally.losses,
                rank_sum=tally.rank_sum,
            )
            for seat, tally in sorted(book.tallies.items())
        ),
        update_conflicts=True,
        unique_fields=["ladder", "seat"],
        update_fields=["matches", "wins", "draws", "losses", "rank_sum"],
    )


def _write_lines(ladder: Ladder, book: Book) -> None:
    """All lines in one statement for each, past the ORM: its bulk update takes longer than the ratings themselves."""
    table, columns = Standing._meta.db_table, ", ".join(f"{name} = %s" for name in LINE_FIELDS)
    rows = [(*_columns(line), ladder.pk, version) for version, line in book.lines.items()]
    with connection.cursor() as cursor:
        cursor.executemany(f"UPDATE {table} SET {columns} WHERE ladder_id = %s AND version_id = %s", rows)  # noqa: S608
    ladder.standings.filter(version__in=list(book.lines)).update(updated_at=Now())


def _columns(line: Line) -> list[float | str]:
    row = line_row(line)
    return [json.dumps(row.recent_mu) if name == "recent_mu" else getattr(row, name) for name in LINE_FIELDS]
