"""How a match ended, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.humanize.templatetags.humanize import ordinal

from arena import MatchRecord
from arena.qualifying import READY
from engines import GAMES
from ladder.matches.models import Match, Seat
from ladder.web.match_rows import MatchRow, SeatOfRow

FAULTS = {
    "timeout": "ran out of time",
    "crash": "crashed",
    "illegal_action": "answered with an action that was not legal",
    "invalid_answer": "gave an answer that could not be read",
    "out_of_memory": "needed more memory than allowed",
    "output_limit": "wrote more than allowed",
}
CAUSES = {
    "timeout": "a timeout",
    "crash": "a crash",
    "illegal_action": "an illegal action",
    "invalid_answer": "an answer that could not be read",
    "out_of_memory": "a lack of memory",
    "output_limit": "too much output",
}
FIXES = {
    "timeout": "Use less CPU per turn: the start message gives allowance and bank, each act message what is left.",
    "crash": "The log below ends with the traceback or the exit status.",
    "illegal_action": "Answer with one of the strings in `legal`, byte for byte.",
    "invalid_answer": "Write one JSON object per line, only when asked, and nothing else to stdout; logs go to stderr.",
    "out_of_memory": "Use less memory; the limit is in the start message.",
    "output_limit": "Write less to stdout and stderr.",
}


def fix_of(reason: str) -> str:
    """What to do about the fault that a trial failed with; a bot that did not get ready was told so in the reason."""
    if READY in reason:
        return ""
    return next((text for kind, text in FIXES.items() if kind in reason), "")


def ending_sentence(match: Match, record: MatchRecord | None) -> str:
    """What a spectator wants to know first."""
    status = Match.Status
    if match.status == status.QUEUED:
        return "It is waiting for a worker."
    if match.status == status.RUNNING:
        return "It is being played now."
    if match.status in (status.VOID, status.CANCELLED):
        return f"It does not count: {match.reason or 'no seat could start'}."
    seats = list(match.seats.all())
    faults = " ".join(_fault(seat) for seat in seats if seat.fault)
    return f"{faults} {_winners(match, seats)}".strip()


def _fault(seat: Seat) -> str:
    at = "at the start" if seat.fault_stage == "start" else f"at ply {seat.fault_ply}"
    return f"{seat.version.bot.name} {FAULTS.get(seat.fault, seat.fault)} {at}."


def _winners(match: Match, seats: list[Seat]) -> str:
    first = [seat.version.bot.name for seat in seats if seat.rank == 1]
    length = f"in {match.plies} plies" if match.plies is not None else ""
    how = ", ".join(part for part in (_how(match.ladder.game, match.game_ending), length) if part)
    if len(first) == 1:
        return f"{first[0]} won {how}".strip() + "."
    if len(first) == len(seats):
        return f"It was drawn {how}".strip() + "."
    return f"{' and '.join(first)} share first place {how}".strip() + "."


def _how(name: str, ending: str) -> str:
    """The game's own word for an ending, as part of a sentence; a game that is gone left the word alone."""
    game = GAMES.get(name)
    told = game.words.endings.get(ending) if game else None
    return told or ending.replace("_", " ")


def short_ending(match: MatchRow) -> str:
    """How a match went, for a row of a list in which its seats are named."""
    if match.status != Match.Status.FINISHED:
        return str(Match.Status(match.status).label)
    first = sum(seat.rank == 1 for seat in match.seats)
    result = "Won" if first == 1 else "Drawn" if first == len(match.seats) else "First place shared"
    return f"{result} {_how_or_why(match)}".strip()


def how_it_ended(match: MatchRow) -> str:
    """What decided a match, for a row that says beside it who got what."""
    told = _how_or_why(match)
    return told[:1].upper() + told[1:]


def _how_or_why(match: MatchRow) -> str:
    return _how(match.game, match.game_ending) or (f"after {CAUSES[match.ending]}" if match.ending in CAUSES else "")


def outcome_of(seat: SeatOfRow, seats: Sequence[SeatOfRow]) -> tuple[str, str]:
    """What one seat got out of a finished match, as a kind and in a word; at tables of three or more its rank."""
    firsts = sum(one.rank == 1 for one in seats)
    if seat.rank == 1:
        return ("win", "won") if firsts == 1 else ("draw", "drawn" if firsts == len(seats) else "tied")
    return "loss", "lost" if len(seats) == 2 else f"{ordinal(seat.rank)} of {len(seats)}"
