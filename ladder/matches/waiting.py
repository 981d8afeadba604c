"""What a match waits for, and what waits for it, in a sentence for everybody."""

from __future__ import annotations

from django.utils.timezone import now

from ladder.matches.models import MAX_ATTEMPTS, Lane, Match
from ladder.matches.queries import has_game_at_hand, runtimes_at_hand


def what_it_waits_for(match: Match) -> str:
    """Why this match is not played yet; empty when it is played or settled."""
    if match.status != Match.Status.QUEUED:
        return ""
    if match.is_held:
        return "It is waiting because its ladder or tournament is paused."
    if match.aside_until is not None and match.aside_until > now():
        return f"{_set_aside(match)} {_holds_up(match)}".strip()
    missing = _missing_runtimes(match)
    if missing:
        return f"It is waiting for a worker that can run {' and '.join(missing)} bots."
    if not has_game_at_hand(match.ladder.game):
        return "It is waiting for a worker with this version of the game: those here are being upgraded."
    return "It is waiting for a free worker."


def _set_aside(match: Match) -> str:
    tries = MAX_ATTEMPTS * match.times_aside
    return (
        f"It is set aside: the service could not play it in {tries} tries, through no fault of the bots. It is waiting "
        f"for a quieter machine and will be tried again at {match.aside_until:%H:%M} UTC on {match.aside_until:%-d %B}."
    )


def _holds_up(match: Match) -> str:
    """A set's seed stays secret, and a round is not over, until every match of it has an end."""
    others = Match.objects.filter(set=match.set_id).exclude(pk=match.pk).exists()
    held = (
        ["the seed of its set stays secret, so the other matches of the set can't be replayed in full"]
        if others
        else []
    )
    held += ["the next round of its tournament waits"] if match.lane == Lane.TOURNAMENT else []
    return f"Until then {' and '.join(held)}." if held else ""


def _missing_runtimes(match: Match) -> list[str]:
    """The runtimes of its bots that no worker has; none where no worker has said what it can."""
    known = runtimes_at_hand()
    wanted = set(match.seats.values_list("version__runtime", flat=True))
    return sorted(wanted - known) if known else []
