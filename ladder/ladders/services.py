"""What changes ladders: making, opening and closing them, and asking for their ratings anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import F

from arena.qualifying import first_tables
from engines import GAMES
from ladder.events import Event, announce
from ladder.ladders.models import Ladder
from ladder.refusals import Missing


class UnknownLadder(Missing):
    """There is no such game, or it can't be played like that."""

    code = "unknown_ladder"


def slug_of(game: str, seats: int, options: Mapping[str, Any] | None = None) -> str:
    """``GAME-SEATS``, with options that are not the default appended."""
    return "-".join([game, str(seats), *(f"{name}-{value}" for name, value in sorted((options or {}).items()))])


def find_ladder(*, game: str, seats: int, options: Mapping[str, Any] | None = None) -> Ladder:
    """The ladder of a game played like this, made (closed) if there is none; raises UnknownLadder."""
    known = GAMES.get(game)
    if known is None:
        raise UnknownLadder(f"There is no game {game!r}; the games are {', '.join(GAMES)}.")
    try:
        known.check_setup(seats=seats, seed=0, options=options or {})
    except ValueError as error:
        raise UnknownLadder(f"{error}.", status=400) from error
    unusual = {name: value for name, value in (options or {}).items() if value != known.options[name][0]}
    ladder, _ = Ladder.objects.get_or_create(
        slug=slug_of(game, seats, unusual),
        defaults={
            "game": game,
            "seats": seats,
            "options": unusual,
            "draw_probability": known.draw_probability,
            "rules_version": known.rules_version,
        },
    )
    return ladder


def open_first_ladders() -> list[Ladder]:
    """Open the ladders a new service begins with; one that an operator has closed stays closed."""
    opened = []
    for game, seats in [(name, seats) for name in GAMES for seats in first_tables(name)]:
        if not Ladder.objects.filter(slug=slug_of(game, seats)).exists():
            ladder = find_ladder(game=game, seats=seats)
            set_open(ladder, True)
            opened.append(ladder)
    return opened


def set_open(ladder: Ladder, is_open: bool) -> None:
    """Open a ladder for matchmaking, or close it; its results stay either way."""
    ladder.is_open = is_open
    ladder.admitted_through = 0 if is_open else None
    ladder.save(update_fields=["is_open", "admitted_through"])


def request_rebuild(ladder_id: int) -> None:
    """Have the ratings of a ladder computed again by the pipeline: they no longer follow from its matches.

    An edition that is being computed would come too early to know why; it is overtaken.
    """
    Ladder.objects.filter(pk=ladder_id).update(needs_rebuild=True, last_edition=F("last_edition") + 1)
    announce(Event.LADDER_OUTDATED, ladder_id)
