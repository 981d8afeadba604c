"""Search over imagined positions: one step, flat playouts, or a tree over information sets, within cpu time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from random import Random

from bots.kit.protocol import Turn
from engines import Outcome, State

Utilities = Sequence[float]  # one for each seat, 0 (worst) to 1 (best)
Evaluate = Callable[[State], Utilities]
Policy = Callable[[State, Random], int]
Finish = Callable[[State, int, Random], None]
PlayoutStop = Callable[[State], bool]
# What the seat to act may expect of each legal action before any playout, 0 to 1.
Prior = Callable[[State], Mapping[int, float]]

PRIOR_VISITS = 3  # what is believed beforehand counts as much as so many playouts
TREE_LEVELS = 1_000  # deeper than any game goes in one search


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
class SearchResult:
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


def judge(state: State, evaluate: Evaluate) -> Utilities:
    """The outcome's utilities when the game is over, the evaluation otherwise."""
    outcome = state.outcome() if state.to_act is None else None
    return evaluate(state) if outcome is None else rank_utilities(outcome)


def random_policy(state: State, rng: Random) -> int:
    """Any legal action."""
    legal = state.legal_actions()
    return legal[int(rng.random() * len(legal))]


def never(_state: State) -> bool:
    """A playout that only its depth ends."""
    return False


def just_apply(state: State, action: int, _rng: Random) -> None:
    """Take the action and look no further."""
    state.apply(action)


def play_out(
    state: State, rng: Random, *, depth: int, evaluate: Evaluate, policy: Policy, stop: PlayoutStop = never
) -> Utilities:
    """Play on in place for at most `depth` actions; the outcome's utilities, or the evaluation of where it stopped."""
    for _ in range(depth):
        if state.to_act is None or stop(state):
            break
        state.apply(policy(state, rng))
    return judge(state, evaluate)


def imagined(turn: Turn, worlds: int) -> Iterator[State]:
    """Positions to try things on without end: so many drawn anew, then copies of these in turn."""
    drawn: list[State] = []
    while len(drawn) < worlds:
        drawn.append(turn.imagine())
        yield drawn[-1].copy()
    while True:
        for world in drawn:
            yield world.copy()


def best_by_one_step(
    turn: Turn, *, budget: Budget, evaluate: Evaluate, worlds: int = 3, finish: Finish = just_apply
) -> SearchResult:
    """Take each legal action once in each of a few imagined positions; the one with the best mean evaluation.

    `finish(state, action, rng)` applies the action and may complete what it began, such as the rest of the turn.
    """
    if len(turn.legal) == 1:
        return SearchResult(turn.legal[0], 0.5, 0, 0)
    may_go_on = budget.clock()
    totals = [0.0] * len(turn.legal)
    rounds = 0
    while rounds == 0 or (rounds < worlds and may_go_on(rounds)):
        values = _try_each(turn, turn.imagine(), evaluate, finish)
        totals = [total + value for total, value in zip(totals, values, strict=True)]
        rounds += 1
    best = max(range(len(totals)), key=totals.__getitem__)
    return SearchResult(turn.legal[best], totals[best] / rounds, rounds, rounds)


def _try_each(turn: Turn, world: State, evaluate: Evaluate, finish: Finish) -> list[float]:
    """What each legal action is worth to the seat in one imagined position."""
    values = []
    for text in turn.legal:
        state = world.copy()
        finish(state, state.parse(text), turn.rng)
        values.append(judge(state, evaluate)[turn.match.seat])
    return values


class Arm:
    """What is known of one action: how often it was there, how often it was tried, and what came of it."""

    __slots__ = ("children", "seen", "total", "visits")

    def __init__(self, believed: float = 0.0, visits: int = 0) -> None:
        self.children: dict[int, Arm] = {}
        self.seen = visits
        self.visits = visits
        self.total = believed * visits

    def worth(self, exploration: float) -> float:
        """Upper confidence bound, by how often the action could have been tried."""
        return self.total / self.visits + exploration * sqrt(log(self.seen + 1) / self.visits)


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How a search goes about it."""

    evaluate: Evaluate
    policy: Policy
    depth: int
    exploration: float
    levels: int
    worlds: int
    prior: Prior | None
    stop: PlayoutStop


def best_by_playouts(
    turn: Turn,
    *,
    budget: Budget,
    evaluate: Evaluate = even,
    policy: Policy = random_policy,
    depth: int = 40,
    exploration: float = 0.7,
    worlds: int = 1_000_000,
    prior: Prior | None = None,
    stop: PlayoutStop = never,
) -> SearchResult:
    """Try each legal action on imagined positions, the promising ones more often."""
    return _search(turn, budget, SearchSettings(evaluate, policy, depth, exploration, 1, worlds, prior, stop))


def best_by_tree(
    turn: Turn,
    *,
    budget: Budget,
    evaluate: Evaluate = even,
    policy: Policy = random_policy,
    depth: int = 40,
    exploration: float = 0.7,
    worlds: int = 1_000_000,
    prior: Prior | None = None,
    stop: PlayoutStop = never,
) -> SearchResult:
    """Information-set Monte Carlo tree search: one tree over actions, a newly imagined position each round."""
    return _search(turn, budget, SearchSettings(evaluate, policy, depth, exploration, TREE_LEVELS, worlds, prior, stop))


def _search(turn: Turn, budget: Budget, plan: SearchSettings) -> SearchResult:
    if len(turn.legal) == 1:
        return SearchResult(turn.legal[0], 0.5, 0, 0)
    root = Arm()
    may_go_on = budget.clock()
    rounds = 0
    for state in imagined(turn, plan.worlds):
        path = _descend(state, root, turn.rng, plan)
        utilities = play_out(
            state, turn.rng, depth=plan.depth, evaluate=plan.evaluate, policy=plan.policy, stop=plan.stop
        )
        for seat, arm in path:
            arm.visits += 1
            arm.total += utilities[seat]
        rounds += 1
        if not may_go_on(rounds):
            break
    action, arm = max(root.children.items(), key=lambda item: (item[1].visits, item[1].total))
    return SearchResult(state.format(action), arm.total / arm.visits, arm.visits, rounds)


def _descend(state: State, arm: Arm, rng: Random, plan: SearchSettings) -> list[tuple[int, Arm]]:
    """Walk down to a fresh arm, applying actions; the arms passed, each with the seat that chose it."""
    path: list[tuple[int, Arm]] = []
    for _ in range(plan.levels):
        seat = state.to_act
        if seat is None:
            break
        legal = state.legal_actions()
        children = arm.children
        fresh = [action for action in legal if action not in children]
        if fresh and plan.prior is not None:
            beliefs = plan.prior(state)
            children.update((action, Arm(beliefs[action], PRIOR_VISITS)) for action in fresh)
        if fresh and plan.prior is None:
            action = fresh[int(rng.random() * len(fresh))]
            children[action] = Arm()
        else:
            action = max(legal, key=lambda choice: children[choice].worth(plan.exploration))
        for choice in legal:
            if choice in children:
                children[choice].seen += 1
        arm = children[action]
        path.append((seat, arm))
        state.apply(action)
        if fresh:
            break
    return path
