"""Formats of tournaments in words, with the settings that each of them has."""

from __future__ import annotations

from ladder.tournaments.models import Tournament
from ladder.tournaments.schedule import format_of, plan_of


def terms(tournament: Tournament) -> str:
    """The format with the settings that count in it."""
    shape = format_of(tournament)
    of = f" of {tournament.champion.name}" if shape.has_champion and tournament.champion else ""
    setting = shape.setting(plan_of(tournament, entrants=0, champion=0))
    return f"{shape.words}{of}, {setting}" if setting else f"{shape.words}{of}"
