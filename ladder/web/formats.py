"""Formats of tournaments in words, with the settings that each of them has."""

from __future__ import annotations

from ladder.tournaments.models import Tournament

FORMAT_NAMES = {
    "round_robin": "round robin",
    "gauntlet": "gauntlet",
    "swiss": "Swiss",
    "knockout": "knockout",
}


def terms(tournament: Tournament) -> str:
    """The format with the settings that count in it."""
    name = FORMAT_NAMES.get(tournament.format, tournament.format)
    if tournament.format == "swiss":
        return f"{name}, {tournament.rounds} rounds" if tournament.rounds else name
    if tournament.format == "knockout":
        return f"{name}, best of {tournament.best_of}" if tournament.best_of > 1 else name
    of = f" of {tournament.champion.name}" if tournament.champion else ""
    return f"{name}{of}, {tournament.cycles} cycles" if tournament.cycles > 1 else f"{name}{of}"
