"""What a game promises of play: legal actions, texts, copies, the end, and what is refused."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from random import Random

from engines.api import (
    IllegalAction,
    InvalidAction,
    Json,
    State,
)
from engines.contract.promise import BrokenPromise, hold, refused
from engines.playing import Setup, over_the_wire, play_on, played, positions, views, walk
from engines.reading import short

MOST_LEGAL_ACTIONS = 200
SEEDS = (1, 2)
NO_INTS: tuple[Json, ...] = (True, False, None, "0", 0.0, 1.0, [1], {})


def offers_short_lists_until_it_ends(setup: Setup) -> None:
    """Legal actions are sorted, unique and few until the game is over, and no seat chooses more often than it may."""
    for seed in SEEDS:
        check_random_game(setup, seed)


def check_random_game(setup: Setup, seed: int) -> None:
    """Hold that one random game offers what it should and keeps its bound of choices."""
    choices: Counter[int] = Counter()
    for ply, state in enumerate(walk(setup, seed)):
        _check_legal(state, setup, f"seed {seed}, ply {ply}")
        choices[-1 if state.to_act is None else state.to_act] += 1
    most, bound = max(choices.values()), setup.game.max_choices
    hold(most <= bound, f"seed {seed}: a seat chooses {most} times, max_choices is {bound}")


def _check_legal(state: State, setup: Setup, where: str) -> None:
    legal = state.legal_actions()
    hold(type(legal) is list and all(type(action) is int for action in legal), f"{where}: not a list of ints")
    hold(legal == sorted(set(legal)), f"{where}: the legal actions are not sorted and unique")
    hold(len(legal) <= MOST_LEGAL_ACTIONS, f"{where}: {len(legal)} legal actions; at most {MOST_LEGAL_ACTIONS}")
    is_over = state.to_act is None
    hold(is_over == (legal == []) == (state.outcome() is not None), f"{where}: to_act, actions and outcome differ")
    seat = state.to_act
    hold(seat is None or (type(seat) is int and 0 <= seat < setup.seats), f"{where}: to_act is {seat!r}")


def ranks_every_seat(setup: Setup) -> None:
    """A finished game ranks every seat, ties share, and it says why it ended."""
    for seed in SEEDS:
        *_, state = walk(setup, seed)
        outcome = state.outcome()
        if outcome is None:
            raise BrokenPromise(f"seed {seed}: the game is over and has no outcome")
        ranks = list(outcome.ranks)
        hold(len(ranks) == len(outcome.scores) == setup.seats, f"seed {seed}: {outcome} is not for {setup.seats} seats")
        hold(ranks == [1 + sum(other < rank for other in ranks) for rank in ranks], f"seed {seed}: ranks are {ranks}")
        hold(bool(outcome.ending), f"seed {seed}: the ending has no name")


def hands_out_lists_of_its_own(setup: Setup) -> None:
    """A list of legal actions is the caller's own."""
    for state in positions(setup, 3, 6):
        legal = state.legal_actions()
        state.legal_actions().clear()
        hold(state.legal_actions() == legal, "clearing the list changed the state")


def spells_actions_one_way(setup: Setup) -> None:
    """An action and its text are inverse and mean the same in every state."""
    texts: dict[int, str] = {}
    for seed in SEEDS:
        for state in walk(setup, seed):
            for action in state.legal_actions():
                text = texts.setdefault(action, state.format(action))
                hold(state.format(action) == text, f"{action} is {text!r} in one state, {state.format(action)!r} later")
                hold(state.parse(text) == action, f"{text!r} is read as {state.parse(text)}, not {action}")
    hold(len(set(texts.values())) == len(texts), "two actions share a text")


def copies_are_independent(setup: Setup) -> None:
    """A copy is independent and plays on alike."""
    last = len(played(setup, 3))
    wanted = {0, last, *Random(f"copies/{setup}").sample(range(last), min(4, last))}
    for ply, state in enumerate(walk(setup, 3)):  # walked, not copied: a bad copy must not hide itself
        if ply in wanted:
            _check_copies(state, setup, f"ply {ply}")


def _check_copies(state: State, setup: Setup, where: str) -> None:
    before = state.snapshot(), views(state, setup.seats), state.legal_actions()
    first, second, third = (play_on(state.copy(), Random(seed)).snapshot() for seed in (5, 5, 6))
    after = state.snapshot(), views(state, setup.seats), state.legal_actions()
    hold(after == before, f"{where}: playing a copy changed the state")
    hold(first == second, f"{where}: two copies play on in different ways")
    restored = setup.game.restore(over_the_wire(before[0]))
    hold(play_on(restored, Random(6)).snapshot() == third, f"{where}: a copy plays on in another way than the state")


def leaves_the_global_random_source_alone(setup: Setup) -> None:
    """Chance comes from the seed and from the rng given, never from the random module."""
    before = random.getstate()
    state = play_on(setup.new(3), Random(1))
    setup.game.imagine(state.observe(0), Random(1))
    hold(random.getstate() == before, "the random module was used")


def another_seed_is_another_game(setup: Setup) -> None:
    """The same seed makes the same game, another seed another."""
    games = [json.dumps([state.snapshot() for state in positions(setup, seed, 3)]) for seed in (31, 31, 32, 33)]
    hold(games[0] == games[1], "the same seed made another game")
    hold(len(set(games)) == 3, "seeds 31, 32 and 33 did not make three games")


# --- what is refused


def refuses_illegal_actions(setup: Setup) -> None:
    """An action that is not legal now is refused by its text, and the state stays as it was."""
    actions = sorted(set(played(setup, 5)))
    for state in positions(setup, 6, 5):
        before = state.snapshot()
        forbidden = sorted(set(actions) - set(state.legal_actions()))
        for action in Random(9).sample(forbidden, min(8, len(forbidden))):
            text = state.format(action)
            refused(IllegalAction, f"{text!r}", _applied(state, action), saying=text)
        hold(state.snapshot() == before, "a refused action changed the state")


def refuses_ints_that_are_no_actions(setup: Setup) -> None:
    """An int that is no action is illegal to apply and has no text, however long it is."""
    state = positions(setup, 6, 3)[1]
    before = state.snapshot()
    for action in (-1, 10**9, -(10**30), 10**5000):
        shown = str(action) if abs(action) < 10**40 else ""
        refused(IllegalAction, short(action), _applied(state, action), saying=shown)
        refused(InvalidAction, f"the text of {short(action)}", lambda wrong=action: state.format(wrong), saying=shown)  # type: ignore[misc]
    hold(state.snapshot() == before, "a refused action changed the state")


def refuses_what_is_no_int(setup: Setup) -> None:
    """Whatever is no int is an invalid action and changes nothing."""
    state = positions(setup, 6, 3)[1]
    before = state.snapshot()
    for action in NO_INTS:
        refused(InvalidAction, repr(action), _applied(state, action))
    hold(state.snapshot() == before, "a refused action changed the state")


def refuses_texts_that_no_action_has(setup: Setup) -> None:
    """A text that no action has is invalid."""
    state = setup.new(1)
    for text in ("", " ", "no such action", "?", "x" * 10_000, None, 7):
        refused(InvalidAction, short(text), lambda wrong=text: state.parse(wrong))  # type: ignore[misc]


def ends_for_good(setup: Setup) -> None:
    """Nothing can be done once the game is over."""
    *_, state = walk(setup, 6)
    before = state.snapshot()
    for action in sorted(set(played(setup, 6)))[:20]:
        refused(IllegalAction, f"{state.format(action)!r} after the end", _applied(state, action))
    hold(state.snapshot() == before, "a refused action changed the state")


def _applied(state: State, action: Json) -> Callable[[], None]:
    return lambda: state.apply(action)


PROMISES: tuple[Callable[[Setup], None], ...] = (
    offers_short_lists_until_it_ends,
    ranks_every_seat,
    hands_out_lists_of_its_own,
    spells_actions_one_way,
    copies_are_independent,
    leaves_the_global_random_source_alone,
    another_seed_is_another_game,
    refuses_illegal_actions,
    refuses_ints_that_are_no_actions,
    refuses_what_is_no_int,
    refuses_texts_that_no_action_has,
    ends_for_good,
)
