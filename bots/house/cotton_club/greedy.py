"""Takes what leaves its club best off, as far as it can see from here."""

from random import Random

from bots.kit import Bot, Budget, Turn, best_by_one_step, run
from bots.kit.values.cotton_club import evaluate
from engines import State
from engines.cotton_club.actions import FIRST_ADD
from engines.cotton_club.events import resolve
from engines.cotton_club.state import CottonClubState
from engines.cotton_club.tables import EVENTS

WORLDS = 2  # little of what one step changes is hidden
BUDGET = Budget(cpu_ms=30)


def see_event(state: State, action: int, _rng: Random) -> None:
    """Apply an action; an event that is added is resolved at once, as if nothing came between."""
    assert isinstance(state, CottonClubState)
    if action < FIRST_ADD:
        state.apply(action)
    else:
        resolve(state, EVENTS[action - FIRST_ADD])


class GreedyBot(Bot):
    def act(self, turn: Turn) -> str:
        return best_by_one_step(turn, budget=BUDGET, evaluate=evaluate, worlds=WORLDS, finish=see_event).action


def make() -> Bot:
    return GreedyBot()


if __name__ == "__main__":
    run(make())
