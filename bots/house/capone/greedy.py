"""Takes what leaves its family richest in money and people, the rest of its turn done by rule of thumb."""

from random import Random

from bots.kit import Bot, Budget, Turn, best_by_one_step, run
from bots.kit.policies.capone import likely_action
from bots.kit.values.capone import evaluate
from engines import State

WORLDS = 3  # hands of others are hidden, and matter
BUDGET = Budget(cpu_ms=25)
LONGEST_TURN = 12  # choices: a card, a place, eight members, bodyguards


def finish_turn(state: State, action: int, rng: Random) -> None:
    """Apply an action and let rules of thumb complete the turn it belongs to."""
    seat = state.to_act
    state.apply(action)
    for _ in range(LONGEST_TURN):
        if state.to_act != seat:
            break
        state.apply(likely_action(state, rng))


class GreedyBot(Bot):
    def act(self, turn: Turn) -> str:
        return best_by_one_step(turn, budget=BUDGET, evaluate=evaluate, worlds=WORLDS, finish=finish_turn).action


def make() -> Bot:
    return GreedyBot()


if __name__ == "__main__":
    run(make())
