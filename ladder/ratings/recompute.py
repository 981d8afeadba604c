"""The rating table computed again from the matches, to compare it or to replace it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import F, Sum

from ladder.ladders.models import Ladder
from ladder.locks import each_alone
from ladder.matches.models import Match
from ladder.pieces import Pieces
from ladder.ratings.book import Book, BookEntry, SeatFinish, SkillChange
from ladder.ratings.models import START_MU, START_SIGMA, Rating, RatingStep
from ladder.ratings.services import (
    LINE_FIELDS,
    NEEDED,
    enter_match,
    enter_steps,
    hold_ladder,
    is_outdated,
    line_values,
    manner_of,
    new_step,
    places_of,
    save_book,
    tallies_of,
    verdict_on,
    write_steps,
)
from ladder.ratings.skill import Skill
from ladder.snapshot import snapshot

PAGE = 1000
TOLD = 20  # differences shown


@dataclass(slots=True)
class Difference:
    """What the table of one ladder has that the matches don't give."""

    ladder: str
    matches: int = 0
    problems: list[str] = field(default_factory=list)

    def add(self, problem: str) -> None:
        if len(self.problems) < TOLD:
            self.problems.append(problem)


def check(ladder: Ladder) -> Difference:
    """Play the ratings of a ladder again in memory and compare every row, to the last bit; others may go on rating."""
    with snapshot():
        return _compared(Ladder.objects.get(pk=ladder.pk))


def _compared(ladder: Ladder) -> Difference:
    found = Difference(ladder.slug)
    book = _blank_book(ladder)
    for step, match, places in _steps_in_order(ladder):
        found.matches += 1
        if step.number != found.matches:
            found.add(f"rating number {found.matches} is missing")
            found.matches = step.number
        if not is_outdated(match, ladder):
            _compare_step(found, step, match, _changes(book, ladder, match, places))
    if ladder.rated_through != found.matches:
        found.add(f"the ladder says it is rated through {ladder.rated_through}, its rows go to {found.matches}")
    compare_standings(found, ladder, book)
    return found


def _blank_book(ladder: Ladder) -> Book:
    starts = ladder.standings.values_list("version_id", "start_mu", "start_sigma")
    lines = {version: BookEntry(Skill(mu, sigma)) for version, mu, sigma in starts.iterator()}
    earlier = ladder.standings.order_by().values_list("bot").annotate(played=Sum("earlier"))
    return Book(manner_of(ladder), lines, played=dict(earlier))


def _steps_in_order(ladder: Ladder) -> Iterator[tuple[RatingStep, Match, list[SeatFinish]]]:
    """Every step with its match and places, a page at a time, so that memory stays bounded."""
    last = 0
    steps = ladder.steps.filter(edition=ladder.edition).select_related("match").prefetch_related("ratings")
    steps = steps.order_by("number")
    while page := list(steps.filter(number__gt=last)[:PAGE]):
        places = places_of([step.match for step in page])
        for step in page:
            yield step, step.match, places[step.match_id]
        last = page[-1].number


def _changes(book: Book, ladder: Ladder, match: Match, places: list[SeatFinish]) -> list[SkillChange]:
    for place in places:
        book.lines.setdefault(place.version, BookEntry(Skill(START_MU, START_SIGMA)))
    return enter_match(book, verdict_on(match, ladder), places)


def _compare_step(found: Difference, step: RatingStep, match: Match, changes: list[SkillChange]) -> None:
    if match.rating_number != step.number:
        found.add(f"number {step.number}: match {match.pk} has rating number {match.rating_number}")
    expected = sorted((c.place.seat, c.place.version, c.after.mu, c.after.sigma, c.before.mu, c.nth) for c in changes)
    stored = sorted((r.seat, r.version_id, r.mu, r.sigma, r.mu_before, r.nth) for r in step.ratings.all())
    if expected != stored:
        found.add(f"number {step.number} (match {match.pk}): the table has {stored}, the matches give {expected}")


def compare_standings(found: Difference, ladder: Ladder, book: Book) -> None:
    for standing in ladder.standings.iterator():
        for name, expected in zip(LINE_FIELDS, line_values(book.lines[standing.version_id]), strict=True):
            if (stored := getattr(standing, name)) != expected:
                found.add(f"version {standing.version_id}: {name} is {stored}, the matches give {expected}")
    tallies = tallies_of(ladder)
    if tallies != book.tallies:
        found.add(f"the seat tallies are {tallies}, the matches give {book.tallies}")


def rebuild_all() -> int:
    """Compute again what somebody has marked; returns how many matches were rated."""
    return each_alone("rebuild", marked_ladders(), rebuild_marked)


def marked_ladders() -> list[int]:
    """The ladders whose ratings no longer follow from their matches."""
    return list(Ladder.objects.filter(needs_rebuild=True).order_by("pk").values_list("pk", flat=True))


def rebuild_marked(ladder_id: int) -> int:
    """The mark goes with the new edition or not at all; whoever comes second finds none."""
    ladder = Ladder.objects.get(pk=ladder_id)
    return rebuild(ladder) if ladder.needs_rebuild else 0


@dataclass(slots=True)
class Edition:
    """The ratings of a ladder as they are computed anew, beside those that are shown."""

    ladder: Ladder  # with the number of this edition
    shown: int  # the edition that it is to replace
    book: Book
    through: int = 0  # the last rating number that is in
    pieces: Pieces = field(default_factory=Pieces)  # matches that are written at a time


def rebuild(ladder: Ladder) -> int:
    """Rate all matches of a ladder again, in order, and exchange the table; returns how many. History stays.

    Computed beside the table in short writes, so that rating, claims and results go on; the exchange writes one line
    for each version. An edition that was overtaken is given up, and the mark stays for the next beat.
    """
    edition = _begin(ladder.pk)
    while not (is_shown := exchange(edition)):
        if is_shown is None:
            return 0
        write_page(edition)
    forget_editions(edition.ladder)
    return edition.through


def _begin(ladder_id: int) -> Edition:
    """The number of a new edition, which overtakes every other that is being computed."""
    with transaction.atomic():
        Ladder.objects.filter(pk=ladder_id).update(last_edition=F("last_edition") + 1)
        ladder = Ladder.objects.get(pk=ladder_id)
    forget_editions(ladder)
    shown, ladder.edition = ladder.edition, ladder.last_edition
    return Edition(ladder, shown, _blank_book(ladder))


@transaction.atomic
def exchange(edition: Edition) -> bool | None:
    """Show an edition that has everything rated so far; False when it lacks some, None when it was overtaken."""
    now = hold_ladder(edition.ladder.pk)
    if now.last_edition != edition.ladder.edition:
        return None
    if now.rated_through > edition.through:
        return False
    clear_table(now)
    save_book(now, edition.book.counted())
    now.fits.update(is_stale=True)
    return bool(Ladder.objects.filter(pk=now.pk).update(edition=now.last_edition, needs_rebuild=False))


def write_page(edition: Edition) -> None:
    """The next matches of the new edition, in a write of their own."""
    ladder = edition.ladder
    page = Match.objects.filter(ladder=ladder, rating_number__gt=edition.through, rating_number__lte=_rated(ladder))
    matches = list(page.only(*NEEDED).order_by("rating_number")[: edition.pieces.size])
    before = _steps_before(edition, matches)
    places = places_of(matches)
    _open_lines(edition, places)
    history = [match for match in matches if is_outdated(match, ladder) and match.pk in before]
    counting = [_again(new_step(ladder, match), before) for match in matches if match not in history]
    changes = enter_steps(counting, places, edition.book)
    with edition.pieces.write():
        _carry_over(ladder, [before[match.pk] for match in history])
        write_steps(counting, changes)
    edition.through = matches[-1].rating_number or 0


def _rated(ladder: Ladder) -> int:
    return Ladder.objects.values_list("rated_through", flat=True).get(pk=ladder.pk)


def _steps_before(edition: Edition, matches: list[Match]) -> dict[int, RatingStep]:
    """The steps of these matches in the edition that is shown, by match."""
    steps = RatingStep.objects.filter(match__in=[match.pk for match in matches], edition=edition.shown)
    return {step.match_id: step for step in steps.prefetch_related("ratings")}


def _open_lines(edition: Edition, places: dict[int, list[SeatFinish]]) -> None:
    """Versions that came to the ladder after the edition was begun."""
    missing = {place.version for each in places.values() for place in each} - set(edition.book.lines)
    starts = edition.ladder.standings.filter(version__in=missing).values_list("version_id", "start_mu", "start_sigma")
    edition.book.lines.update({version: BookEntry(Skill(mu, sigma)) for version, mu, sigma in starts})
    for version in missing - set(edition.book.lines):
        edition.book.lines[version] = BookEntry(Skill(START_MU, START_SIGMA))


def _again(step: RatingStep, before: dict[int, RatingStep]) -> RatingStep:
    """The same step, at the moment at which it was first made."""
    if known := before.get(step.match_id):
        step.at = known.at
    return step


def _carry_over(ladder: Ladder, history: list[RatingStep]) -> None:
    """What was rated under older rules stays as it was."""
    ratings = [(step, list(step.ratings.all())) for step in history]
    for step in history:
        step.pk, step.edition = None, ladder.edition
    RatingStep.objects.bulk_create(history)
    for step, changed in ratings:
        for rating in changed:
            rating.pk, rating.step, rating.edition = None, step, ladder.edition
    Rating.objects.bulk_create(rating for _, changed in ratings for rating in changed)


def forget_editions(ladder: Ladder) -> None:
    """Delete what was replaced or given up, in writes of their own."""
    shown = Ladder.objects.values_list("edition", flat=True).get(pk=ladder.pk)
    others = ladder.steps.exclude(edition=shown).exclude(edition__gte=ladder.last_edition, edition__gt=shown)
    pieces = Pieces()
    while pks := list(others.values_list("pk", flat=True)[: pieces.size]):
        with pieces.write():
            Rating.objects.filter(step__in=pks).delete()
            RatingStep.objects.filter(pk__in=pks).delete()


def clear_table(ladder: Ladder) -> None:
    """Put every version of a ladder back to where it starts."""
    ladder.tallies.all().delete()
    zero = dict.fromkeys(("matches", "wins", "draws", "losses", "rank_sum", "faults"), 0)
    ladder.standings.update(mu=F("start_mu"), sigma=F("start_sigma"), recent_mu=[], **zero)
