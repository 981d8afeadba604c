"""Adds up a series: what each entrant scored, with the interval that many games allow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

from arena.desk.series import Entrant, PlayedMatch
from arena.intervals import wilson


@dataclass(frozen=True, slots=True)
class EntrantResult:
    """One entrant's result: score is the share of opponents beaten (a tie counts half), low and high its interval."""

    name: str
    games: int
    score: float
    low: float
    high: float
    firsts: int
    faults: int
    cpu_ms_per_act: float


def tally(entrants: Sequence[Entrant], played: Iterable[PlayedMatch]) -> list[EntrantResult]:
    """One line for each entrant, in their order; host faults and void matches count for nobody."""
    results: list[list[float]] = [[] for _ in entrants]
    firsts, faults, acts = [0] * len(entrants), [0] * len(entrants), [0] * len(entrants)
    cpu = [0.0] * len(entrants)
    for match in played:
        record, sitting = match.record, match.game.sitting
        for fault in record.faults:
            faults[sitting[fault.seat]] += 1
        for action in record.actions:
            acts[sitting[action.seat]] += 1
            cpu[sitting[action.seat]] += action.cpu_ms
        if record.ranks is None or record.is_void:
            continue
        for seat, score in enumerate(scores(record.ranks)):
            results[sitting[seat]].append(score)
            firsts[sitting[seat]] += record.ranks[seat] == 1
    return [
        _line(entrant, results[index], firsts[index], faults[index], cpu[index] / max(1, acts[index]))
        for index, entrant in enumerate(entrants)
    ]


def duels(count: int, played: Iterable[PlayedMatch]) -> list[list[float | None]]:
    """How each entrant fared against each other: the share of meetings it ranked above, a tie counting half."""
    met: dict[tuple[int, int], list[float]] = {}
    for match in played:
        ranks, sitting = match.record.ranks, match.game.sitting
        if ranks is None or match.record.is_void:
            continue
        for (one, mine), (other, rank) in permutations(zip(sitting, ranks, strict=True), 2):
            met.setdefault((one, other), []).append(1.0 if mine < rank else 0.5 if mine == rank else 0.0)
    shares = {pair: sum(results) / len(results) for pair, results in met.items()}
    return [[shares.get((one, other)) for other in range(count)] for one in range(count)]


def scores(ranks: Sequence[int]) -> list[float]:
    """The share of opponents each seat beat."""
    return [
        (sum(mine < other for other in ranks) + (sum(mine == other for other in ranks) - 1) / 2) / (len(ranks) - 1)
        for mine in ranks
    ]


def _line(entrant: Entrant, results: list[float], firsts: int, faults: int, cpu: float) -> EntrantResult:
    low, high = interval(results)
    mean = sum(results) / len(results) if results else 0.0
    return EntrantResult(entrant.name, len(results), mean, low, high, firsts, faults, cpu)


def interval(results: Sequence[float]) -> tuple[float, float]:
    """Wilson's interval at 95 %, which stays inside 0 to 1 and is honest about few games."""
    count = len(results)
    return wilson(sum(results) / count if count else 0.0, count)
