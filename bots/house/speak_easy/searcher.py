"""Weighs each move by the enemy's likely answer and its own next move, over as many imagined enemies as time allows."""

from bots.kit import Bot, Budget, Turn, run
from bots.kit.policies.speak_easy import Looks, likely_answer, looks_of, next_placement
from bots.kit.values.speak_easy import WIN, gains, pressure
from engines.speak_easy.state import SpeakEasyState

BUDGET = Budget(cpu_ms=20)
ANSWER = 0.9  # how much of what the answer gains is counted: it is a guess
NEXT_MOVE = 0.4  # and of our best move after it, which may have been prevented
NEXT_MOST = 20.0  # a threat to win is worth two good pieces, no more: the enemy sees it, too
DRAW = -5.0
PRESS = 2.0  # being close to the enemy's Speakeasy
GUARD = 10.0  # the enemy being close to ours: most games are lost by somebody walking in


class SearchBot(Bot):
    def act(self, turn: Turn) -> str:
        if turn.observation["phase"] == "setup":
            return next_placement(turn.observation, turn.match.bot_seed)
        if len(turn.legal) == 1:
            return turn.legal[0]
        values: dict[int, float] = {}
        may_go_on, rounds = BUDGET.clock(), 0
        while rounds == 0 or may_go_on(rounds):
            state = turn.imagine()
            assert isinstance(state, SpeakEasyState)
            looks = looks_of(state, turn.match.seat)
            for action, gained in gains(state).items():
                values[action] = values.get(action, 0.0) + gained + self.prospect(state, action, looks)
            rounds += 1
        return state.format(max(values, key=values.__getitem__))

    @staticmethod
    def prospect(state: SpeakEasyState, action: int, looks: Looks) -> float:
        """What a move leads to: the enemy's answer, our next move, and who then stands at whose door."""
        me = state.to_act
        assert me is not None
        after = state.copy()
        after.apply(action)
        if (end := verdict(after, me)) is not None:
            return end
        answer, gained = likely_answer(after, looks)
        after.apply(answer)
        if (end := verdict(after, me)) is not None:
            return end
        hope = min(NEXT_MOST, max(gains(after).values()))
        return NEXT_MOVE * hope - ANSWER * gained + PRESS * pressure(after, me) - GUARD * pressure(after, 1 - me)


def verdict(state: SpeakEasyState, seat: int) -> float | None:
    """What the end of the game is worth to a seat; None while it goes on."""
    if state.ending is None:
        return None
    if state.winner is None:
        return DRAW
    return WIN if state.winner == seat else -WIN


def make() -> Bot:
    return SearchBot()


if __name__ == "__main__":
    run(make())
