"""What a game promises of its words, and that they tell nothing hidden."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from engines.api import (
    Observation,
    State,
)
from engines.contract.promise import hold
from engines.playing import Setup, over_the_wire, played, positions, views, walk

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jim")


def names_its_seats(setup: Setup) -> None:
    """The game has one sentence for what it is, and a name for each seat."""
    words = setup.game.words
    hold(bool(words.gist.strip()) and "\n" not in words.gist, "gist is empty or has several lines")
    names = [words.seat_name(seat, setup.seats) for seat in range(setup.seats)]
    hold(all(names) and len(set(names)) == len(names), f"the seats are called {names}")


def tells_every_action(setup: Setup) -> None:
    """Every action has a sentence for every viewer, told from that viewer's observations alone."""
    state, names = setup.new(5), NAMES[: setup.seats]
    before = _told_views(state, setup.seats)
    for action in played(setup, 5):
        seat, text = state.to_act, state.format(action)
        state.apply(action)
        after = _told_views(state, setup.seats)
        for viewer, (old, new) in enumerate(zip(before, after, strict=True)):
            is_told = viewer in (seat, setup.seats)
            entry = new["log"][-1] if new["log"] else f"{seat} {text if is_told else '?'}"
            _check_sentence(setup, entry, old, new, names)
        before = after


def _told_views(state: State, seats: int) -> list[Observation]:
    """What each seat, all eyes and the public see."""
    return [*views(state, seats), state.public()]


def _check_sentence(setup: Setup, entry: str, old: Observation, new: Observation, names: Sequence[str]) -> None:
    words, where = setup.game.words, f"ply {new['ply']}, {entry!r}"
    told = words.sentence(entry, old, new, names)
    hold(type(told) is str and bool(told.strip()) and "\n" not in told, f"{where}: the sentence is {told!r}")
    mark = words.mark(entry, old, new)
    hold(mark is None or (type(mark) is str and 0 < len(mark) <= 24), f"{where}: the mark is {mark!r}")
    if new["ply"] % 11 == 0:
        again = words.sentence(entry, over_the_wire(old), over_the_wire(new), names)
        hold(again == told, f"{where}: the sentence is {told!r}, and {again!r} from the same observations as JSON")


def asks_and_draws_for_every_viewer(setup: Setup) -> None:
    """What is asked is a sentence that names the seat to act, and every viewer has a board as text."""
    names = NAMES[: setup.seats]
    for state in positions(setup, 5, 12):
        for view in _told_views(state, setup.seats):
            asked, board = setup.game.words.asked(view, names), setup.game.words.board(over_the_wire(view))
            hold(bool(asked.strip()) and "\n" not in asked, f"ply {view['ply']}: asked is {asked!r}")
            seat = view["to_act"]
            hold(seat is None or names[seat] in asked, f"ply {view['ply']}: asked does not name {seat}: {asked!r}")
            hold(bool(board.strip()), f"ply {view['ply']}: the board is empty")


def offers_every_action(setup: Setup) -> None:
    """Every legal action has a sentence of its own before it is taken, told from the seat's observation alone."""
    names = NAMES[: setup.seats]
    for state in positions(setup, 5, 40):
        if state.to_act is None:
            continue
        view = over_the_wire(state.observe(state.to_act))
        texts = [state.format(action) for action in state.legal_actions()]
        offers = [setup.game.words.offer(text, view, names) for text in texts]
        for text, offer in zip(texts, offers, strict=True):
            hold(bool(offer.strip()) and "\n" not in offer, f"ply {view['ply']}: {text!r} is offered as {offer!r}")
        hold(len(set(offers)) == len(offers), f"ply {view['ply']}: two actions are offered in the same words: {offers}")


def words_tell_nothing_hidden(setup: Setup) -> None:
    """A seat is told the same of the true state as of any state that it can imagine."""
    words, names = setup.game.words, NAMES[: setup.seats]
    for state in positions(setup, 24, 8):
        for seat in range(setup.seats):
            view = state.observe(seat)
            imagined = setup.game.imagine(over_the_wire(view), Random(f"words/{seat}")).observe(seat)
            for told in (words.board, lambda seen: words.asked(seen, names)):
                hold(told(view) == told(imagined), f"ply {view['ply']}: seat {seat} is told something hidden")


def knows_its_endings(setup: Setup) -> None:
    """Every ending that random games come to has its words."""
    for seed in range(1, 6):
        *_, state = walk(setup, seed)
        outcome = state.outcome()
        ending = "" if outcome is None else outcome.ending
        hold(bool(setup.game.words.endings.get(ending, "").strip()), f"seed {seed}: no words for the ending {ending!r}")


def has_one_turn_order(setup: Setup) -> None:
    """The turn order has each seat once and stays the same all through a game, restored or imagined."""
    words = setup.game.words
    order = words.turn_order(setup.new(24))
    hold(sorted(order) == list(range(setup.seats)), f"the turn order is {order}")
    for state in positions(setup, 24, 6):
        copies = (state, setup.game.restore(state.snapshot()), setup.game.imagine(state.observe(0), Random(1)))
        for copy in copies:
            hold(words.turn_order(copy) == order, f"the turn order was {order}, later {words.turn_order(copy)}")


PROMISES: tuple[Callable[[Setup], None], ...] = (
    names_its_seats,
    tells_every_action,
    asks_and_draws_for_every_viewer,
    offers_every_action,
    words_tell_nothing_hidden,
    knows_its_endings,
    has_one_turn_order,
)
