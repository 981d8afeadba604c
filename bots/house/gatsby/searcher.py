"""Looks to the end of the other seat's next turn: first for its own best turns, then for the best answer to each."""

from collections.abc import Callable

from bots.kit import Bot, Budget, Turn, run
from bots.kit.policies.gatsby import best_answer, finish_turn
from engines import State
from engines.gatsby.state import GatsbyState

SCAN = Budget(cpu_ms=6)  # to find the choices worth a second look
ANSWERS = Budget(cpu_ms=13)  # to find out what the other seat can do about them
WIDTH = 12  # choices tried for each further step of the own turn
ANSWER_WIDTH = 5  # and of the answer, which has to be quick
KEPT = 4  # choices that get the second look
OWN_SHARE = 0.3  # how much the table before the answer counts: the answer is only a guess


class SearchBot(Bot):
    def act(self, turn: Turn) -> str:
        if len(turn.legal) == 1:
            return turn.legal[0]
        before = self.scan(turn)
        kept = sorted(before, key=before.__getitem__, reverse=True)[:KEPT]
        after = self.answers(turn, kept)
        return max(kept, key=lambda text: OWN_SHARE * before[text] - (1 - OWN_SHARE) * after[text])

    def scan(self, turn: Turn) -> dict[str, float]:
        """How far each choice leaves us ahead at the end of our turn."""
        return averages(turn, turn.legal, SCAN, lambda position, text: self.take_turn(turn, position, text)[1])

    def answers(self, turn: Turn, kept: list[str]) -> dict[str, float]:
        """How far the other seat is ahead after its best answer to each of these choices."""

        def answered(position: State, text: str) -> float:
            table, _ = self.take_turn(turn, position, text)
            return best_answer(table, 1 - turn.match.seat, turn.rng, width=ANSWER_WIDTH)

        return averages(turn, kept, ANSWERS, answered)

    @staticmethod
    def take_turn(turn: Turn, position: State, text: str) -> tuple[GatsbyState, float]:
        """The table after a choice and the rest of our turn, and how far we are then ahead."""
        table = position.copy()
        assert isinstance(table, GatsbyState)
        table.apply(table.parse(text))
        return table, finish_turn(table, turn.match.seat, turn.rng, width=WIDTH)


def averages(turn: Turn, texts: list[str], budget: Budget, look: Callable[[State, str], float]) -> dict[str, float]:
    """What each choice is worth on average over imagined positions; all choices see the same ones."""
    totals = dict.fromkeys(texts, 0.0)
    may_go_on, rounds = budget.clock(), 0
    while rounds == 0 or may_go_on(rounds):
        position, seen = turn.imagine(), []
        for text in texts:
            seen.append(look(position, text))
            if rounds and not may_go_on(rounds):
                break
        if len(seen) < len(texts):
            break  # a position that not every choice has seen doesn't count
        for text, value in zip(texts, seen, strict=True):
            totals[text] += value
        rounds += 1
    return {text: total / rounds for text, total in totals.items()}


def make() -> Bot:
    return SearchBot()


if __name__ == "__main__":
    run(make())
