"""Pawns and what they do: which placements can be done in full, and carrying them out (CC 5, 9.3)."""

from __future__ import annotations

from typing import Final

from engines.cotton_club.actions import (
    ACTIONS_OF_CARD,
    CARD_OF,
    CHANGE_OF,
    FIRST_SALVATORE,
    LOAN_ACTION,
    TIP_OFF_ACTION,
)
from engines.cotton_club.position import INFLUENCE, Position
from engines.cotton_club.tables import (
    ARTISTS,
    CARDS,
    CELEBRITIES,
    DISCOUNTS,
    FIRST_CELEBRITY,
    GANGSTERS,
    IMPROVEMENTS,
    LOAN,
    NOTHING,
    SALVATORE,
    SIDES,
    SMUGGLING,
    TIP_OFF,
    Change,
)
from engines.cotton_club.tracks import change, move, purse

# The effects of the free spaces, uppermost first, so that the number of pawns is the index; None: full.
SPACES: Final[dict[int, tuple[tuple[Change | None, ...], ...]]] = {
    seats: tuple((*(effect if any(effect) else NOTHING for effect in spaces), None) for spaces in side)
    for seats, side in SIDES.items()
}
# The same with the number of seats as the index, which compiled code reads far faster than a dictionary.
_BOARDS: Final[tuple[tuple[tuple[Change | None, ...], ...], ...]] = tuple(
    SPACES.get(seats, ()) for seats in range(max(SPACES) + 1)
)
LOANS: Final = {seats: side[LOAN][0] for seats, side in SIDES.items()}

BOUGHT: Final = (GANGSTERS, SMUGGLING, ARTISTS)  # for dollars, one action a card (CC 5.3)

# Of each take: dollars, influence and weapons that must be there beforehand (CC 5.2, 5.3).
NEEDS: Final[tuple[tuple[int, int, int], ...]] = tuple(
    (max(0, -what.usd), max(0, -what.influence), CARDS[card].weapons_required)
    for what, card in zip(CHANGE_OF, CARD_OF, strict=True)
)
# Each of these apart, as bytes: compiled code takes a number out of them without unwrapping an object.
_USD_NEEDED: Final = bytes(usd for usd, _, _ in NEEDS)
_INFLUENCE_NEEDED: Final = bytes(influence for _, influence, _ in NEEDS)
_WEAPONS_NEEDED: Final = bytes(weapons for _, _, weapons in NEEDS)
_TYPE_OF: Final[tuple[int, ...]] = tuple(CARDS[card].type for card in CARD_OF)
_WEAPONS: Final[tuple[int, ...]] = tuple(card.weapons for card in CARDS)
# Of each card: the celebrities that it makes cheaper, and by how much.
_CHEAPER: Final[tuple[tuple[tuple[int, int], ...], ...]] = tuple(
    tuple((guest, discount) for guest, discount in enumerate(discounts) if discount) for discounts in DISCOUNTS
)


def placements(state: Position, tip_off_is_open: bool) -> list[int]:
    """Every placement the seat to act can do in full, sorted (CC 5.1, 5.2)."""
    found: list[int] = []
    seat = state.to_act or 0
    weapons = state.weapons[seat]
    pawns, rows = state.pawns, state.rows
    spaces = _BOARDS[state.seats]
    mine = state.money[seat], state.levels[INFLUENCE + seat]

    effect = spaces[IMPROVEMENTS][len(pawns[IMPROVEMENTS])]
    if effect is not None:
        money, influence = mine if effect is NOTHING else purse(state, seat, effect)
        for card in rows[IMPROVEMENTS]:
            for action in ACTIONS_OF_CARD[card]:
                if _USD_NEEDED[action] <= money and _INFLUENCE_NEEDED[action] <= influence:
                    found.append(action)  # noqa: PERF401 (no list of its own for each card)
    for bought in BOUGHT:
        effect = spaces[bought][len(pawns[bought])]
        if effect is not None:
            money, influence = mine if effect is NOTHING else purse(state, seat, effect)
            for card in rows[bought]:
                if _USD_NEEDED[card] > money or _WEAPONS_NEEDED[card] > weapons:
                    continue
                if _INFLUENCE_NEEDED[card] <= influence:
                    found.append(card)
    effect = spaces[CELEBRITIES][len(pawns[CELEBRITIES])]
    if effect is not None:
        influence = mine[1] if effect is NOTHING else purse(state, seat, effect)[1]
        prices = state.prices[seat]
        if influence >= 0:
            for card in rows[CELEBRITIES]:
                if prices[card - FIRST_CELEBRITY] <= influence:
                    found.append(card)  # noqa: PERF401 (nor one here)
    found.sort()
    found.append(LOAN_ACTION)
    if tip_off_is_open and can_tip_off(state, seat):
        found.append(TIP_OFF_ACTION)
    return found


def can_tip_off(state: Position, seat: int) -> bool:
    """Whether tip-off has a free space whose effect the seat can take."""
    effect = _BOARDS[state.seats][TIP_OFF][len(state.pawns[TIP_OFF])]
    return effect is NOTHING or (effect is not None and purse(state, seat, effect)[0] >= 0)


def place(state: Position, seat: int, action: int) -> None:
    """Put a pawn where the action says, take the space's effect and carry the action out."""
    if action < LOAN_ACTION:
        _take(state, seat, action)
    elif action == LOAN_ACTION:  # CC 5.6: any number of pawns
        state.pawns[LOAN] += (seat,)
        change(state, seat, LOANS[state.seats])
    else:  # CC 5.7: from now on the seat knows the row; in round 1 there is none
        _occupy(state, seat, TIP_OFF)
        if state.event_row:
            state.tipped_off |= 1 << seat


def _occupy(state: Position, seat: int, where: int) -> None:
    """Put a pawn on the uppermost free space and apply its bonus or penalty (CC 5.1)."""
    effect = _BOARDS[state.seats][where][len(state.pawns[where])]
    state.pawns[where] += (seat,)
    if effect is not NOTHING and effect is not None:
        change(state, seat, effect)


def _take(state: Position, seat: int, action: int) -> None:
    """Occupy a space, pay for a card, change the tracks and put the card into the club (CC 5.3, 5.4, 5.5)."""
    card, card_type = CARD_OF[action], _TYPE_OF[action]
    _occupy(state, seat, card_type)
    row = list(state.rows[card_type])
    row.remove(card)
    state.rows[card_type] = tuple(row)
    if card_type == CELEBRITIES:
        price = state.prices[seat][card - FIRST_CELEBRITY]
        if price > 0:  # CC 5.4: not below 0
            move(state, INFLUENCE, seat, -price)
    elif _CHEAPER[card]:
        _lower_prices(state, seat, card)
    change(state, seat, CHANGE_OF[action])
    if _WEAPONS[card]:
        state.weapons[seat] += _WEAPONS[card]
    state.clubs[seat] += (action,)


def _lower_prices(state: Position, seat: int, card: int) -> None:
    """Make the celebrities that like a card cheaper for the seat (CC 5.4)."""
    prices = list(state.prices[seat])
    for guest, discount in _CHEAPER[card]:
        prices[guest] = prices[guest] - discount  # compiled, quicker than -=, which works on objects
    state.prices[seat] = tuple(prices)


def salvatore_placements(state: Position) -> list[int]:
    """Every place with a free space, cards left or not (CC 9.3)."""
    spaces, pawns = _BOARDS[state.seats], state.pawns
    free = [FIRST_SALVATORE + at for at in range(LOAN) if spaces[at][len(pawns[at])] is not None]
    free.append(FIRST_SALVATORE + LOAN)
    return free


def place_salvatore(state: Position, action: int) -> None:
    """Put a Salvatore pawn down, without any effect (CC 9.3)."""
    state.pawns[action - FIRST_SALVATORE] += (SALVATORE,)
