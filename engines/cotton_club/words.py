"""1923 Cotton Club in plain English: endings, actions as sentences, the table as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import sub
from typing import ClassVar

from engines.api import Json, Observation, State, Words
from engines.cotton_club.actions import (
    CARD_OF,
    CHANGE_OF,
    FIRST_ADD,
    FIRST_BRIBE,
    FIRST_DROP,
    FIRST_SALVATORE,
    INTS,
    LOAN_ACTION,
    OPTION_OF,
    PASS,
    TIP_OFF_ACTION,
)
from engines.cotton_club.choices import CHOICE_OF_NAME
from engines.cotton_club.placing import LOANS, SPACES
from engines.cotton_club.position import Position
from engines.cotton_club.tables import (
    CARD_NUMBERS,
    CARDS,
    CELEBRITIES,
    DISCOUNTS,
    EVENT_NUMBERS,
    EVENTS,
    FIRST_CELEBRITY,
    NUMBERS,
    PLACES,
    PRICES,
    SALVATORE,
    TRACKS,
    TYPES,
    Change,
)

_HIDDEN = {"drop ?": "drops an event", "add ?": "adds an event to the row, face down"}
_SINGULAR = dict(zip(TYPES, ("improvement", "gangster", "smuggling", "artist", "celebrity"), strict=True))


class CottonClubWords(Words):
    """Reads what is told from observations alone, so that it tells a viewer nothing new."""

    gist: ClassVar[str] = (
        "Run a club through Prohibition: six rounds of three pawns each, and the club with the most reputation wins."
    )
    endings: ClassVar[Mapping[str, str]] = {
        "six_rounds": "on reputation after six rounds",
        "empty_pile": "on reputation when a pile ran out",
    }

    def sentence(self, entry: str, before: Observation, after: Observation, names: Sequence[str]) -> str:
        seat, _, text = entry.partition(" ")
        done = _HIDDEN.get(text) or _deed(INTS[text], int(seat), before)
        return " ".join([f"{names[int(seat)]} {done}.", *_what_followed(before, after)])

    def asked(self, observation: Observation, names: Sequence[str]) -> str:
        if observation["to_act"] is None:
            return "The game is over."
        return f"{names[observation['to_act']]} has to choose {CHOICE_OF_NAME[observation['pending']].asked}."

    def offer(self, text: str, observation: Observation, names: Sequence[str]) -> str:
        deed = _deed(INTS[text], observation["to_act"], observation)
        return f"{deed[0].upper()}{deed[1:]}."

    def mark(self, entry: str, before: Observation, after: Observation) -> str | None:
        if after["phase"] == "over":
            return "end"
        if len(after["used_events"]) > len(before["used_events"]):
            return "events"
        _, _, text = entry.partition(" ")
        return "celebrity" if FIRST_CELEBRITY <= INTS.get(text, 0) < len(CARDS) else None

    def board(self, observation: Observation) -> str:
        return "\n".join(
            (
                _heading(observation),
                *_tracks(observation),
                *_places(observation),
                *_clubs(observation),
                *_events(observation),
            )
        )

    def turn_order(self, state: State) -> tuple[int, ...]:
        assert isinstance(state, Position)
        return tuple((state.deal.first_seat + turn) % state.seats for turn in range(state.seats))


# --- sentences ---


def _deed(action: int, seat: int, before: Observation) -> str:
    """What a seat does by an action that the viewer saw."""
    if action < LOAN_ACTION:
        return _take(action, seat, before)
    if action == LOAN_ACTION:
        return f"takes a loan ({_change(LOANS[before['seats']])})"
    if action == TIP_OFF_ACTION:
        return "puts a pawn on tip-off, which will move later"
    if action == PASS:
        return "adds no event"
    if action < FIRST_BRIBE:
        return f"puts Salvatore on {PLACES[action - FIRST_SALVATORE]}"
    if action < FIRST_DROP:
        return _bribe(action - FIRST_BRIBE)
    if action < FIRST_ADD:
        return f"drops {_event(EVENTS[action - FIRST_DROP].id)}"
    return f"adds {_event(EVENTS[action - FIRST_ADD].id)} to the row, face down"


def _take(action: int, seat: int, before: Observation) -> str:
    """The card, what its space gives or costs, and what the card does."""
    card = CARDS[CARD_OF[action]]
    option = f" with option {OPTION_OF[action]}" if OPTION_OF[action] else ""
    parts = [f"takes {card.name} ({card.id}, {_SINGULAR[TYPES[card.type]]}){option}"]
    pawns = sum(pawn is not None for pawn in before["board"][TYPES[card.type]])
    effect = SPACES[before["seats"]][card.type][pawns]
    if effect is not None and any(effect):
        parts.append(f"space {_change(effect)}")
    if card.type == CELEBRITIES:
        parts.append(f"price {_price(CARD_OF[action], before['clubs'][seat])} influence")
    if any(CHANGE_OF[action]):
        parts.append(_change(CHANGE_OF[action]))
    return "; ".join(parts)


def _price(card: int, club: Json) -> int:
    """What a celebrity costs a club in influence (CC 5.4)."""
    prices = PRICES
    for owned in club["cards"]:
        prices = tuple(map(sub, prices, DISCOUNTS[CARD_NUMBERS[owned]]))
    return max(0, prices[card - FIRST_CELEBRITY])


def _bribe(used: int) -> str:
    if not used:
        return "bribes no politician"
    whom = "a politician" if used == 1 else f"{used} politicians"
    return f"bribes {whom} ({_change(Change(usd=-used * NUMBERS['bribe_usd'], criminality=-used))})"


def _change(what: Change) -> str:
    """A change in words, such as ``-$8, +2 initiative``."""
    steps = [f"{steps:+d} {track}" for track, steps in zip(TRACKS, what[1:], strict=True) if steps]
    dollars = [f"{'+' if what.usd > 0 else '-'}${abs(what.usd)}"] if what.usd else []
    return ", ".join(dollars + steps)


def _event(name: str) -> str:
    event = EVENTS[EVENT_NUMBERS[name]]
    return f"{event.name} ({event.id}, {event.measure})"


def _what_followed(before: Observation, after: Observation) -> list[str]:
    """What happened by itself afterwards: events, a new round, the end."""
    told = []
    resolved = after["used_events"][len(before["used_events"]) :]
    if resolved:
        told.append(f"Events: {', '.join(_event(entry['event']) for entry in resolved)}.")
    if after["phase"] == "over":
        told.append("The game is over.")
    elif after["round"] > before["round"]:
        told.append(f"Round {after['round']} begins{', the last' if after['last_round'] else ''}.")
    return told


# --- the table ---


def _heading(seen: Observation) -> str:
    if seen["outcome"] is not None:
        totals = "  ".join(f"{seat}: {score['total']} rep" for seat, score in enumerate(seen["scoring"]))
        return f"Over ({seen['outcome']['ending']})   {totals}   ranks {' '.join(map(str, seen['outcome']['ranks']))}"
    last = ", the last" if seen["last_round"] else ""
    order = " ".join(map(str, seen["turn_order"]))
    when = f"Round {seen['round']}{last}" if seen["round"] else "Setup"
    return f"{when}   order {order}   seat {seen['to_act']} to {seen['pending'].replace('_', ' ')}"


def _tracks(seen: Observation) -> list[str]:
    """Each track from first to last, as seat:level."""
    return [
        f"  {name:12}" + "  ".join(f"{seat}:{track['levels'][seat]}" for seat in track["order"])
        for name, track in seen["tracks"].items()
    ]


def _places(seen: Observation) -> list[str]:
    lines = []
    for place, pawns in seen["board"].items():
        spaces = "".join("." if pawn is None else "S" if pawn == SALVATORE else str(pawn) for pawn in pawns)
        cards = " ".join(seen["rows"].get(place, ()))
        left = f"(+{seen['piles'][place]})" if place in seen["piles"] else ""
        lines.append(f"  {place:12} [{spaces}] {cards} {left}".rstrip())
    return lines


def _clubs(seen: Observation) -> list[str]:
    return [
        f"Seat {seat}: ${club['money']} {club['reputation']} rep {club['weapons']} weapons, {_icons(club)}; "
        f"cards {_cards(club)}; events {_hand(club, seen['hands'][seat])}"
        for seat, club in enumerate(seen["clubs"])
    ]


def _icons(club: Json) -> str:
    return " ".join(f"{number} {icon}" for icon, number in club["icons"].items() if number) or "no icons"


def _cards(club: Json) -> str:
    return " ".join(card + club["options"].get(card, "").lower() for card in club["cards"]) or "-"


def _hand(club: Json, hand: Sequence[str] | None) -> str:
    """The events in hand, or as many question marks where the viewer doesn't know them."""
    return " ".join(hand if hand is not None else "?" * club["events"]) or "-"


def _events(seen: Observation) -> list[str]:
    """The row of this round and the events resolved last, by name."""
    lines = []
    if seen["event_row"]:
        row = [f"{'pile' if e['by'] is None else e['by']}:{e['event'] or '?'}" for e in seen["event_row"]]
        lines.append(f"Event row: {' '.join(row)}")
    if seen["used_events"]:
        last = seen["used_events"][-1]["round"]
        names = [_event(entry["event"]) for entry in seen["used_events"] if entry["round"] == last]
        lines.append(f"Resolved in round {last}: {', '.join(names)}")
    return lines
