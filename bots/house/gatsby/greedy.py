"""Takes the choice after which its own turn, finished step by step, leaves the best table."""

from bots.kit import Bot, Turn, run
from bots.kit.policies.gatsby import finish_turn
from engines.gatsby.state import GatsbyState

IMAGINED = 2  # positions looked at for each choice: most of the table is open, so few will do
WIDTH = 12  # choices tried for each further step of the turn


class GreedyBot(Bot):
    def act(self, turn: Turn) -> str:
        if len(turn.legal) == 1:
            return turn.legal[0]
        totals = dict.fromkeys(turn.legal, 0.0)
        for _ in range(IMAGINED):
            state = turn.imagine()
            assert isinstance(state, GatsbyState)
            for text in totals:
                child = state.copy()
                child.apply(child.parse(text))
                totals[text] += finish_turn(child, turn.match.seat, turn.rng, width=WIDTH)
        return max(totals, key=totals.__getitem__)


def make() -> Bot:
    return GreedyBot()


if __name__ == "__main__":
    run(make())
