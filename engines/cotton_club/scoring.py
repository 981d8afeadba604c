"""What the end of the game counts, and the ranks (CC 8.2, 8.3)."""

from __future__ import annotations

from dataclasses import dataclass

from engines.api import Outcome
from engines.cotton_club.clubs import end_reputation
from engines.cotton_club.position import CRIMINALITY, INFLUENCE, INITIATIVE, Position
from engines.cotton_club.tables import NUMBERS
from engines.cotton_club.tracks import order_on


@dataclass(frozen=True, slots=True)
class Score:
    """The parts of one seat's final reputation; weapons break ties and are not added."""

    track: int
    cards: int
    money: int
    influence: int
    initiative: int
    criminality: int
    weapons: int

    @property
    def total(self) -> int:
        return self.track + self.cards + self.money + self.influence + self.initiative + self.criminality


def _criminality_losses(seats: int) -> list[int]:
    """What the seats lose from the first on criminality on, also at level 0."""
    if seats == 2:
        return [NUMBERS["score_criminality_first_of_two"], 0]
    return [NUMBERS["score_criminality_first"], NUMBERS["score_criminality_second"]] + [0] * (seats - 2)


def count_scores(state: Position) -> list[Score]:
    """Every seat's score as it would be if the game ended now."""
    first_on_influence = order_on(state, INFLUENCE)[0]
    first_on_initiative = order_on(state, INITIATIVE)[0]
    criminals = order_on(state, CRIMINALITY)
    losses = _criminality_losses(state.seats)
    return [
        Score(
            track=state.reputation[seat],
            cards=end_reputation(state, seat),
            money=state.money[seat] // NUMBERS["score_usd"],
            influence=NUMBERS["score_influence_first"] if seat == first_on_influence else 0,
            initiative=NUMBERS["score_initiative_first"] if seat == first_on_initiative else 0,
            criminality=losses[criminals.index(seat)],
            weapons=state.weapons[seat],
        )
        for seat in range(state.seats)
    ]


def rank(scores: list[Score]) -> tuple[int, ...]:
    """Ranks by reputation, then weapons; equal seats share and the next rank is skipped (CC 8.3)."""
    keys = [(score.total, score.weapons) for score in scores]
    return tuple(1 + sum(other > key for other in keys) for key in keys)


def count_outcome(state: Position) -> Outcome:
    """The outcome of a game that is over."""
    scores = count_scores(state)
    ending = "six_rounds" if state.round == NUMBERS["rounds"] else "empty_pile"
    return Outcome(ranks=rank(scores), scores=tuple(score.total for score in scores), ending=ending)
