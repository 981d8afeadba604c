"""What is known about ladders."""

from __future__ import annotations

from ladder.ladders.models import Ladder
from ladder.refusals import Refused


def get_ladder(slug: str) -> Ladder:
    """The ladder of a slug; raises Refused (404)."""
    ladder = Ladder.objects.filter(slug=slug).first()
    if ladder is None:
        raise Refused(f"There is no ladder {slug!r}.", code="not_found", status=404)
    return ladder
