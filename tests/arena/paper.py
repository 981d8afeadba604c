"""Records made without bots: games played out at random on paper."""

from __future__ import annotations

from random import Random

from arena import Fault, HostFacts, MatchOrder, MatchRecord, PlayedAction, SandboxFacts, SeatReport, is_cut
from arena.ranking import first_faults, ranks_with_faults
from engines import GAMES


def played(game: str = "countdown", seats: int = 2, seed: int = 7, faults: tuple[Fault, ...] = ()) -> MatchRecord:
    """A true record of a random game in which these faults happened."""
    order = MatchOrder(game=game, rules_version=GAMES[game].rules_version, seed=seed, seats=("ab" * 32,) * seats)
    state = GAMES[game].new(seats=seats, seed=seed)
    rng, out = Random(seed), first_faults(faults)
    actions: list[PlayedAction] = []
    cut_at = faults[-1].when[1] if is_cut(seats, faults) else None
    while state.to_act is not None and len(actions) != cut_at:
        legal, seat = state.legal_actions(), state.to_act
        is_out = seat in out and out[seat].when <= (True, len(actions))
        action = legal[0] if is_out else rng.choice(legal)
        actions.append(PlayedAction(seat, state.format(action), 0.0 if is_out else 0.12, 0.0 if is_out else 0.3))
        state.apply(action)
    outcome = state.outcome() if cut_at is None else None
    return MatchRecord(
        order=order,
        actions=tuple(actions),
        faults=faults,
        outcome=outcome,
        ending=faults[-1].kind if cut_at is not None else "finished",
        ranks=ranks_with_faults(seats, faults, outcome.ranks if outcome else None),
        seats=tuple(SeatReport(cpu_ms=1.0, stderr=f"log of {seat}", bot_seed=seat + 1) for seat in range(seats)),
        sandbox=SandboxFacts("bwrap 0.8.0", ("limits",), "abc"),
        host=HostFacts(kernel="6.1", core=0),
    ).sealed()
