"""How a match ended, in a sentence."""

from __future__ import annotations

from arena import MatchRecord
from arena.qualifying import READY
from engines import GAMES
from ladder.matches.models import Match, Seat

FAULTS = {
    "timeout": "ran out of time",
    "crash": "crashed",
    "illegal_action": "answered with an action that was not legal",
    "invalid_answer": "gave an answer that could not be read",
    "out_of_memory": "needed more memory than allowed",
    "output_limit": "wrote more than allowed",
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
    how = GAMES[match.ladder.game].words.endings.get(match.game_ending, match.game_ending.replace("_", " "))
    after = f"after {match.plies} plies" if match.plies is not None else ""
    if len(first) == 1:
        return " ".join(part for part in (first[0], "won", how, after) if part) + "."
    if len(first) == len(seats):
        return " ".join(part for part in ("It was drawn", how, after) if part) + "."
    return " ".join(part for part in (" and ".join(first), "share first place", how, after) if part) + "."
