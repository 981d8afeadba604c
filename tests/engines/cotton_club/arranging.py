"""Setting up positions of Cotton Club by hand, in the words of the game."""

from __future__ import annotations

from collections.abc import Iterable
from operator import sub

from engines.cotton_club import GAME
from engines.cotton_club.actions import ACTIONS_OF_CARD, CARD_OF
from engines.cotton_club.position import ADD, DROP
from engines.cotton_club.state import CottonClubState
from engines.cotton_club.tables import (
    CARD_NUMBERS,
    CARDS,
    DISCOUNTS,
    EVENT_NUMBERS,
    LOAN,
    PLACES,
    SIDES,
    TRACKS,
    TYPES,
)

SIZE_OF_A_TRACK = 4


def dealt(seats: int = 3, seed: int = 1) -> CottonClubState:
    """A game about to begin."""
    return GAME.new(seats=seats, seed=seed)


def begun(seats: int = 3, seed: int = 1) -> CottonClubState:
    """A game in round 1, before the first pawn, seated so that the turn order is 0, 1, 2, 3."""
    state = dealt(seats, seed)
    while state.deal.first_seat != 0:
        seed += 1
        state = dealt(seats, seed)
    while state.choice == DROP:
        state.apply(state.legal_actions()[0])
    return state


def act(state: CottonClubState, *texts: str) -> CottonClubState:
    """Take these actions."""
    for text in texts:
        state.apply(state.parse(text))
    return state


def legal(state: CottonClubState) -> list[str]:
    """The legal actions as texts."""
    return [state.format(action) for action in state.legal_actions()]


def changed(state: CottonClubState) -> CottonClubState:
    """Forget the legal actions computed before something was set by hand."""
    state.legal = None
    return state


def disc(track: str, seat: int) -> int:
    return TRACKS.index(track) * SIZE_OF_A_TRACK + seat


def set_level(state: CottonClubState, track: str, seat: int, level: int) -> None:
    """Put a disc on a level, on top of the others there."""
    state.moves += 1
    state.levels[disc(track, seat)] = level
    state.stamps[disc(track, seat)] = state.moves
    changed(state)


def level(state: CottonClubState, track: str, seat: int) -> int:
    return state.levels[disc(track, seat)]


def order(state: CottonClubState, track: str) -> list[int]:
    """The seats on a track from first to last."""
    found: list[int] = state.observe(None)["tracks"][track]["order"]
    return found


def set_money(state: CottonClubState, seat: int, usd: int) -> None:
    state.money[seat] = usd
    changed(state)


def set_row(state: CottonClubState, *ids: str) -> None:
    """Make these cards, all of one type, the row of their type."""
    cards = tuple(CARD_NUMBERS[one] for one in ids)
    state.rows[CARDS[cards[0]].type] = cards
    changed(state)


def clear_rows(state: CottonClubState) -> None:
    state.rows = [()] * len(TYPES)
    changed(state)


def own(state: CottonClubState, seat: int, *ids: str) -> None:
    """Put cards into a club without paying or moving anything."""
    for one in ids:
        card = CARD_NUMBERS[one]
        state.clubs[seat] += (ACTIONS_OF_CARD[card][0],)
        state.weapons[seat] += CARDS[card].weapons
        state.prices[seat] = tuple(map(sub, state.prices[seat], DISCOUNTS[card]))
    changed(state)


def occupy(state: CottonClubState, place: str, *pawns: int) -> None:
    """Put pawns on the uppermost spaces of an action, without effect."""
    state.pawns[PLACES.index(place)] = pawns
    changed(state)


def fill_board(state: CottonClubState, *, but: Iterable[str] = ()) -> None:
    """Fill every space except those of some actions with pawns of the last seat."""
    for place, spaces in enumerate(SIDES[state.seats]):
        if place != LOAN and PLACES[place] not in but:
            occupy(state, PLACES[place], *[state.seats - 1] * len(spaces))


def hold(state: CottonClubState, seat: int, *events: str) -> None:
    """Make these events the hand of a seat."""
    state.hands[seat] = tuple(sorted(EVENT_NUMBERS[event] for event in events))
    changed(state)


def clubs(state: CottonClubState, seat: int) -> list[str]:
    """Ids of the cards in a club."""
    return [CARDS[CARD_OF[action]].id for action in state.clubs[seat]]


def pass_phase_1(state: CottonClubState) -> CottonClubState:
    """Every seat that is asked adds no event."""
    while state.choice == ADD:
        act(state, "pass")
    return state


def loans_until_round(state: CottonClubState, number: int) -> CottonClubState:
    """Everyone takes loans and passes until that round begins; Salvatore's pawns go to loan too."""
    while state.round < number:
        texts = legal(state)
        act(state, next(text for text in ("loan", "salvatore loan", "pass") if text in texts))
    return state
