"""A running match whose actions a test decides."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

from arena import MatchRecord, PlayedAction
from engines import State
from ladder.ladders.models import Ladder
from ladder.matches import leases, results
from ladder.matches.broadcast import Broadcast
from ladder.matches.leases import Claim
from ladder.matches.models import Lane, Match
from ladder.matches.services import create_set, rotations
from tests.ladder.cast import enrol, make_record


@dataclass
class Running:
    """A claimed match and what its worker has told so far."""

    match: Match
    claim: Claim
    state: State
    told: Broadcast
    rng: Random = field(default_factory=lambda: Random(5))

    def play(self, count: int = 1) -> None:
        for _ in range(count):
            if self.state.to_act is None:
                break
            action = self.rng.choice(self.state.legal_actions())
            self.told.texts.append(self.state.format(action))
            self.state.apply(action)
        self.told.tell()

    def finish(self) -> MatchRecord:
        """Play to the end, and report a true record."""
        self.play(5_000)
        order = self.claim.order
        state, actions = order.known().new(seats=len(order.seats), seed=order.seed, **order.options), []
        for text in self.told.texts:
            actions.append(PlayedAction(state.to_act or 0, text, 1.0, 1.0))
            state.apply(state.parse(text))
        outcome = state.outcome()
        assert outcome is not None
        record = replace(make_record(order, ranks=outcome.ranks), actions=tuple(actions), outcome=outcome).sealed()
        assert results.record_result(match_id=self.match.pk, lease=self.claim.lease, record=record)
        return record


def queue_set(ladder: Ladder, matches: int = 1, seed: int = 2**127 + 11) -> list[Match]:
    """The first matches of a set, queued."""
    seatings = rotations([version.pk for version in enrol(ladder, ladder.seats)])[:matches]
    made = create_set(ladder=ladder, seatings=seatings, lane=Lane.LADDER, is_rated=True, seed=seed)
    return list(made.matches.order_by("rotation"))


def take(worker: str = "host/1") -> Running:
    """What a worker that claims the next match begins."""
    claim = leases.claim_match(worker=worker)
    assert claim is not None
    order = claim.order
    state = order.known().new(seats=len(order.seats), seed=order.seed, **order.options)
    return Running(Match.objects.get(pk=claim.match_id), claim, state, Broadcast(str(claim.lease)))
