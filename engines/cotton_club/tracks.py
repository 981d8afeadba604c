"""Discs on tracks: steps, overflow into reputation, stacks, initiative bonuses, money (CC 1)."""

from __future__ import annotations

from typing import Final

from engines.cotton_club.position import CRIMINALITY, DISCS, INFLUENCE, INITIATIVE, Position
from engines.cotton_club.tables import BONUSES, NUMBERS, TRACK_ENDS, TRACKS, Change

MONEY_HIGHEST: Final = NUMBERS["money_highest"]
BONUS_LEVELS: Final = (*(bonus.level for bonus in BONUSES), 1 << 30)  # the last is never reached
_LOWEST: Final = [TRACK_ENDS[TRACKS[disc // 4]].lowest for disc in range(DISCS)]
_HIGHEST: Final = [TRACK_ENDS[TRACKS[disc // 4]].highest for disc in range(DISCS)]
_ABOVE: Final = [TRACK_ENDS[TRACKS[disc // 4]].reputation_above for disc in range(DISCS)]
_BELOW: Final = [TRACK_ENDS[TRACKS[disc // 4]].reputation_below for disc in range(DISCS)]
INFLUENCE_HIGHEST: Final = _HIGHEST[INFLUENCE]


def move(state: Position, track: int, seat: int, steps: int) -> None:
    """Move a disc; steps beyond an end become reputation, and a disc that moved lies on top (CC 1.1, 1.3)."""
    disc = track + seat
    before = state.levels[disc]
    level = before + steps
    if level > _HIGHEST[disc]:
        state.reputation[seat] += (level - _HIGHEST[disc]) * _ABOVE[disc]
        level = _HIGHEST[disc]
    elif level < _LOWEST[disc]:
        state.reputation[seat] += (_LOWEST[disc] - level) * _BELOW[disc]
        level = _LOWEST[disc]
    if level != before:
        state.levels[disc] = level
        state.moves += 1
        state.stamps[disc] = state.moves


def earn(state: Position, seat: int, usd: int) -> None:
    """Change the money of a seat; what exceeds the end of the track is lost (CC 1.2)."""
    money = state.money[seat] + usd
    state.money[seat] = money if money < MONEY_HIGHEST else MONEY_HIGHEST


def move_initiative(state: Position, seat: int, steps: int) -> None:
    """Move on initiative and pay each bonus reached for the first time, in ascending order (CC 1.4)."""
    move(state, INITIATIVE, seat, steps)
    while state.levels[INITIATIVE + seat] >= BONUS_LEVELS[state.bonuses[seat]]:
        bonus = BONUSES[state.bonuses[seat]]
        state.bonuses[seat] += 1
        earn(state, seat, bonus.usd)
        move(state, INFLUENCE, seat, bonus.influence)
        state.reputation[seat] += bonus.reputation


def change(state: Position, seat: int, what: Change) -> None:
    """Apply dollars, influence, initiative and criminality, in this order; 0 is no move (CC 1.3, 5.3)."""
    usd, influence, initiative, criminality = what
    if usd:
        earn(state, seat, usd)
    if influence:
        move(state, INFLUENCE, seat, influence)
    if initiative:
        move_initiative(state, seat, initiative)
    if criminality:
        move(state, CRIMINALITY, seat, criminality)


def purse(state: Position, seat: int, effect: Change) -> tuple[int, int]:
    """Money and influence to pay with after a space's effect and the bonus it triggers; -1, -1 if it can't be paid."""
    usd, influence, initiative, _ = effect
    money = state.money[seat] + usd
    influence += state.levels[INFLUENCE + seat]
    if money < 0 or influence < 0:
        return -1, -1
    if initiative:
        reached = state.levels[INITIATIVE + seat] + initiative
        paid = state.bonuses[seat]
        while reached >= BONUS_LEVELS[paid]:  # CC 5.2: this money and influence can pay
            money += BONUSES[paid].usd
            influence += BONUSES[paid].influence
            paid += 1
    return (
        money if money < MONEY_HIGHEST else MONEY_HIGHEST,
        influence if influence < INFLUENCE_HIGHEST else INFLUENCE_HIGHEST,
    )


def order_on(state: Position, track: int) -> list[int]:
    """The seats from first to last on a track: by level, then by height in the stack (CC 1.3)."""
    order = [0]
    for seat in range(1, state.seats):
        place = 0
        while place < len(order) and _is_ahead(state, track + order[place], track + seat):
            place += 1
        order.insert(place, seat)
    return order


def _is_ahead(state: Position, disc: int, other: int) -> bool:
    """Whether a disc is before another of its track (CC 1.3)."""
    level, level_of_other = state.levels[disc], state.levels[other]
    if level != level_of_other:
        return level > level_of_other
    return state.stamps[disc] > state.stamps[other]
