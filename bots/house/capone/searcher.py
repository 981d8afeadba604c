"""Plays the year out in its head, many times, and keeps to what leaves its family best off when the year is paid."""

from collections.abc import Mapping
from random import Random

from bots.kit import Bot, Budget, Turn, best_by_playouts, run
from bots.kit.policies.capone import likely_action
from bots.kit.search import judge
from bots.kit.values.capone import evaluate
from engines import State
from engines.capone.position import BAIL
from engines.capone.state import CaponeState

BUDGET = Budget(cpu_ms=20)
WORLDS = 10  # imagining costs as much as a playout, so positions are used again
EXPLORATION = 0.15  # values of neighbouring actions lie close together
LONGEST_TURN = 12  # choices: a card, a place, eight members, bodyguards
LONGEST_YEAR = 250  # choices of all seats


class SearchBot(Bot):
    def act(self, turn: Turn) -> str:
        year, settling = turn.observation["year"], turn.observation["phase"] == "settlement"

        def year_is_paid(state: State) -> bool:
            """Income is paid when the settlements begin; a settlement is judged when the next year is dealt."""
            assert isinstance(state, CaponeState)
            return state.year > year or (not settling and state.choice >= BAIL)

        def one_step(state: State) -> Mapping[int, float]:
            return {action: self.first_sight(state, action, turn.rng) for action in state.legal_actions()}

        return best_by_playouts(
            turn,
            budget=BUDGET,
            evaluate=evaluate,
            policy=likely_action,
            depth=LONGEST_YEAR,
            exploration=EXPLORATION,
            worlds=WORLDS,
            prior=one_step,
            stop=year_is_paid,
        ).action

    @staticmethod
    def first_sight(state: State, action: int, rng: Random) -> float:
        """What an action promises when rules of thumb complete the turn."""
        seat = state.to_act or 0
        after = state.copy()
        after.apply(action)
        for _ in range(LONGEST_TURN):
            if after.to_act != seat:
                break
            after.apply(likely_action(after, rng))
        return judge(after, evaluate)[seat]


def make() -> Bot:
    return SearchBot()


if __name__ == "__main__":
    run(make())
