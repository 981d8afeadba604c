"""What changes ratings: places on a ladder, and settled matches rated in order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Case, Exists, F, OuterRef, Q, Sum, Value, When
from django.db.models.functions import Greatest, Now

from ladder.collector import nothing_collected
from ladder.ladders.models import Ladder
from ladder.locks import each_alone
from ladder.matches.models import Match, Seat
from ladder.matches.queries import to_rate
from ladder.ratings.book import Book, BookEntry, ResultCount, SeatFinish, SkillChange
from ladder.ratings.models import BELOW_ALL, START_MU, Rating, RatingStep, SeatTally, Standing
from ladder.ratings.skill import Manner, Skill
from ladder.submissions.models import Bot, BotVersion

BATCH = 400  # matches rated in one transaction, of some 60 ms
NEEDED = ("ladder_id", "rating_number", "status", "rules_version")  # of a match that is rated
STEP_COLUMNS = ("ladder_id", "edition", "number", "match_id", "verdict")
RATING_COLUMNS = (
    "step_id", "ladder_id", "edition", "version_id", "bot_id", "nth", "seat", "rank",
    "mu_before", "sigma_before", "mu", "sigma",
)  # fmt: skip
LINE_FIELDS = ("mu", "sigma", "matches", "wins", "draws", "losses", "rank_sum", "faults", "recent_mu")
TALLY_FIELDS = [field.name for field in fields(ResultCount)]


def enter_ladder(version: BotVersion, ladder: Ladder) -> Standing:
    """Give a version its place on a ladder: it begins at the mu of its predecessor, with a wide sigma."""
    before = (
        Standing.objects.filter(ladder=ladder, bot=version.bot_id, version__number__lt=version.number)
        .filter(Q(matches__gt=0) | Q(earlier__gt=0))
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
    """Let leaderboards show the active version of a bot that is not hidden, and no other of its versions."""
    plays = Q(version=F("bot__active_version"), version__status=BotVersion.Status.QUALIFIED, bot__is_hidden=False)
    Standing.objects.filter(bot=bot_id, is_listed=True).exclude(plays).update(is_listed=False)
    Standing.objects.filter(plays, bot=bot_id).update(is_listed=True)


def name_standings(*bots: Bot) -> None:
    """Let leaderboards order and search bots by the names they have now."""
    names = [When(bot=bot, then=Value(bot.name.lower())) for bot in bots]
    Standing.objects.filter(bot__in=bots).update(name=Case(*names))


def rate_all() -> int:
    """Rate what is settled on every ladder; returns how many matches."""
    return each_alone("rate", ladders_behind(), rate_ladder)


def ladders_behind() -> list[int]:
    """The ladders that have results which are not rated yet."""
    waiting = Exists(to_rate().filter(ladder=OuterRef("pk")))
    behind = Ladder.objects.filter(Q(waiting) | Q(rated_through__lt=F("last_number")))
    return list(behind.order_by("pk").values_list("pk", flat=True))


def rate_ladder(ladder_id: int) -> int:
    """Rate what is settled on one ladder; returns how many matches."""
    total = 0
    while rated := rate_next(ladder_id):
        total += rated
        if rated < BATCH:
            break
    return total


@nothing_collected()
@transaction.atomic
def rate_next(ladder_id: int, limit: int = BATCH) -> int:
    """Number and rate the next results of a ladder; twice or at once changes nothing more.

    Whoever holds the ladder's row is the rater. Nobody who claims, reports or queues a match asks for that row.
    """
    ladder = hold_ladder(ladder_id)
    _take_numbers_back(ladder)
    matches = _number_next(ladder, limit)
    if not matches:
        return 0
    places = places_of(matches)
    book = open_book(ladder, [place for each in places.values() for place in each])
    steps = [new_step(ladder, match) for match in matches]
    write_steps(steps, enter_steps(steps, places, book))
    save_book(ladder, book)
    last = matches[-1].rating_number
    Ladder.objects.filter(pk=ladder.pk).update(rated_through=last, last_number=Greatest("last_number", Value(last)))
    return len(matches)


def hold_ladder(ladder_id: int) -> Ladder:
    """Be the only one who changes a ladder's table until the transaction ends; rows that refer to it don't wait."""
    return Ladder.objects.select_for_update(no_key=True).get(pk=ladder_id)


def _take_numbers_back(ladder: Ladder) -> None:
    """What an earlier release numbered and did not rate is numbered anew; a match in play would leave a gap."""
    if ladder.last_number > ladder.rated_through:
        Match.objects.filter(ladder=ladder, rating_number__gt=ladder.rated_through).update(rating_number=None)
        Ladder.objects.filter(pk=ladder.pk).update(last_number=ladder.rated_through)
        ladder.last_number = ladder.rated_through


def _number_next(ladder: Ladder, limit: int) -> list[Match]:
    """The next results, each with the number that follows."""
    matches = list(to_rate().filter(ladder=ladder).only(*NEEDED)[:limit])
    for number, match in enumerate(matches, ladder.last_number + 1):
        match.rating_number = number
    with connection.cursor() as cursor:
        cursor.executemany(
            "UPDATE matches_match SET rating_number = %s WHERE id = %s",
            [(match.rating_number, match.pk) for match in matches],
        )
    return matches


def enter_steps(steps: list[RatingStep], places: dict[int, list[SeatFinish]], book: Book) -> list[list[SkillChange]]:
    """Enter matches into a book, in order; returns what each changed."""
    return [enter_match(book, step.verdict, places[step.match_id]) for step in steps]


def write_steps(steps: list[RatingStep], changes: list[list[SkillChange]]) -> None:
    """Write down which matches were rated and what each changed."""
    _insert_steps(steps)
    rows = [_rating_row(step, change) for step, changed in zip(steps, changes, strict=True) for change in changed]
    columns, marks = ", ".join(RATING_COLUMNS), ", ".join(["%s"] * len(RATING_COLUMNS))
    with connection.cursor() as cursor:  # past the ORM: objects for each row take longer than everything else
        cursor.executemany(f"INSERT INTO {Rating._meta.db_table} ({columns}) VALUES ({marks})", rows)  # noqa: S608


def _insert_steps(steps: list[RatingStep]) -> None:
    """Past the ORM, whose bulk insert asks every field of every step; a step that is made again keeps its moment."""
    again = [step for step in steps if isinstance(step.at, datetime)]
    _insert([step for step in steps if not isinstance(step.at, datetime)], STEP_COLUMNS)
    _insert(again, (*STEP_COLUMNS, "at"))


def _insert(steps: list[RatingStep], names: tuple[str, ...]) -> None:
    """The database tells which id each number got."""
    if not steps:
        return
    adapt = connection.ops.adapt_datetimefield_value
    values = [adapt(step.at) if name == "at" else getattr(step, name) for step in steps for name in names]
    columns, marks = ", ".join(names), f"({', '.join(['%s'] * len(names))})"
    words = f"INSERT INTO {RatingStep._meta.db_table} ({columns}) VALUES {', '.join([marks] * len(steps))}"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(f"{words} RETURNING number, id", values)
        ids = dict(cursor.fetchall())
    for step in steps:
        step.pk = ids[step.number]


def is_outdated(match: Match, ladder: Ladder) -> bool:
    """Whether a match belongs to an earlier season than the ladder's table, or was played under older rules."""
    if match.rating_number is not None and match.rating_number <= ladder.closed_through:
        return True
    return match.rules_version is not None and match.rules_version < ladder.rules_version


def places_of(matches: Sequence[Match]) -> dict[int, list[SeatFinish]]:
    """The places of each match, by match id, in seat order; a match without ranks gets rank 1 for all."""
    places: dict[int, list[SeatFinish]] = {match.pk: [] for match in matches}
    rows = Seat.objects.filter(match__in=list(places)).order_by("match", "seat")
    fields = ("match_id", "seat", "version_id", "rank", "fault", "version__bot_id")
    for match_id, seat, version, rank, fault, bot in rows.values_list(*fields):
        places[match_id].append(SeatFinish(seat, version, rank or 1, bool(fault), bot))
    return places


def manner_of(ladder: Ladder) -> Manner:
    return Manner(draw_probability=ladder.draw_probability, tau=ladder.tau)


def open_book(ladder: Ladder, places: Sequence[SeatFinish]) -> Book:
    """The book of a ladder with the lines of these versions and bots as they stand now."""
    wanted, bots = {place.version for place in places}, {place.bot for place in places}
    rows = ladder.standings.filter(version__in=wanted)
    lines = {version: _line(*row) for version, *row in rows.values_list("version_id", *LINE_FIELDS)}
    for version in BotVersion.objects.filter(pk__in=wanted - set(lines)):
        new = enter_ladder(version, ladder)
        lines[version.pk] = _line(*(getattr(new, name) for name in LINE_FIELDS))
    return Book(manner_of(ladder), lines, tallies_of(ladder), _played(ladder, bots))


def _played(ladder: Ladder, bots: Iterable[int]) -> dict[int, int]:
    """How many rated matches each bot has had on a ladder, over all its versions and all seasons."""
    rows = ladder.standings.filter(bot__in=bots).order_by().values_list("bot")
    return dict(rows.annotate(played=Sum(F("matches") + F("earlier"))))


def tallies_of(ladder: Ladder) -> dict[int, ResultCount]:
    """How each seat of a ladder has fared, by seat."""
    rows = ladder.tallies.values_list("seat", *TALLY_FIELDS)
    return {seat: ResultCount(*counts) for seat, *counts in rows}


def _line(mu: float, sigma: float, *counts_and_trend: Any) -> BookEntry:
    """A line from the fields of a standing, in the order of LINE_FIELDS."""
    return BookEntry(Skill(mu, sigma), *counts_and_trend)


def new_step(ladder: Ladder, match: Match) -> RatingStep:
    """The step of a match in the edition that a ladder has in hand."""
    return RatingStep(
        ladder=ladder,
        edition=ladder.edition,
        number=match.rating_number or 0,
        match=match,
        verdict=verdict_on(match, ladder),
    )


def verdict_on(match: Match, ladder: Ladder) -> RatingStep.Verdict:
    """What a settled match is to the table."""
    if is_outdated(match, ladder):
        return RatingStep.Verdict.OUTDATED
    return RatingStep.Verdict.RATED if match.status == Match.Status.FINISHED else RatingStep.Verdict.VOID


def enter_match(book: Book, verdict: RatingStep.Verdict | str, places: Sequence[SeatFinish]) -> list[SkillChange]:
    """Write a match into the book as its verdict says."""
    if verdict == RatingStep.Verdict.RATED:
        return book.enter(places)
    if verdict == RatingStep.Verdict.VOID:
        book.enter_void(places)
    return []


def _rating_row(step: RatingStep, change: SkillChange) -> tuple[int | float, ...]:
    place, before, after = change.place, change.before, change.after
    return (
        *(step.pk, step.ladder_id, step.edition, place.version, place.bot, change.nth, place.seat, place.rank),
        *(before.mu, before.sigma, after.mu, after.sigma),
    )


def line_values(line: BookEntry) -> tuple[Any, ...]:
    """A line of the book as a standing stores it, in the order of LINE_FIELDS."""
    counts = (line.matches, line.wins, line.draws, line.losses, line.rank_sum, line.faults)
    return (line.skill.mu, line.skill.sigma, *counts, line.recent_mu)


def save_book(ladder: Ladder, book: Book) -> None:
    """Write the lines of a book back to the standings, and its tallies."""
    _write_lines(ladder, book)
    SeatTally.objects.bulk_create(
        (SeatTally(ladder=ladder, seat=seat, **asdict(tally)) for seat, tally in sorted(book.tallies.items())),
        update_conflicts=True,
        unique_fields=["ladder", "seat"],
        update_fields=TALLY_FIELDS,
    )


def _write_lines(ladder: Ladder, book: Book) -> None:
    """All lines in one statement for each, past the ORM: its bulk update takes longer than the ratings themselves."""
    table, columns = Standing._meta.db_table, ", ".join(f"{name} = %s" for name in LINE_FIELDS)
    rows = [
        (*line_values(line)[:-1], json.dumps(line.recent_mu), ladder.pk, version)
        for version, line in book.lines.items()
    ]
    with connection.cursor() as cursor:
        cursor.executemany(f"UPDATE {table} SET {columns} WHERE ladder_id = %s AND version_id = %s", rows)  # noqa: S608
    ladder.standings.filter(version__in=list(book.lines)).update(updated_at=Now())
