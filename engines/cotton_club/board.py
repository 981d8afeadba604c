"""The table as text, for a person at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.cotton_club.actions import (
    CARD_OF,
    CHANGE_OF,
    FIRST_ADD,
    FIRST_BRIBE,
    FIRST_DROP,
    FIRST_SALVATORE,
    LOAN_ACTION,
    OPTION_OF,
    PASS,
    TIP_OFF_ACTION,
)
from engines.cotton_club.events import count
from engines.cotton_club.placing import SPACES
from engines.cotton_club.rounds import MOVE_TIP_OFF, OVER, PENDING
from engines.cotton_club.scoring import count_outcome, count_scores
from engines.cotton_club.tables import (
    CARDS,
    CELEBRITIES,
    EVENTS,
    FIRST_CELEBRITY,
    ICONS,
    LOAN,
    PLACES,
    SALVATORE,
    TIP_OFF,
    TRACKS,
    TYPES,
    Change,
)
from engines.cotton_club.tracks import CRIMINALITY, INFLUENCE, INITIATIVE, order_on

if TYPE_CHECKING:
    from engines.cotton_club.state import CottonClubState


def draw(state: CottonClubState) -> str:
    """The whole table as all eyes see it."""
    return "\n".join((_heading(state), *_tracks(state), *_places(state), *_clubs(state), *_events(state)))


def _heading(state: CottonClubState) -> str:
    if state.stage == OVER:
        outcome = count_outcome(state)
        totals = "  ".join(f"{seat}: {score.total} rep" for seat, score in enumerate(count_scores(state)))
        return f"Over ({outcome.ending})   {totals}   ranks {' '.join(map(str, outcome.ranks))}"
    last = ", the last" if state.last_round else ""
    order = " ".join(map(str, state.turn_order))
    pending = str(PENDING[state.stage]).replace("_", " ")
    when = f"Round {state.round}{last}" if state.round else "Setup"
    return f"{when}   order {order}   seat {state.to_act} to {pending}"


def _tracks(state: CottonClubState) -> list[str]:
    """Each track from first to last, as seat:level."""
    return [
        f"  {name:12}" + "  ".join(f"{seat}:{state.levels[track + seat]}" for seat in order_on(state, track))
        for name, track in zip(TRACKS, (INFLUENCE, INITIATIVE, CRIMINALITY), strict=True)
    ]


def _places(state: CottonClubState) -> list[str]:
    lines = []
    for place, name in enumerate(PLACES):
        pawns = ["S" if pawn == SALVATORE else str(pawn) for pawn in state.pawns[place]]
        if place == TIP_OFF and state.stage == MOVE_TIP_OFF:
            pawns = [pawn if at >= state.step or pawn == "S" else "-" for at, pawn in enumerate(pawns)]
        if place != LOAN:
            pawns += ["."] * (len(SPACES[state.seats][place]) - 1 - len(pawns))
        cards = " ".join(CARDS[card].id for card in state.rows[place]) if place < len(TYPES) else ""
        left = f"(+{len(state.deal.piles[place]) - state.shown[place]})" if place < len(TYPES) else ""
        lines.append(f"  {name:12} [{''.join(pawns)}] {cards} {left}".rstrip())
    return lines


def _clubs(state: CottonClubState) -> list[str]:
    lines = []
    for seat in range(state.seats):
        icons = {icon: count(state, seat, icon) for icon in ICONS}
        has = " ".join(f"{number} {icon}" for icon, number in icons.items() if number) or "no icons"
        cards = " ".join(CARDS[CARD_OF[action]].id + OPTION_OF[action].lower() for action in state.clubs[seat]) or "-"
        lines.append(
            f"Seat {seat}: ${state.money[seat]} {state.reputation[seat]} rep "
            f"{state.weapons[seat]} weapons, {has}; cards {cards}; events {_names(state.hands[seat])}"
        )
    return lines


def _events(state: CottonClubState) -> list[str]:
    """The row of this round and the events resolved last, by name."""
    lines = []
    if state.event_row:
        row = " ".join(f"{'pile' if by is None else by}:{EVENTS[event].id}" for by, event in state.event_row)
        lines.append(f"Event row: {row}")
    if state.used_events:
        last = state.used_events[-1][0]
        names = [
            f"{EVENTS[event].name} ({EVENTS[event].measure})" for when, _, event in state.used_events if when == last
        ]
        lines.append(f"Resolved in round {last}: {', '.join(names)}")
    return lines


def _names(events: tuple[int, ...]) -> str:
    return " ".join(EVENTS[event].id for event in events) or "-"


def tell(state: CottonClubState, action: int) -> str:
    """What the seat to act is about to do, in a sentence."""
    who = f"Seat {state.to_act}"
    if action < LOAN_ACTION:
        return f"{who} {_tell_take(state, action)}."
    if action == LOAN_ACTION:
        return f"{who} takes a loan ({_tell_change(SPACES[state.seats][LOAN][0])})."
    if action == TIP_OFF_ACTION:
        return f"{who} asks for a tip-off and will move that pawn later."
    if action == PASS:
        return f"{who} adds no event."
    if action < FIRST_BRIBE:
        return f"{who} puts Salvatore on {PLACES[action - FIRST_SALVATORE]}."
    if action < FIRST_DROP:
        return f"{who} bribes {action - FIRST_BRIBE} politicians."
    event = EVENTS[action - (FIRST_DROP if action < FIRST_ADD else FIRST_ADD)]
    verb = "drops" if action < FIRST_ADD else "adds"
    return f"{who} {verb} {event.name} ({event.id}, {event.measure})."


def _tell_take(state: CottonClubState, action: int) -> str:
    card = CARDS[CARD_OF[action]]
    option = f" with option {OPTION_OF[action]}" if OPTION_OF[action] else ""
    parts = [f"takes {card.name} ({card.id}, {TYPES[card.type]}){option}"]
    effect = SPACES[state.seats][card.type][len(state.pawns[card.type])]
    if effect is not None and any(effect):
        parts.append(f"space {_tell_change(effect)}")
    if card.type == CELEBRITIES:
        price = state.prices[state.to_act or 0][CARD_OF[action] - FIRST_CELEBRITY]
        parts.append(f"price {max(0, price)} influence")
    if any(CHANGE_OF[action]):
        parts.append(_tell_change(CHANGE_OF[action]))
    return "; ".join(parts)


def _tell_change(what: Change | None) -> str:
    """A change in words, such as ``-$8, +2 initiative``."""
    if what is None:
        return "nothing"
    steps = [f"{steps:+d} {track}" for track, steps in zip(TRACKS, what[1:], strict=True) if steps]
    dollars = [f"{'+' if what.usd > 0 else '-'}${abs(what.usd)}"] if what.usd else []
    return ", ".join(dollars + steps)
