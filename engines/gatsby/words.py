"""Gatsby in plain English: names, endings, actions as sentences, the table as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

from engines.api import Json, Observation, State, Words
from engines.gatsby.choices import CHOICES, NUMBERS
from engines.gatsby.observation import HIDDEN
from engines.gatsby.position import Position
from engines.gatsby.tables import BONUSES, PLACES, SIDE, SITE_PLACES, SITES, TRACK_BONUSES, TRACK_START

_SEAT_NAMES = ("Dorothy", "James")
_ACTIONS = {
    "M1": "two tokens in the cabaret, side by side",
    "M2": "a token in the cabaret, then an advance",
    "M3": "an advance, then a token on a track",
    "M4": "tokens on two tracks",
    "S1": "two tokens in the cabaret",
    "S2": "a chain of three tokens in the cabaret",
    "S3": "a token in the cabaret, then a swap of tokens",
    "S4": "a token anywhere in the cabaret",
    "S5": "a token in the cabaret, an advance, a token on a track",
    "S6": "two advances",
    "S7": "an exchange of characters, an advance, a swap of tokens",
    "S8": "two tokens on one track",
    "S9": "tokens on three tracks",
    "S10": "a swap of tokens, then a token on a track",
    "S11": "a token on any cell of a track",
}
_BONUSES = {
    "X": "look at two characters and swap them or not",
    "A": "an advance",
    "I": "one more token",
    "S": "a swap of tokens",
    "F": "the choice of the other's next action",
    "D": "a draw of specials",
}
_CABARET_PLACES = {"K1": "from top to bottom", "K2": "from side to side", "K3": "for the four circles"}
_SITE_WORDS = {"cabaret": "the cabaret", "finance": "the finance centre", "racetrack": "the racetrack"}


class GatsbyWords(Words):
    """Reads what is told from observations alone, so that it tells a viewer nothing new."""

    gist: ClassVar[str] = (
        "Win over the guests of Long Island at a cabaret, a finance centre and a racetrack: "
        "three characters of one family or one of each win at once, otherwise the most prestige does."
    )
    endings: ClassVar[Mapping[str, str]] = {
        "three_of_a_family": "with three characters of one family",
        "five_families": "with a character of every family",
        **{f"{site}_empty": f"on prestige when {place} had no character left" for site, place in _SITE_WORDS.items()},
    }

    def seat_name(self, seat: int, seats: int) -> str:
        return _SEAT_NAMES[seat]

    def sentence(self, entry: str, before: Observation, after: Observation, names: Sequence[str]) -> str:
        seat, text = _read(entry)
        deed = _deed(text, before, names[1 - seat])
        followed = [*_second_token(text, before, after), *_climbs(before, after, names), *_claims(before, after, names)]
        return " ".join([f"{names[seat]} {deed}.", *followed, *self._end(after, names)])

    def asked(self, observation: Observation, names: Sequence[str]) -> str:
        if observation["to_act"] is None:
            return "The game is over."
        return f"{names[observation['to_act']]} has to choose {_wanted(observation['pending'])}."

    def offer(self, text: str, observation: Observation, names: Sequence[str]) -> str:
        deed = _deed(text, observation, names[1 - observation["to_act"]])
        return f"{deed[0].upper()}{deed[1:]}.{_bonus_there(text, observation)}"

    def mark(self, entry: str, before: Observation, after: Observation) -> str | None:
        if after["to_act"] is None:
            return "end"
        if any(after["places"][place] is None and before["places"][place] is not None for place in PLACES):
            return "claim"
        _, text = _read(entry)
        return "special" if text in _ACTIONS and text.startswith("S") else None

    def board(self, observation: Observation) -> str:
        return "\n".join([_heading(observation), *_table(observation), *(_seat(observation, seat) for seat in (0, 1))])

    def turn_order(self, state: State) -> tuple[int, ...]:
        """The starter has the first turn, though the other seat picks a special before."""
        assert isinstance(state, Position)
        return (state.deal.starter, 1 - state.deal.starter)

    def _end(self, after: Observation, names: Sequence[str]) -> list[str]:
        outcome = after["outcome"]
        if outcome is None:
            return []
        won = [names[seat] for seat in (0, 1) if outcome["ranks"][seat] == 1]
        if len(won) > 1:
            return ["The game is a draw."]
        return [f"{won[0]} has won {self.endings[outcome['ending']]}."]


# --- sentences ---


def _read(entry: str) -> tuple[int, str]:
    """The seat and the action of a line of the log; a secret one is as plain as any other to those who may read it."""
    seat, _, text = entry.removesuffix(" secret").partition(" ")
    return int(seat), text


def _deed(text: str, before: Observation, other: str) -> str:
    """What a seat does by an action, as a viewer saw it."""
    if text == HIDDEN:
        return f"looks at {_two_characters(before)} and swaps them, or not"
    if text in _ACTIONS:
        return f"{'has to take' if before['forced'] else 'chooses'} {text}: {_ACTIONS[text]}"
    kind, _, what = text.partition(":")
    if not what:
        return f"puts a token on {_cell(_filled_by(text, before), before)}"
    if kind == "x":
        return _with_characters(what, before)
    if kind == "s":
        return _with_tokens(what, before, other)
    return _OTHER_DEEDS[kind].format(what=what, action=_ACTIONS.get(what), bonus=_BONUSES.get(what), other=other)


_OTHER_DEEDS = {
    "take": "takes bonus {what}: {bonus}",
    "skip": "lets bonus {what} go: {bonus}",
    "pick": "picks special {what}: {action}",
    "keep": "keeps special {what} to use and sets the other one aside",
    "force": "decides that {other} has to take {what} next: {action}",
}


def _filled_by(text: str, before: Observation) -> str:
    """The cell that a placement fills: a track's leftmost empty one."""
    if len(text) > len("t1"):
        return text
    run = before["tracks"][int(text[1]) - 1]
    return f"{text}{run.index('.') + 1}"


def _cell(cell: str, before: Observation) -> str:
    if cell.startswith("t"):
        return f"cell {cell[2]} of track {cell[1]}"
    is_circle = before["bonuses"][int(cell[1])][int(cell[2])] == "o"
    return f"row {cell[1]}, column {cell[2]} of the cabaret{', a circle' if is_circle else ''}"


def _bonus_there(text: str, before: Observation) -> str:
    """The bonus that a placement would bring."""
    if not text.startswith(("c", "t")) or ":" in text:
        return ""
    cell = _filled_by(text, before)
    place, number = int(cell[1]), int(cell[2])
    if cell.startswith("c"):
        bonus = before["bonuses"][place][number]
    else:
        printed = TRACK_BONUSES.get(TRACK_START[place - 1] + number - 1)
        bonus = "" if printed is None else BONUSES[printed]
    return f" Bonus {bonus}: {_BONUSES[bonus]}." if bonus in _BONUSES else ""


def _place(place: str) -> str:
    if place in _CABARET_PLACES:
        return f"the cabaret ({_CABARET_PLACES[place]})"
    return f"{'floor' if place.startswith('F') else 'track'} {place[1:]}"


def _two_characters(before: Observation) -> str:
    return f"the characters of {_joined([_place(place) for place in before['pending']['chosen']])}"


def _with_characters(what: str, before: Observation) -> str:
    if what == "stay":
        return f"looks at {_two_characters(before)} and leaves them where they are"
    if what == "swap":
        return f"swaps {_two_characters(before)}"
    if before["pending"]["ask"] == "exchange_second":
        return f"exchanges it with the character of {_place(what)}"
    return f"takes up the character of {_place(what)}"


def _with_tokens(what: str, before: Observation, other: str) -> str:
    if before["pending"]["ask"] == "swap_own":
        return f"chooses the token on {_cell(what, before)} to be swapped"
    return f"swaps it for {other}'s token on {_cell(what, before)}"


# What an action brings about by itself.


def _second_token(text: str, before: Observation, after: Observation) -> list[str]:
    """The token of S8 that leaves no choice."""
    told = []
    for track, (old, new) in enumerate(zip(before["tracks"], after["tracks"], strict=True), 1):
        if new is not None and old.count(".") - new.count(".") > text.startswith(f"t{track}"):
            told.append(f"A second token goes on track {track}.")
    return told


def _climbs(before: Observation, after: Observation, names: Sequence[str]) -> list[str]:
    floors = zip(names, before["floors"], after["floors"], strict=True)
    return [f"{name} climbs to floor {new}." for name, old, new in floors if new > old]


def _claims(before: Observation, after: Observation, names: Sequence[str]) -> list[str]:
    """Who claimed what; where it lay is told if one seat took all that was claimed."""
    emptied = [place for place in PLACES if before["places"][place] is not None and after["places"][place] is None]
    winners = [seat for seat in (0, 1) if len(after["claimed"][seat]) > len(before["claimed"][seat])]
    where = f" from {_joined([_place(place) for place in emptied])}" if len(winners) == 1 else ""
    return [
        f"{names[seat]} wins {_gained(before['claimed'][seat], after['claimed'][seat])}{where}." for seat in winners
    ]


def _gained(before: Json, after: Json) -> str:
    """The characters that a hand has now and had not; the end also shows earlier ones, which then hide the new ones."""
    told: list[str] = []
    for face in ("up", "down"):
        had, has = ([entry["character"] for entry in hand if entry["face"] == face] for hand in (before, after))
        new = list((Counter(has) - Counter(had)).elements())
        if len(new) == len(has) - len(had):
            told += map(_character, new)
        else:
            told += [_character(HIDDEN)] * (len(has) - len(had))
    return _joined(told)


def _character(name: str) -> str:
    """Family and stars: `red 3`."""
    if name == HIDDEN:
        return "a face-down character"
    family = name.rstrip("0123456789ab")
    return f"{family} {name[len(family)]}"


def _joined(parts: Sequence[str]) -> str:
    return " and ".join(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _wanted(pending: Json) -> str:
    """What is to be chosen, with what it depends on."""
    asked = CHOICES[NUMBERS[pending["ask"]]].asked
    if pending["ask"] != "offer":
        return asked
    return f"whether to take bonus {pending['offers'][0]}: {_BONUSES[pending['offers'][0]]}"


# --- the table ---


def _heading(seen: Observation) -> str:
    outcome = seen["outcome"]
    if outcome:
        ranks = ", ".join(f"{_SEAT_NAMES[seat]} {outcome['ranks'][seat]}" for seat in (0, 1))
        scores = " to ".join(str(score) for score in outcome["scores"])
        return f"Over after {seen['ply']} plies: {outcome['ending']}, {scores}; ranks {ranks}"
    marker = f"marker on {seen['marker']}" if seen["marker"] else "marker still free"
    return f"Ply {seen['ply']}, {marker}: {_SEAT_NAMES[seen['to_act']]} has to choose {_wanted(seen['pending'])}"


def _table(seen: Observation) -> list[str]:
    """The cabaret on the left; characters, floors and tracks on the right."""
    right = [
        *(f"{site:10}{_characters(seen, places)}" for site, places in zip(SITES[:2], SITE_PLACES[:2], strict=True)),
        *(f"{SITES[2] if track == 0 else '':10}{_track(seen, track)}" for track in range(len(seen["tracks"]))),
    ]
    rows = zip(seen["cabaret"], seen["bonuses"], strict=True)
    left = ["  " + "".join(map(str, range(SIDE))), *(f"{n} {_run(*row)}" for n, row in enumerate(rows))]
    return [f"{a:12}{b}".rstrip() for a, b in zip(left, right, strict=True)]


def _run(tokens: str, printed: str) -> str:
    """The tokens on a run of cells, and what is printed where there is none."""
    return "".join(below if above == "." else above for above, below in zip(tokens, printed, strict=True))


def _track(seen: Observation, track: int) -> str:
    place = PLACES[SITE_PLACES[2][track]]
    tokens = seen["tracks"][track]
    run = "closed" if tokens is None else _run(tokens, _printed_on_track(track, len(tokens)))
    return f"{place} {run:6} {_at(seen, place)}"


def _printed_on_track(track: int, length: int) -> str:
    bonuses = (TRACK_BONUSES.get(TRACK_START[track] + cell) for cell in range(length))
    return "".join("." if bonus is None else BONUSES[bonus] for bonus in bonuses)


def _characters(seen: Observation, places: Sequence[int]) -> str:
    return "  ".join(f"{PLACES[place]} {_at(seen, PLACES[place])}" for place in places)


def _at(seen: Observation, place: str) -> str:
    """The character of a place; one that lies face down stands in brackets if the viewer knows it."""
    shown = seen["places"][place]
    if shown is None:
        return "-"
    return f"({seen['known'][place]})" if place in seen["known"] else str(shown)


def _seat(seen: Observation, seat: int) -> str:
    """One seat's floor, supply, specials and characters."""
    hand = [
        entry["character"] if entry["face"] == "up" or entry["character"] == HIDDEN else f"({entry['character']})"
        for entry in seen["claimed"][seat]
    ]
    return (
        f"{seat} {_SEAT_NAMES[seat]:8}floor {seen['floors'][seat]:2}  tokens {seen['supply'][seat]:2}  "
        f"special {seen['slots'][seat] or '-':3}  aside {' '.join(seen['aside'][seat]) or '-'}  "
        f"characters {' '.join(hand) or '-'}"
    )
