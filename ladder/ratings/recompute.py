"""The rating table computed again from the matches, to compare it or to replace it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import F, Sum

from ladder.ladders.models import Ladder
from ladder.matches.models import Match
from ladder.ratings.book import Book, Change, Line, Place
from ladder.ratings.models import START_MU, START_SIGMA, Rating, RatingStep
from ladder.ratings.services import (
    LINE_FIELDS,
    enter_match,
    is_outdated,
    line_row,
    manner_of,
    places_of,
    rate_next,
    tallies_of,
    verdict_on,
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
    _compare_standings(found, ladder, book)
    return found


def _blank_book(ladder: Ladder) -> Book:
    starts = ladder.standings.values_list("version_id", "start_mu", "start_sigma")
    lines = {version: Line(Skill(mu, sigma)) for version, mu, sigma in starts.iterator()}
    earlier = ladder.standings.order_by().values_list("bot").annotate(played=Sum("earlier"))
    return Book(manner_of(ladder), lines, played=dict(earlier))


def _steps_in_order(ladder: Ladder) -> Iterator[tuple[RatingStep, Match, list[Place]]]:
    """Every step with its match and places, a page at a time, so that memory stays bounded."""
    last = 0
    steps = ladder.steps.select_related("match").prefetch_related("ratings").order_by("number")
    while page := list(steps.filter(number__gt=last)[:PAGE]):
        places = places_of([step.match for step in page])
        for step in page:
            yield step, step.match, places[step.match_id]
        last = page[-1].number


def _changes(book: Book, ladder: Ladder, match: Match, places: list[Place]) -> list[Change]:
    for place in places:
        book.lines.setdefault(place.version, Line(Skill(START_MU, START_SIGMA)))
    return enter_match(book, verdict_on(match, ladder), places)


def _compare_step(found: Difference, step: RatingStep, match: Match, changes: list[Change]) -> None:
    if match.rating_number != step.number:
        found.add(f"number {step.number}: match {match.pk} has rating number {match.rating_number}")
    expected = sorted((c.place.seat, c.place.version, c.after.mu, c.after.sigma, c.before.mu, c.nth) for c in changes)
    stored = sorted((r.seat, r.version_id, r.mu, r.sigma, r.mu_before, r.nth) for r in step.ratings.all())
    if expected != stored:
        found.add(f"number {step.number} (match {match.pk}): the table has {stored}, the matches give {expected}")


def _compare_standings(found: Difference, ladder: Ladder, book: Book) -> None:
    for standing in ladder.standings.iterator():
        expected = line_row(book.lines[standing.version_id])
        for name in LINE_FIELDS:
            if getattr(standing, name) != getattr(expected, name):
                found.add(
                    f"version {standing.version_id}: {name} is {getattr(standing, name)}, "
                    f"the matches give {getattr(expected, name)}"
                )
    stored = tallies_of(ladder)
    if stored != book.tallies:
        found.add(f"the seat tallies are {stored}, the matches give {book.tallies}")


def rebuild_all() -> int:
    """Compute again what somebody has marked; returns how many matches were rated."""
    marked = list(Ladder.objects.filter(needs_rebuild=True).values_list("pk", flat=True))
    return sum(_rebuild_if_marked(ladder) for ladder in marked)


@transaction.atomic
def _rebuild_if_marked(ladder_id: int) -> int:
    """The mark goes with the new table or not at all; whoever comes second finds none."""
    ladder = Ladder.objects.select_for_update().get(pk=ladder_id)
    return rebuild(ladder) if ladder.needs_rebuild else 0


@transaction.atomic
def rebuild(ladder: Ladder) -> int:
    """Throw the table of a ladder away and rate all its matches again in order; returns how many. History stays."""
    ladder = Ladder.objects.select_for_update().get(pk=ladder.pk)
    Rating.objects.filter(ladder=ladder).exclude(step__match__rules_version__lt=ladder.rules_version).delete()
    RatingStep.objects.filter(ladder=ladder).exclude(match__rules_version__lt=ladder.rules_version).delete()
    clear_table(ladder)
    Ladder.objects.filter(pk=ladder.pk).update(rated_through=0, needs_rebuild=False)
    ladder.fits.update(is_stale=True)
    total = 0
    while rated := rate_next(ladder.pk, PAGE):
        total += rated
    return total


def clear_table(ladder: Ladder) -> None:
    """Put every version of a ladder back to where it starts."""
    ladder.tallies.all().delete()
    zero = dict.fromkeys(("matches", "wins", "draws", "losses", "rank_sum", "faults"), 0)
    ladder.standings.update(mu=F("start_mu"), sigma=F("start_sigma"), recent_mu=[], **zero)
