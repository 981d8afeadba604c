"""Whether a record is true: the actions are played again and everything that follows from them is compared."""

from __future__ import annotations

from dataclasses import dataclass

from arena.ranking import first_faults, is_cut, ranks_with_faults
from arena.record import FINISHED, HOST_FAULT, Fault, MatchRecord, digest_of, outcome_json
from arena.replay import Unplayable, states
from engines import State


@dataclass(frozen=True, slots=True)
class Verification:
    """The verdict on a record; problems are sentences, empty when it holds.

    old_rules is the version it was played under, if ours is newer: then its actions were not played again.
    """

    problems: tuple[str, ...] = ()
    old_rules: int | None = None

    @property
    def ok(self) -> bool:
        return not self.problems

    @property
    def note(self) -> str:
        """What else is to be said."""
        return "" if self.old_rules is None else f"played under rules {self.old_rules}"


def verify(record: MatchRecord) -> Verification:
    """Play the actions again and compare outcome, ending, ranks and digest; under older rules all but the actions."""
    problems = [*_digest_again(record), *_faults_in_order(record)]
    if record.order.is_outdated:
        return Verification((*problems, *_judged_again(record)), record.order.rules_version)
    try:
        problems += _played_again(record)
    except Unplayable as error:
        problems.append(str(error))
    return Verification(tuple(problems))


def _digest_again(record: MatchRecord) -> list[str]:
    try:
        digest = digest_of(record)
    except (ValueError, TypeError, RecursionError):  # NaN, half a character, thousands of digits or brackets
        return ["the facts hold a value that can't be written as JSON"]
    if record.digest == digest:
        return []
    return [f"the digest is {record.digest[:64] or 'missing'}, but the facts give {digest}"]


def _faults_in_order(record: MatchRecord) -> list[str]:
    """A seat fails once, faults stand in the order they happened, and none comes after the last action."""
    moments = [fault.when for fault in record.faults]
    problems = []
    if len(first_faults(record.faults)) != len(record.faults):
        problems.append("a seat is at fault more than once")
    if moments != sorted(moments):
        problems.append("the faults are not in the order of their plies")
    if any(fault.stage == "start" and fault.ply for fault in record.faults):
        problems.append("a fault at the start is at ply 0")
    last = len(record.actions) - (record.outcome is not None)  # what comes after a game's last action is no fault
    if any(fault.ply > last for fault in record.faults):
        problems.append(f"a fault is later than the {len(record.actions)} actions of the record")
    return problems


def _played_again(record: MatchRecord) -> list[str]:
    out = first_faults(record.faults)
    problems = []
    for ply, state in enumerate(states(record)):
        if ply < len(record.actions) and not _played_on_rightly(record.actions[ply].text, ply, state, out):
            problems.append(f"ply {ply}: seat {state.to_act} is out and is played on by its first legal action only")
    outcome = outcome_json(state.outcome())
    if outcome != outcome_json(record.outcome):
        problems.append(f"the actions give the outcome {outcome}, the record says {outcome_json(record.outcome)}")
    return problems + _judged_again(record)


def _played_on_rightly(text: str, ply: int, state: State, out: dict[int, Fault]) -> bool:
    fault = out.get(-1 if state.to_act is None else state.to_act)
    return fault is None or fault.when > (True, ply) or text == state.format(state.legal_actions()[0])


def _judged_again(record: MatchRecord) -> list[str]:
    """Ending and ranks follow from outcome and faults."""
    count = len(record.order.seats)
    if record.ending == HOST_FAULT:
        return [] if record.ranks is None else ["a match that ended by host_fault has no ranks"]
    cut = next((fault for at, fault in enumerate(record.faults, 1) if is_cut(count, record.faults[:at])), None)
    ending = record.faults[-1].kind if cut else FINISHED
    problems = []
    if record.ending != ending:
        problems.append(f"the ending must be {ending}, the record says {record.ending}")
    if cut and len(record.actions) != cut.when[1]:
        problems.append("the game goes on although fewer than two seats without fault remained")
    if not cut and record.outcome is None:
        problems.append("the actions stop before the game is over, and no fault cut it short")
    ranks = ranks_with_faults(count, record.faults, record.outcome.ranks if record.outcome and not cut else None)
    if record.ranks != ranks:
        problems.append(f"the ranks must be {list(ranks)}, the record says {record.ranks and list(record.ranks)}")
    return problems
