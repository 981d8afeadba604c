"""How a duel stands: its numbers, its path between the bounds, and what they say in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from arena.desk.tally import interval
from ladder.duels.models import Duel
from ladder.matches.models import Match
from ladder.matches.waiting import what_it_waits_for
from ladder.ratings.comparing import gap_between
from ladder.ratings.models import FitLine, Standing
from ladder.ratings.queries import shown_fit
from ladder.refusals import Missing
from ladder.submissions.models import Bot

MOST_POINTS = 200


def duels_in_full() -> QuerySet[Duel]:
    """Duels with everything a page or answer shows, newest first."""
    return Duel.objects.select_related("bot__owner", "ladder", "old", "new").order_by("-id")


def duels_of(bot: Bot) -> QuerySet[Duel]:
    """The duels of a bot, newest first."""
    return duels_in_full().filter(bot=bot)


def get_duel(duel_id: int) -> Duel:
    """A duel by its number; raises Missing."""
    found = duels_in_full().filter(pk=duel_id).first()
    if found is None:
        raise Missing(f"There is no test {duel_id}.")
    return found


@dataclass(frozen=True, slots=True)
class DuelReport:
    """A duel as its owner sees it."""

    duel: Duel
    verdict: str  # in a sentence
    bound: float  # the log likelihood ratio at which it ends, above as below
    low: float  # 95 % interval of the score, by sets
    high: float
    won: int
    level: int
    lost: int
    path: tuple[tuple[int, float], ...]  # sets counted, and the ratio after them
    waits_for: str  # what the next match waits for; empty when nothing does


def report_of(duel: Duel) -> DuelReport:
    """Everything about a duel, in a fixed number of queries."""
    rows = list(duel.played.filter(is_over=True).order_by("number").values_list("score", "ratio"))
    counted = [(score, ratio) for score, ratio in rows if score is not None]
    scores = [score for score, _ in counted]
    low, high = interval(scores)
    won, lost = sum(score > 0.5 for score in scores), sum(score < 0.5 for score in scores)
    return DuelReport(
        duel=duel,
        verdict=sentence_of(duel),
        bound=duel.test.bound,
        low=low,
        high=high,
        won=won,
        level=len(scores) - won - lost,
        lost=lost,
        path=thinned([(at, float(ratio or 0.0)) for at, (_, ratio) in enumerate(counted, start=1)]),
        waits_for=_waits_for(duel),
    )


def thinned(points: Sequence[tuple[int, float]]) -> tuple[tuple[int, float], ...]:
    """At most so many points, evenly; the last is kept."""
    if len(points) <= MOST_POINTS:
        return tuple(points)
    stride = (len(points) - 1) / (MOST_POINTS - 1)
    return tuple(points[round(index * stride)] for index in range(MOST_POINTS))


def _waits_for(duel: Duel) -> str:
    """Why nothing of it is being played now; empty while something is, or when it is over."""
    if not duel.is_playing:
        return ""
    if duel.ladder.is_paused:
        return "The ladder is paused; the test goes on when an operator resumes it."
    first = duel.played.filter(is_over=False).order_by("number").first()
    matches = list(Match.objects.filter(set=first.set_id).order_by("rotation")) if first else []
    if any(match.status == Match.Status.RUNNING for match in matches):
        return ""
    queued = next((match for match in matches if match.status == Match.Status.QUEUED), None)
    return what_it_waits_for(queued) if queued else ""


def sentence_of(duel: Duel) -> str:
    """What a duel says, or said, so far."""
    new, old = f"version {duel.new.number}", f"version {duel.old.number}"
    seen = f"{100 * duel.score:.1f} % of the points in {duel.sets} set{'' if duel.sets == 1 else 's'}"
    match duel.status:
        case Duel.Status.PLAYING:
            return f"Not clear yet: {new} has {seen}." if duel.sets else "The first sets are being played."
        case Duel.Status.BETTER:
            told = f"{new.capitalize()} is better than {old}: it got {seen}."
            return f"{told} It is the active version now." if duel.switched else f"{told}{_aside(duel)}"
        case Duel.Status.NO_BETTER:
            told = f"{new.capitalize()} is not better than {old}: it got {seen}, which is far more like an even match"
            return f"{told} than like a gain of {100 * duel.margin:g} points."
        case Duel.Status.UNDECIDED:
            told = f"Undecided: {new} got {seen}" if duel.sets else "Undecided"
            return f"{told};{_aside(duel).lower()[:-1] or ' the difference is too small to tell'}."
        case _:
            return f"Called off after {duel.sets} set{'' if duel.sets == 1 else 's'}: {duel.told}."


def _aside(duel: Duel) -> str:
    return f" {duel.told[0].upper()}{duel.told[1:]}." if duel.told else ""


def chance_by_fit(duel: Duel) -> float | None:
    """How probably the new version is the better one by all matches of the ladder; None unless its fit knows both."""
    fit = shown_fit(duel.ladder)
    both = (duel.new_id, duel.old_id)
    if fit is None or FitLine.objects.filter(fit=fit, version__in=both, matches__gt=0).count() < 2:
        return None
    places = {
        each.version_id: each
        for each in Standing.objects.filter(ladder=duel.ladder, version__in=both).select_related("ladder")
    }
    return gap_between(places[duel.new_id], places[duel.old_id]).is_better if len(places) == 2 else None
