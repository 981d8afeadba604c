"""Plays by rules of thumb alone: no looking ahead, hardly any thinking, and still a family that pays its way."""

from bots.kit import Bot, Turn, run
from bots.kit.policies.capone import likely_action


class ThumbBot(Bot):
    def act(self, turn: Turn) -> str:
        state = turn.imagine()
        return state.format(likely_action(state, turn.rng))


def make() -> Bot:
    return ThumbBot()


if __name__ == "__main__":
    run(make())
