"""Plays the round out in its head, many times, and keeps to what leaves its club best off when the round is paid."""

from collections.abc import Mapping

from bots.kit import Bot, Budget, Turn, best_by_playouts, run
from bots.kit.policies.cotton_club import likely_action
from bots.kit.search import judge
from bots.kit.values.cotton_club import evaluate
from engines import State
from engines.cotton_club.state import CottonClubState

BUDGET = Budget(cpu_ms=20)
WORLDS = 12  # imagining costs as much as a playout, so positions are used again
LOOK_AHEAD = 0  # rounds played out after the current one: more of them bring more noise than sight
EXPLORATION = 0.2  # values of neighbouring actions lie close together


def one_step(state: State) -> Mapping[int, float]:
    """What each action promises at first sight."""
    assert isinstance(state, CottonClubState)
    seat = state.to_act or 0
    beliefs = {}
    for action in state.legal_actions():
        after = state.copy()
        after.apply(action)
        beliefs[action] = judge(after, evaluate)[seat]
    return beliefs


class SearchBot(Bot):
    def act(self, turn: Turn) -> str:
        last: int = turn.observation["round"] + LOOK_AHEAD

        def round_is_over(state: State) -> bool:
            assert isinstance(state, CottonClubState)
            return state.round > last

        return best_by_playouts(
            turn,
            budget=BUDGET,
            evaluate=evaluate,
            policy=likely_action,
            depth=200,
            exploration=EXPLORATION,
            worlds=WORLDS,
            prior=one_step,
            stop=round_is_over,
        ).action


def make() -> Bot:
    return SearchBot()


if __name__ == "__main__":
    run(make())
