"""What a seat may know, and what every seat may know (CC 10)."""

from __future__ import annotations

from dataclasses import asdict

from engines.api import Json, Observation, check_viewer
from engines.cotton_club.actions import CARD_OF, FIRST_ADD, OPTION_OF, TEXTS, is_secret
from engines.cotton_club.choices import CHOICES
from engines.cotton_club.clubs import count, end_reputation, income, politicians
from engines.cotton_club.deal import undealt_events
from engines.cotton_club.position import (
    ADD,
    CRIMINALITY,
    DROP,
    INFLUENCE,
    INITIATIVE,
    MOVE_TIP_OFF,
    OVER,
    PLACE,
    PLACE_SALVATORE,
    Position,
)
from engines.cotton_club.scoring import count_outcome, count_scores
from engines.cotton_club.tables import (
    BONUSES,
    CARDS,
    EVENTS,
    ICONS,
    LOAN,
    NUMBERS,
    PLACES,
    SALVATORE,
    SCHEDULES,
    SIDES,
    TIP_OFF,
    TRACKS,
    TYPES,
)
from engines.cotton_club.tracks import order_on
from engines.log import entries

_CARD_IDS = tuple(card.id for card in CARDS)
_EVENT_IDS = tuple(event.id for event in EVENTS)
_ANYBODY = -1  # a viewer that knows only what every seat knows


def observe(state: Position, seat: Json) -> Observation:
    """Everything the seat may know as JSON values; None sees all but the seed."""
    check_viewer(seat, state.seats)
    return _view(state, seat)


def observe_public(state: Position) -> Observation:
    """What every seat may know: no event in a hand or in the row, whoever looked at it."""
    return {**_view(state, _ANYBODY), "seat": None}


def _view(state: Position, viewer: int | None) -> Observation:
    is_over = state.choice == OVER
    return {
        "game": state.game.name,
        "rules_version": state.game.rules_version,
        "seat": viewer,
        "seats": state.seats,
        "options": {},
        "phase": CHOICES[state.choice].phase,
        "pending": None if is_over else CHOICES[state.choice].name,
        "to_act": state.to_act,
        "ply": state.ply,
        "outcome": count_outcome(state).as_json() if is_over else None,
        "log": _log(state, viewer),
        "round": state.round,
        "last_round": state.last_round,
        "turn_order": list(state.turn_order),
        "tracks": _tracks(state),
        "clubs": [_club(state, owner) for owner in range(state.seats)],
        "board": _board(state),
        "rows": _by_type(state.rows),
        "shown": _by_type([pile[:shown] for pile, shown in zip(state.deal.piles, state.shown, strict=True)]),
        "piles": {
            name: len(pile) - shown for name, pile, shown in zip(TYPES, state.deal.piles, state.shown, strict=True)
        },
        "discarded": [_CARD_IDS[card] for card in state.discarded],
        "event_pile": state.event_pile,
        "event_row": _event_row(state, viewer),
        "used_events": [{"round": r, "by": by, "event": _EVENT_IDS[event]} for r, by, event in state.used_events],
        "hands": [_events_of(hand, viewer, owner) for owner, hand in enumerate(state.hands)],
        "dropped": [_events_of(dropped, viewer, owner) for owner, dropped in enumerate(state.dropped)],
        "hidden": _hidden(state) if viewer is None else None,
        "scoring": _scoring(state) if is_over else None,
    }


def _by_type(cards: list[tuple[int, ...]]) -> dict[str, list[str]]:
    return {name: [_CARD_IDS[card] for card in some] for name, some in zip(TYPES, cards, strict=True)}


def _log(state: Position, viewer: int | None) -> list[str]:
    return [
        f"{actor} {TEXTS[action]}"
        if viewer is None or actor == viewer or not is_secret(action)
        else f"{actor} {'add' if action >= FIRST_ADD else 'drop'} ?"
        for actor, action in entries(state.log)
    ]


def _tracks(state: Position) -> dict[str, Json]:
    return {
        name: {"levels": state.levels[track : track + state.seats], "order": order_on(state, track)}
        for name, track in zip(TRACKS, (INFLUENCE, INITIATIVE, CRIMINALITY), strict=True)
    }


def _club(state: Position, owner: int) -> dict[str, Json]:
    taken = state.clubs[owner]
    return {
        "money": state.money[owner],
        "reputation": state.reputation[owner],
        "cards": [_CARD_IDS[CARD_OF[action]] for action in taken],
        "options": {_CARD_IDS[CARD_OF[action]]: OPTION_OF[action] for action in taken if OPTION_OF[action]},
        "weapons": state.weapons[owner],
        "income": income(state, owner),
        "icons": {icon: count(state, owner, icon) for icon in ICONS},
        "politicians": politicians(state, owner),
        "end_reputation": end_reputation(state, owner),
        "bonuses": [bonus.level for bonus in BONUSES[: state.bonuses[owner]]],
        "events": len(state.hands[owner]),
        "tipped_off": bool(state.tipped_off >> owner & 1),
        "pawns": _pawns_left(state, owner, of_salvatore=False),
        "salvatore_pawns": _pawns_left(state, owner, of_salvatore=True),
    }


def _pawns_left(state: Position, owner: int, *, of_salvatore: bool) -> int:
    """Pawns the owner has still to place this round: all before phase 2, none after it."""
    if state.choice in (DROP, ADD):
        step = 0
    elif state.choice in (PLACE, PLACE_SALVATORE):
        step = state.step
    else:
        return 0
    turn = state.turn_order.index(owner)
    return SCHEDULES[state.seats][step:].count((turn, of_salvatore))


def _board(state: Position) -> dict[str, list[int | None]]:
    board: dict[str, list[int | None]] = {}
    for place, spaces in enumerate(SIDES[state.seats]):
        pawns: list[int | None] = list(state.pawns[place])
        if place == TIP_OFF and state.choice == MOVE_TIP_OFF:  # CC 5.7: freed spaces stay unused
            pawns = [pawn if at >= state.step or pawn == SALVATORE else None for at, pawn in enumerate(pawns)]
        free = 0 if place == LOAN else len(spaces) - len(pawns)
        board[PLACES[place]] = pawns + [None] * free
    return board


def _event_row(state: Position, viewer: int | None) -> list[Json]:
    """The row as a seat knows it: its own event, or all after a tip-off (CC 10)."""
    knows_all = viewer is None or (viewer != _ANYBODY and bool(state.tipped_off >> viewer & 1))
    return [
        {"by": by, "event": _EVENT_IDS[event] if knows_all or (by is not None and by == viewer) else None}
        for by, event in state.event_row
    ]


def _events_of(events: tuple[int, ...], viewer: int | None, owner: int) -> list[str] | None:
    return [_EVENT_IDS[event] for event in events] if viewer is None or viewer == owner else None


def _hidden(state: Position) -> dict[str, Json]:
    left = NUMBERS["event_pile"] - state.event_pile
    return {
        "piles": _by_type([pile[shown:] for pile, shown in zip(state.deal.piles, state.shown, strict=True)]),
        "event_pile": [_EVENT_IDS[event] for event in state.deal.event_pile[left:]],
        "undealt": [_EVENT_IDS[event] for event in undealt_events(state.deal)],
    }


def _scoring(state: Position) -> list[Json]:
    return [{**asdict(score), "total": score.total} for score in count_scores(state)]
