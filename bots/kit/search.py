"""Search over imagined positions: flat playouts and a tree over information sets, within a budget of cpu time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from random import Random

from bots.kit.protocol import Turn
from engines import Outcome, State

Utilities = Sequence[float]  # one for each seat, 0 (worst) to 1 (best)
Evaluate = Callable[[State], Utilities]
Policy = Callable[[State, Random], int]
Imagine = Callable[[], State]


@dataclass(slots=True)
class Budget:
    """How long a search may go on: cpu time of this process, or a number of rounds, whichever ends first."""

    cpu_ms: float = 30.0
    rounds: int = 1_000_000

    def clock(self) -> Callable[[int], bool]:
        """A function that tells whether round n may still begin."""
        end = time.process_time() + self.cpu_ms / 1000

        def may_go_on(round_number: int) -> bool:
            return round_number < self.rounds and time.process_time() < end

        return may_go_on


@dataclass(frozen=True, slots=True)
class Choice:
    """What a search found: the action's text, its mean utility, and how often it was tried of how many rounds."""

    action: str
    value: float
    visits: int
    rounds: int


def rank_utilities(outcome: Outcome) -> list[float]:
    """1 for the first, 0 for the last, equal steps between; seats that share a rank share what lies between."""
    seats = len(outcome.ranks)
    return [1 - (rank - 1 + (outcome.ranks.count(rank) - 1) / 2) / (seats - 1) for rank in outcome.ranks]


def even(state: State) -> list[float]:
    """The evaluation of somebody who knows nothing."""
    seats = state.observe(None)["seats"]
    return [0.5] * int(seats)


def random_policy(state: State, rng: Random) -> int:
    """Any legal action."""
    legal = state.legal_actions()
    return legal[int(rng.random() * len(legal))]


def play_out(state: State, rng: Random, *, depth: int, evaluate: Evaluate, policy: Policy) -> Utilities:
    """Play on in place for at most `depth` actions; the outcome's utilities, or the evaluation of where it stopped."""
    for _ in range(depth):
        if state.to_act is None:
            break
        state.apply(policy(state, rng))
    outcome = state.outcome()
    return evaluate(state) if outcome is None else rank_utilities(outcome)


class Arm:
    """What is known of one action: how often it was there, how often it was tried, and what came of it."""

    __slots__ = ("children", "seen", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[int, Arm] = {}
        self.seen = 0
        self.visits = 0
        self.total = 0.0

    def worth(self, exploration: float) -> float:
        """Upper confidence bound, by how often the action could have been tried."""
        return self.total / self.visits + exploration * sqrt(log(self.seen) / self.visits)


def best_by_playouts(
    turn: Turn,
    *,
    budget: Budget,
    evaluate: Evaluate = even,
    policy: Policy = random_policy,
    depth: int = 40,
    exploration: float = 0.7,
) -> Choice:
    """Try each legal action on imagined positions, the promising ones more often."""
    return _search(turn, budget, evaluate, policy, depth, exploration, tree=False)


def best_by_tree(
    turn: Turn,
    *,
    budget: Budget,
    evaluate: Evaluate = even,
    policy: Policy = random_policy,
    depth: int = 40,
    exploration: float = 0.7,
) -> Choice:
    """Information-set Monte Carlo tree search: one tree over actions, a newly imagined position each round."""
    return _search(turn, budget, evaluate, policy, depth, exploration, tree=True)


def _search(
    turn: Turn,
    budget: Budget,
    evaluate: Evaluate,
    policy: Policy,
    depth: int,
    exploration: float,
    *,
    tree: bool,
) -> Choice:
    if len(turn.legal) == 1:
        return Choice(turn.legal[0], 0.5, 0, 0)
    root = Arm()
    may_go_on = budget.clock()
    rounds = 0
    while may_go_on(rounds) or rounds == 0:
        state = turn.imagine()
        path = _descend(state, root, turn.rng, exploration, levels=1_000 if tree else 1)
        utilities = play_out(state, turn.rng, depth=depth, evaluate=evaluate, policy=policy)
        for seat, arm in path:
            arm.visits += 1
            arm.total += utilities[seat]
        rounds += 1
    action, arm = max(root.children.items(), key=lambda item: (item[1].visits, item[1].total))
    text = turn.imagine().format(action)
    return Choice(text, arm.total / arm.visits, arm.visits, rounds)


def _descend(state: State, arm: Arm, rng: Random, exploration: float, levels: int) -> list[tuple[int, Arm]]:
    """Walk down to a fresh arm, applying actions; the arms passed, each with the seat that chose it."""
    path: list[tuple[int, Arm]] = []
    for _ in range(levels):
        seat = state.to_act
        if seat is None:
            break
        legal = state.legal_actions()
        fresh = [action for action in legal if action not in arm.children]
        if fresh:
            action = fresh[int(rng.random() * len(fresh))]
            arm.children[action] = Arm()
        else:
            action = max(legal, key=lambda choice: arm.children[choice].worth(exploration))
        for choice in legal:
            if choice in arm.children:
                arm.children[choice].seen += 1
        arm = arm.children[action]
        path.append((seat, arm))
        state.apply(action)
        if fresh:
            break
    return path
