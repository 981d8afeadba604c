"""Takes the move that gains most at once, over imagined enemies: attacks where the odds are good, else marches."""

from bots.kit import Bot, Turn, run
from bots.kit.policies.speak_easy import next_placement
from bots.kit.values.speak_easy import gains
from engines.speak_easy.state import SpeakEasyState

IMAGINED = 12  # enemies imagined a turn: enough to tell good odds from bad ones


class GreedyBot(Bot):
    def act(self, turn: Turn) -> str:
        if turn.observation["phase"] == "setup":
            return next_placement(turn.observation, turn.match.bot_seed)
        totals: dict[int, float] = {}
        for _ in range(IMAGINED):
            state = turn.imagine()
            assert isinstance(state, SpeakEasyState)
            for action, gained in gains(state).items():
                totals[action] = totals.get(action, 0.0) + gained
        return state.format(max(totals, key=totals.__getitem__))


def make() -> Bot:
    return GreedyBot()


if __name__ == "__main__":
    run(make())
