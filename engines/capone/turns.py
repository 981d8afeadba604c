"""How a year goes from one choice to the next: the deal, the exchange, the turns, and at its end the settlements."""

from __future__ import annotations

from engines.capone.money import bails, means, most_rehired, most_steps
from engines.capone.pieces import come_home, move_prisoners
from engines.capone.position import BAIL, CARD, INVEST, NOTHING, OVER, REHIRE, RETURN, Position
from engines.capone.scoring import pay_income
from engines.capone.tables import DECK, HAND, LAST_STEP, YEAR_LIMIT
from engines.chance import draw, shuffle


def begin(state: Position) -> None:
    """Draw the first player and deal year 1 (CA 2.1)."""
    state.first = draw(state.seed, "first", state.seats)
    _deal(state)


def _deal(state: Position) -> None:
    """Begin a year: shuffle all cards, deal from the first player on, open the exchange (CA 2.2)."""
    state.year += 1
    cards = shuffle(state.seed, f"deck/year{state.year}", DECK[state.seats])
    size = HAND[state.seats]
    for place in range(state.seats):
        seat = (state.first + place) % state.seats
        state.hands[seat] = tuple(sorted(cards[place * size : (place + 1) * size]))
    state.pile = tuple(cards[state.seats * size :])
    state.returned = [()] * state.seats
    state.unshown = [()] * state.seats
    state.used = ()
    state.log = None
    state.named = 0
    state.to_act = state.first
    state.choice = RETURN


def end_exchange(state: Position, seat: int) -> None:
    """The next seat exchanges; after all of them the turns begin (CA 2.3)."""
    following = (seat + 1) % state.seats
    state.to_act = following
    if following == state.first:
        state.choice = CARD


def end_turn(state: Position, seat: int) -> None:
    """The next seat plays a card; when hands are empty the year ends."""
    following = (seat + 1) % state.seats
    state.choice = CARD
    state.card = NOTHING
    state.place = NOTHING
    state.named = 0
    state.need = 0
    state.to_act = following
    if not state.hands[following]:
        _end_year(state)


def _end_year(state: Position) -> None:
    """Income, everyone home, prison moves, then the first player settles (CA 6.1 to 6.3)."""
    pay_income(state)
    come_home(state)
    move_prisoners(state)
    ask(state, state.first, BAIL)


def ask(state: Position, seat: int, part: int) -> None:
    """Ask a seat for the first part of its settlement, from `part` on, that has something to choose (CA 6.3)."""
    state.to_act = seat
    state.choice = next_part(state, seat, part)
    if state.choice == OVER:
        end_settlement(state, seat)


def next_part(state: Position, seat: int, part: int) -> int:
    """The first part of a settlement, from `part` on, in which a seat has a choice; OVER if there is none."""
    if part <= BAIL and bails(state, seat, means(state, seat)):
        return BAIL
    if part <= REHIRE and most_rehired(state, seat):
        return REHIRE
    return INVEST if most_steps(state, seat) else OVER


def end_settlement(state: Position, seat: int) -> None:
    """Close a seat's settlement; after the last one the game ends or a new year begins (CA 6.3 to 6.5)."""
    state.lost[seat] += state.park[seat]
    state.park[seat] = 0
    state.named = 0
    following = (seat + 1) % state.seats
    if following != state.first:
        ask(state, following, BAIL)
    elif LAST_STEP in state.marker or state.year == YEAR_LIMIT:
        state.choice = OVER
        state.to_act = None
    else:
        state.first = (state.first + 1) % state.seats
        _deal(state)
