"""Cotton Club once more, as plainly as it can be written and without regard to speed, to check the engine against.

Tracks are real stacks of discs, clubs are lists of rows of the tables, and an action is the text that names it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[3] / "engines" / "cotton_club" / "data"
TYPES = ["improvements", "gangsters", "smuggling", "artists", "celebrities"]
ICONS = ["wine", "beer", "whisky", "dancer", "musician", "singer"]
STEPS = ["influence", "initiative", "criminality"]


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / f"{name}.csv").open(newline="") as lines:
        return list(csv.DictReader(lines))


CARDS = {row["id"]: row for name in TYPES for row in rows(name)}
TYPE_OF = {row["id"]: name for name in TYPES for row in rows(name)}
EVENTS = {row["id"]: row for row in rows("events")}
SALVATORE = "S"


def n(row: dict[str, str], column: str) -> int:
    return int(row.get(column) or 0)


class Stacks:
    """One track: for each level the discs from bottom to top."""

    def __init__(self) -> None:
        self.levels: list[list[int]] = [[] for _ in range(13)]

    def level(self, seat: int) -> int:
        return next(level for level, discs in enumerate(self.levels) if seat in discs)

    def put(self, seat: int, level: int) -> None:
        for discs in self.levels:
            if seat in discs:
                discs.remove(seat)
        self.levels[level].append(seat)

    def first_to_last(self) -> list[int]:
        return [seat for discs in reversed(self.levels) for seat in reversed(discs)]


class Reference:
    """A whole game that is asked for its choices and told them, one after the other."""

    def __init__(self, seats: int, deal: dict[str, Any]) -> None:
        self.seats, self.deal = seats, deal
        self.order = [(deal["first_seat"] + turn) % seats for turn in range(seats)]
        self.tracks = {name: Stacks() for name in STEPS}
        for turn, seat in reversed(list(enumerate(self.order))):
            self.tracks["influence"].put(seat, turn)
            self.tracks["initiative"].put(seat, 0)
            self.tracks["criminality"].put(seat, 0)
        self.money = [6 + self.order.index(seat) for seat in range(seats)]
        self.reputation = [5] * seats
        self.bonuses: list[set[int]] = [set() for _ in range(seats)]
        self.clubs: list[list[str]] = [[] for _ in range(seats)]
        self.hands = [list(hand) for hand in deal["hands"]]
        self.events = list(deal["event_pile"])
        self.piles = {name: list(deal["piles"][name]) for name in TYPES}
        self.row = {name: [self.piles[name].pop(0) for _ in range(4)] for name in TYPES}
        self.board: dict[str, list[Any]] = {}
        self.seat: int | None = None
        self.course = self.play()
        self.legal: set[str] = set()
        self.ask(None)

    def ask(self, answer: str | None) -> None:
        """Give an answer and wait for the next question."""
        try:
            self.seat, self.legal = self.course.send(answer)
        except StopIteration:
            self.seat, self.legal = None, set()

    def play(self) -> Any:
        for seat in self.order:
            hand = self.hands[seat]
            pairs = {tuple(sorted((a, b))) for i, a in enumerate(hand) for b in hand[i + 1 :]}
            first = (yield seat, {f"drop {pair[0]}" for pair in pairs})[5:]
            hand.remove(first)
            second = (yield seat, {f"drop {pair[1]}" for pair in pairs if pair[0] == first})[5:]
            hand.remove(second)
        last = False
        for number in range(1, 7):
            last = last or number == 6
            laid = yield from self.lay_events(number)
            yield from self.actions(number)
            for event in laid:
                self.resolve(EVENTS[event])
            last_before = last
            last = self.upkeep(last) or last
            if last_before:
                break
        for seat in reversed(self.order):
            politicians = sum(n(CARDS[one], "politician") for one in self.clubs[seat])
            most = min(politicians, self.money[seat] // 3)
            if most:
                used = int((yield seat, {f"bribe {count}" for count in range(most + 1)})[6:])
                self.money[seat] -= 3 * used
                self.step("criminality", seat, -used)

    def lay_events(self, number: int) -> Any:
        if number == 1:
            return []
        laid = [self.events.pop(0)]
        for seat in self.order:
            if self.hands[seat]:
                answer = yield seat, {"pass", *(f"add {event}" for event in self.hands[seat])}
                if answer != "pass":
                    self.hands[seat].remove(answer[4:])
                    laid.append(answer[4:])
        return laid

    def actions(self, number: int) -> Any:
        self.board = {name: [] for name in [*TYPES, "tip-off", "loan"]}
        if self.seats == 2:
            starts = ["tip-off", "improvements", "gangsters", "smuggling", "artists", "celebrities"]
            self.board[starts[number - 1]].append(SALVATORE)
            turns = [(0, ""), (1, ""), (1, SALVATORE), (0, ""), (0, SALVATORE), (1, ""), (0, ""), (1, "")]
        else:
            turns = [(turn, "") for _ in range(3) for turn in range(self.seats)]
        for turn, whose in turns:
            seat = self.order[turn]
            if whose:
                free = [name for name in self.board if name == "loan" or self.effect(name) is not None]
                answer = yield seat, {f"salvatore {name}" for name in free}
                self.board[answer[10:]].append(SALVATORE)
            else:
                self.place(seat, (yield seat, self.placements(seat, also_tip_off=True)))
        for owner in list(self.board["tip-off"]):
            if owner != SALVATORE:
                self.place(owner, (yield owner, self.placements(owner, also_tip_off=False)))

    def effect(self, name: str) -> dict[str, str] | None:
        """The effect of the uppermost free space."""
        side = "4" if self.seats == 4 else "2-3"
        wanted = "0" if name == "loan" else str(len(self.board[name]) + 1)
        found = [r for r in rows_of_the_board if (r["side"], r["action"], r["space"]) == (side, name, wanted)]
        return found[0] if found else None

    def placements(self, seat: int, *, also_tip_off: bool) -> set[str]:
        """Try every placement on a copy of the purse."""
        found = {"loan"}
        if also_tip_off and self.effect("tip-off") is not None:
            found.add("tip-off")
        for name in TYPES:
            effect = self.effect(name)
            if effect is None:
                continue
            money, influence = (
                self.money[seat] + n(effect, "usd"),
                self.level("influence", seat) + n(effect, "influence"),
            )
            if money < 0 or influence < 0:
                continue
            reached = self.level("initiative", seat) + n(effect, "initiative")
            money += 1 if reached >= 4 and 4 not in self.bonuses[seat] and n(effect, "initiative") else 0
            influence += 1 if reached >= 6 and 6 not in self.bonuses[seat] and n(effect, "initiative") else 0
            money, influence = min(money, 30), min(influence, 12)
            for one in self.row[name]:
                found |= {f"take {one}{letter}" for letter in self.options(seat, one, money, influence)}
        return found

    def options(self, seat: int, one: str, money: int, influence: int) -> Iterator[str]:
        card = CARDS[one]
        if TYPE_OF[one] == "improvements":
            has_b = card["B_usd"] != ""
            for letter in "AB" if has_b else "A":
                if money + n(card, f"{letter}_usd") >= 0 and influence + n(card, f"{letter}_influence") >= 0:
                    yield f" {letter}" if has_b else ""
        elif TYPE_OF[one] == "celebrities":
            if self.price(seat, card) <= influence:
                yield ""
        elif n(card, "cost_usd") <= money and n(card, "weapons_required") <= self.weapons(seat):
            yield ""

    def price(self, seat: int, card: dict[str, str]) -> int:
        icons = {icon: self.count(seat, icon) for icon in ICONS}
        return max(0, n(card, "cost_influence") - sum(icons[icon] * n(card, f"pref_{icon}") for icon in ICONS))

    def count(self, seat: int, column: str) -> int:
        return sum(n(CARDS[one], column) for one in self.clubs[seat])

    def weapons(self, seat: int) -> int:
        return self.count(seat, "weapons")

    def level(self, track: str, seat: int) -> int:
        return self.tracks[track].level(seat)

    def step(self, track: str, seat: int, steps: int) -> None:
        """Walk step by step; what can't be walked is reputation; only then put the disc down."""
        start = level = self.level(track, seat)
        sign = 1 if steps > 0 else -1
        for _ in range(abs(steps)):
            if 0 <= level + sign <= 12:
                level += sign
            else:
                self.reputation[seat] += -sign if track == "criminality" else sign
        if level != start:
            self.tracks[track].put(seat, level)

    def change(self, seat: int, usd: int, influence: int, initiative: int, criminality: int) -> None:
        self.money[seat] = min(30, self.money[seat] + usd)
        self.step("influence", seat, influence)
        self.step("initiative", seat, initiative)
        for bonus in (4, 6, 8):
            if self.level("initiative", seat) >= bonus and bonus not in self.bonuses[seat]:
                self.bonuses[seat].add(bonus)
                if bonus == 4:
                    self.money[seat] = min(30, self.money[seat] + 1)
                elif bonus == 6:
                    self.step("influence", seat, 1)
                else:
                    self.reputation[seat] += 1
        self.step("criminality", seat, criminality)

    def place(self, seat: int, answer: str) -> None:
        words = answer.split()
        name = TYPE_OF[words[1]] if words[0] == "take" else words[0]
        effect = self.effect(name)
        assert effect is not None
        self.board[name].append(seat)
        self.change(seat, *(n(effect, column) for column in ("usd", *STEPS)))
        if words[0] == "take":
            self.take(seat, words[1], words[2] if len(words) > 2 else "A")

    def take(self, seat: int, one: str, letter: str) -> None:
        card = CARDS[one]
        self.row[TYPE_OF[one]].remove(one)
        if TYPE_OF[one] == "improvements":
            self.change(seat, *(n(card, f"{letter}_{column}") for column in ("usd", *STEPS)))
        else:
            self.step("influence", seat, -self.price(seat, card) if TYPE_OF[one] == "celebrities" else 0)
            self.change(seat, -n(card, "cost_usd"), *(n(card, f"d_{track}") for track in STEPS))
        self.clubs[seat].append(one)

    def resolve(self, event: dict[str, str]) -> None:
        name = event["name"]
        criminality = [self.level("criminality", seat) for seat in range(self.seats)]
        weapons = [self.weapons(seat) for seat in range(self.seats)]
        kinds = {"Harlem Fever": "A", "Last Drink": "S", "Glamour Night": "C", "Cosa Nostra": "G"}
        cards = [sum(one[0] == kinds.get(name, "?") for one in self.clubs[seat]) for seat in range(self.seats)]
        for seat in self.order:
            icons = self.count(seat, event["measure"]) if event["measure"] in ICONS else 0
            is_first = max(criminality) > min(criminality) and criminality[seat] == max(criminality)
            is_last = max(criminality) > min(criminality) and criminality[seat] == min(criminality)
            if name in ("Secret Stash", "Jazz Time!"):
                self.reputation[seat] += icons
            elif name in ("Prohibition", "Live Music!"):
                self.money[seat] = min(30, self.money[seat] + 2 * icons)
            elif name == "Second Amendment":
                self.money[seat] = min(30, self.money[seat] + 2 * weapons[seat])
            elif name == "Cosa Nostra":
                self.money[seat] = min(30, self.money[seat] + (5 if cards[seat] == max(cards) > 0 else 0))
            elif name in kinds:
                self.reputation[seat] += 3 if cards[seat] == max(cards) > 0 else 0
            elif name == "More Raids!":
                self.reputation[seat] += 2 * is_last - 2 * is_first
            elif name == "Police Tribute":
                self.step("influence", seat, 2 * is_last - 2 * is_first)
            elif name == "Mob Shooting" and max(weapons) > min(weapons):
                self.reputation[seat] += 2 * (weapons[seat] == max(weapons)) - (weapons[seat] == min(weapons))
            elif name == "Night Theft":
                owed = max(0, 8 - 2 * weapons[seat])
                lacking = max(0, owed - self.money[seat])
                self.money[seat] = max(0, self.money[seat] - owed)
                self.reputation[seat] -= lacking // 2

    def upkeep(self, is_last: bool) -> bool:
        """Income and turn order, then filling unless it was the last round; True if a gap stays."""
        for seat in range(self.seats):
            self.money[seat] = min(30, self.money[seat] + self.count(seat, "income") + len(self.events))
        self.order = self.tracks["initiative"].first_to_last()
        if is_last:
            return False
        gap = False
        for name in TYPES:
            for _ in range(self.board[name].count(SALVATORE)):
                self.row[name] = self.row[name][1:]
            while len(self.row[name]) < 4 and self.piles[name]:
                self.row[name].append(self.piles[name].pop(0))
            gap = gap or len(self.row[name]) < 4
        return gap

    def scores(self) -> list[int]:
        totals = []
        criminals = self.tracks["criminality"].first_to_last()
        for seat in range(self.seats):
            total = self.reputation[seat] + self.count(seat, "end_reputation") + self.money[seat] // 5
            total += 3 if self.tracks["influence"].first_to_last()[0] == seat else 0
            total += 2 if self.tracks["initiative"].first_to_last()[0] == seat else 0
            if self.seats == 2:
                total -= 3 if criminals[0] == seat else 0
            else:
                total -= 5 if criminals[0] == seat else 3 if criminals[1] == seat else 0
            totals.append(total)
        return totals


rows_of_the_board = rows("spaces")
