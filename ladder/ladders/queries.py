"""What is known about ladders."""

from __future__ import annotations

from django.db.models import QuerySet

from ladder.ladders.models import Ladder
from ladder.prepared import prepared
from ladder.refusals import Refused


@prepared
def _ladders_called(slug: str) -> QuerySet[Ladder]:
    return Ladder.objects.filter(slug=slug)


def get_ladder(slug: str) -> Ladder:
    """The ladder of a slug; raises Refused (404)."""
    found = _ladders_called(slug)
    if not found:
        raise Refused(f"There is no ladder {slug!r}.", code="not_found", status=404)
    return found[0]


@prepared
def open_ladders_of(game: str) -> QuerySet[Ladder]:
    """The ladders of a game that are open."""
    return Ladder.objects.filter(game=game, is_open=True)


@prepared
def open_ladders() -> QuerySet[Ladder]:
    """The ladders that are open, of whichever game."""
    return Ladder.objects.filter(is_open=True)
