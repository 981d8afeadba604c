"""Gatsby once more, as plainly as it can be written and without regard to speed, to check the engine against.

Cells, tracks, places, characters and actions are their names, sets are sets, and a turn is a generator that asks for
one choice after the other. The numbers in comments are the clauses of RULES.md.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

Asking = Generator[tuple[int, set[str]], str, None]  # yields who chooses among what, gets the choice

FAMILIES = ("blue", "red", "green", "yellow", "purple")  # 1.1
SPECIALS = [f"S{n}" for n in range(1, 12)]  # 1.3
MAINS = ["M1", "M2", "M3", "M4"]

CABARET = [f"c{row}{column}" for row in range(6) for column in range(6)]
CIRCLES = {"c11", "c14", "c41", "c44"}
TILES = {  # 2.1
    "T1": ["..S", ".o.", ".A."],
    "T2": ["..I", ".o.", ".X."],
    "T3": ["..F", ".o.", ".I."],
    "T4": ["..D", ".o.", ".X."],
}
LENGTHS = {"t1": 5, "t2": 5, "t3": 5, "t4": 3, "t5": 3}  # 2.5
TRACK_BONUSES = {"t13": "X", "t15": "F", "t23": "I", "t25": "S", "t33": "A", "t35": "D", "t43": "X", "t53": "I"}
OPEN_FLOORS = {7: "X", 12: "I"}  # 2.3
COVERED_FLOORS = {5: "S", 10: "D", 15: "F"}
SITES = {
    "cabaret_empty": ["K1", "K2", "K3"],
    "finance_empty": ["F5", "F10", "F15", "F20"],
    "racetrack_empty": ["R1", "R2", "R3", "R4", "R5"],
}
PLACES = [place for places in SITES.values() for place in places]
FACE_UP = {"K1", "K2", "F5", "F20", "R1", "R5"}
STEPS = {
    # 4.2
    "M1": ["cabaret", "beside the last"],
    "M2": ["cabaret", "advance"],
    "M3": ["advance", "track"],
    "M4": ["track", "track"],
    # 4.6
    "S1": ["cabaret", "cabaret"],
    "S2": ["cabaret", "beside the last", "beside the last"],
    "S3": ["cabaret", "swap tokens"],
    "S4": ["cabaret anywhere"],
    "S5": ["cabaret", "advance", "track"],
    "S6": ["advance", "advance"],
    "S7": ["exchange characters", "advance", "swap tokens"],
    "S8": ["track", "same track"],
    "S9": ["track", "track", "track"],
    "S10": ["swap tokens", "track"],
    "S11": ["track anywhere"],
}


def family(character: str) -> str:
    return character.rstrip("0123456789ab")


def stars(character: str) -> int:
    return int(character[len(family(character))])


def cells_of(track: str) -> list[str]:
    return [f"{track}{n}" for n in range(1, LENGTHS[track] + 1)]


def neighbours(cell: str) -> set[str]:
    """The cabaret cells that share a side with this one."""
    row, column = int(cell[1]), int(cell[2])
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return {f"c{r}{c}" for r, c in around if 0 <= r <= 5 and 0 <= c <= 5}


def printed_on(tiles: list[list[Any]]) -> dict[str, str]:
    """The letter of each cell: the tiles on their quadrants, turned k times by (r,c)->(c,2-r) (2.1)."""
    letters = dict(TRACK_BONUSES)
    for (top, left), (name, turns) in zip([(0, 0), (0, 3), (3, 0), (3, 3)], tiles, strict=True):
        for row in range(3):
            for column in range(3):
                r, c = row, column
                for _ in range(turns):
                    r, c = c, 2 - r
                letters[f"c{top + r}{left + c}"] = TILES[name][row][column]
    return letters


class Reference:
    """A whole game that is asked for its choices and told them, one after the other."""

    def __init__(self, deal: Mapping[str, Any]) -> None:
        """Begin with what chance has dealt, read off a view that sees everything before the first choice."""
        self.starter: int = deal["starter"]
        self.printed = printed_on(deal["tiles"])
        self.at: dict[str, str] = {p: c if c != "?" else deal["known"][p] for p, c in deal["places"].items()}
        self.face_up = {self.at[place] for place in FACE_UP}  # the face moves with the character (5.2)
        self.pile: list[str] = list(deal["deck"])
        self.drawn: list[str] = list(deal["pending"]["drawn"])
        self.tokens: dict[str, int] = {}  # whose token lies on a cell
        self.floors = [0, 0]
        self.closed: set[str] = set()
        self.marker: str | None = None
        self.slots: list[str | None] = [None, None]
        self.aside: list[list[str]] = [[], []]
        self.left_out: list[list[str]] = [[], []]
        self.used: list[str] = []
        self.hands: list[list[str]] = [[], []]
        self.known: list[dict[str, str]] = [{}, {}]  # face-down characters on the board, by place, that a seat has seen
        self.seen: set[str] = set()  # face-down characters in a hand that the other seat knows
        self.forced: str | None = None
        self.force_taken = False
        self.ending: str | None = None
        self.scores: list[int] = []
        self.ranks: list[int] = []
        self.log: list[tuple[int, str, bool]] = []  # seat, action, is it secret
        self.seat: int | None = None
        self.legal: set[str] = set()
        self.course = self.play()
        self.seat, self.legal = next(self.course)

    def choose(self, text: str) -> None:
        """Give the seat's answer and wait for the next question."""
        assert self.seat is not None
        assert text in self.legal
        self.log.append((self.seat, text, False))
        try:
            self.seat, self.legal = self.course.send(text)
        except StopIteration:
            self.seat, self.legal = None, set()

    # the course of a game

    def play(self) -> Asking:
        yield from self.set_up()
        mover = self.starter
        while True:
            self.force_taken = False
            action = yield mover, {self.forced} if self.forced else self.choosable(mover)
            self.forced = None
            yield from self.carry_out(mover, action)
            self.claim_all(mover)
            self.look_for_the_end(mover)
            if self.ending:
                return
            if self.force_taken:  # 5.6: after this turn's claims, not if the game ended
                answer = yield mover, {f"force:{one}" for one in self.choosable(1 - mover)}
                self.forced = answer.removeprefix("force:")
            mover = 1 - mover

    def set_up(self) -> Asking:
        second = 1 - self.starter  # 3.3
        answer = yield second, {f"pick:{one}" for one in self.drawn}
        self.slots[second] = answer.removeprefix("pick:")
        self.leave_out(second, answer.removeprefix("pick:"))
        cell = yield second, set(CIRCLES)
        self.tokens[cell] = second

    def choosable(self, seat: int) -> set[str]:
        """4.1: not the action just used; 4.3: at least one step can be done now."""
        tiles = [main for main in MAINS if main != self.marker] + [one for one in [self.slots[seat]] if one]
        return {one for one in tiles if any(self.can_begin_with(step, seat) for step in STEPS[one])}

    def can_begin_with(self, step: str, seat: int) -> bool:
        if step == "cabaret":
            return bool(self.supply(seat) and self.beside_any_token())
        if step == "cabaret anywhere":
            return bool(self.supply(seat) and self.empty_in_cabaret())
        if step in ("track", "track anywhere"):
            return bool(self.supply(seat) and self.open_tracks())
        if step == "advance":
            return self.floors[seat] < 20
        if step == "swap tokens":
            return self.can_swap_tokens()
        if step == "exchange characters":
            return len(self.at) >= 2
        return False  # it leans on a step before

    def carry_out(self, mover: int, action: str) -> Asking:
        self.marker = action
        if action in SPECIALS:  # 4.4
            self.slots[mover] = None
            self.used.append(action)
        own: list[str] = []  # 4.7: cells filled by the own steps
        for step in STEPS[action]:
            yield from self.do(step, mover, own)

    def do(self, step: str, mover: int, own: list[str]) -> Asking:
        """One step, as far as possible (4.3)."""
        if step == "advance":
            yield from self.advance(mover)
        elif step == "swap tokens":
            yield from self.swap_tokens(mover)
        elif step == "exchange characters":
            yield from self.exchange_characters(mover)
        elif step == "same track":
            yield from self.put_on_same_track(mover, own)
        elif self.supply(mover) and self.targets(step, own):  # 4.5
            cell = self.cell_of((yield mover, self.targets(step, own)))
            own.append(cell)
            yield from self.put(mover, cell)

    def targets(self, step: str, own: list[str]) -> set[str]:
        """Where the token of a step may go."""
        if step == "cabaret":
            return self.beside_any_token()
        if step == "beside the last":
            return neighbours(own[-1]) - set(self.tokens) if own else set()
        if step == "cabaret anywhere":
            return self.empty_in_cabaret()
        if step == "track":
            return self.open_tracks() - {cell[:2] for cell in own}
        assert step == "track anywhere"
        return {cell for track in self.open_tracks() for cell in cells_of(track) if cell not in self.tokens}

    def put_on_same_track(self, mover: int, own: list[str]) -> Asking:
        """The second token of S8."""
        if own and own[0][:2] in self.open_tracks() and self.supply(mover):
            yield from self.put(mover, self.cell_of(own[0][:2]))

    # tokens

    def supply(self, seat: int) -> int:
        return 20 - list(self.tokens.values()).count(seat)  # 1.2

    def empty_in_cabaret(self) -> set[str]:
        return set(CABARET) - set(self.tokens)

    def beside_any_token(self) -> set[str]:
        return {cell for cell in self.empty_in_cabaret() if neighbours(cell) & set(self.tokens)}  # 2.2

    def is_full(self, track: str) -> bool:
        return all(cell in self.tokens for cell in cells_of(track))

    def open_tracks(self) -> set[str]:
        return {track for track in LENGTHS if track not in self.closed and not self.is_full(track)}

    def cell_of(self, target: str) -> str:
        """A track means its leftmost empty cell (2.5)."""
        if target not in LENGTHS:
            return target
        return next(cell for cell in cells_of(target) if cell not in self.tokens)

    def put(self, seat: int, cell: str) -> Asking:
        self.tokens[cell] = seat
        if self.printed.get(cell, ".") not in ".o":
            yield from self.offer(seat, self.printed[cell])

    def can_swap_tokens(self) -> bool:
        return {0, 1} == set(self.tokens.values())

    def swap_tokens(self, mover: int) -> Asking:
        if self.can_swap_tokens():  # 5.5; compulsory in specials (4.6)
            mine = (yield mover, {f"s:{cell}" for cell, owner in self.tokens.items() if owner == mover})[2:]
            yours = (yield mover, {f"s:{cell}" for cell, owner in self.tokens.items() if owner != mover})[2:]
            self.tokens[mine], self.tokens[yours] = self.tokens[yours], self.tokens[mine]

    # floors

    def advance(self, mover: int) -> Asking:
        start = self.floors[mover]
        floors = 2 if start < self.floors[1 - mover] else 1  # 2.4
        self.floors[mover] = min(20, start + floors)
        for floor in range(start + 1, self.floors[mover] + 1):  # 5.1: the advance finishes first, lower floors first
            if floor in OPEN_FLOORS:
                yield from self.offer(mover, OPEN_FLOORS[floor])
            elif floor in COVERED_FLOORS and f"F{floor}" not in self.at:  # 2.3
                yield from self.offer(mover, COVERED_FLOORS[floor])

    # bonuses

    def offer(self, mover: int, bonus: str) -> Asking:
        if not self.is_useful(mover, bonus):
            return
        if (yield mover, {f"take:{bonus}", f"skip:{bonus}"}) == f"skip:{bonus}":
            return
        if bonus == "X":
            yield from self.look_at_characters(mover)
        elif bonus == "A":
            yield from self.advance(mover)
        elif bonus == "I":
            yield from self.put(mover, self.cell_of((yield mover, self.beside_any_token() | self.open_tracks())))
        elif bonus == "S":
            yield from self.swap_tokens(mover)
        elif bonus == "F":
            self.force_taken = True
        else:
            yield from self.draw(mover)

    def is_useful(self, mover: int, bonus: str) -> bool:
        """5.1: a bonus that can do nothing is not offered."""
        return {
            "X": len(self.at) >= 2,
            "A": self.floors[mover] < 20,
            "I": bool(self.supply(mover) and (self.beside_any_token() or self.open_tracks())),
            "S": self.can_swap_tokens(),
            "F": not self.force_taken,
            "D": bool(self.pile),
        }[bonus]

    def two_places(self, mover: int) -> Generator[tuple[int, set[str]], str, tuple[str, str]]:
        """Two places with characters, chosen in the order of the places."""
        there = [place for place in PLACES if place in self.at]
        one = (yield mover, {f"x:{place}" for place in there[:-1]})[2:]
        other = (yield mover, {f"x:{place}" for place in there[there.index(one) + 1 :]})[2:]
        return one, other

    def is_face_down(self, place: str) -> bool:
        return self.at[place] not in self.face_up

    def look(self, mover: int, pair: tuple[str, str]) -> None:
        self.known[mover] |= {place: self.at[place] for place in pair if self.is_face_down(place)}

    def exchange(self, pair: tuple[str, str]) -> None:
        """The characters change places, and what is known of them goes with them."""
        one, other = pair
        self.at[one], self.at[other] = self.at[other], self.at[one]
        moved = {one: other, other: one}
        self.known = [{moved.get(place, place): who for place, who in known.items()} for known in self.known]

    def look_at_characters(self, mover: int) -> Asking:
        pair = yield from self.two_places(mover)  # 5.2
        self.look(mover, pair)
        is_secret = all(self.is_face_down(place) for place in pair)
        if is_secret:  # 7.2
            for place in pair:
                self.known[1 - mover].pop(place, None)
        answer = yield mover, {"x:stay", "x:swap"}
        if is_secret:
            self.log[-1] = (mover, answer, True)
        if answer == "x:swap":
            self.exchange(pair)

    def exchange_characters(self, mover: int) -> Asking:
        if len(self.at) >= 2:  # 4.6: S7 exchanges always, and everybody knows
            pair = yield from self.two_places(mover)
            self.look(mover, pair)
            self.exchange(pair)

    def draw(self, mover: int) -> Asking:
        self.drawn, self.pile = self.pile[:3], self.pile[3:]  # 5.7
        picked = (yield mover, {f"pick:{one}" for one in self.drawn}).removeprefix("pick:")
        self.leave_out(mover, picked)
        owned = self.slots[mover]
        if owned is None:
            self.slots[mover] = picked
        else:
            kept = (yield mover, {f"keep:{owned}", f"keep:{picked}"}).removeprefix("keep:")
            self.slots[mover] = kept
            self.aside[mover].append(owned if kept == picked else picked)

    def leave_out(self, mover: int, picked: str) -> None:
        self.left_out[mover] += [one for one in self.drawn if one != picked]
        self.drawn = []

    # the end of a turn

    def claim_all(self, mover: int) -> None:
        """6.1: all claims of both seats are made together, the mover first."""
        claims = {place: self.claimant(place, mover) for place in self.at}
        for place, seat in claims.items():
            if seat is not None:
                self.claim(place, seat)
        for track in LENGTHS:
            if track not in self.closed and self.is_full(track):  # 2.5
                self.closed.add(track)
                for cell in cells_of(track):
                    del self.tokens[cell]

    def claimant(self, place: str, mover: int) -> int | None:
        return next((seat for seat in (mover, 1 - mover) if self.fulfils(place, seat)), None)

    def fulfils(self, place: str, seat: int) -> bool:
        mine = {cell for cell, owner in self.tokens.items() if owner == seat}
        if place == "K1":  # 2.1
            return has_chain(mine, start={f"c0{n}" for n in range(6)}, goal={f"c5{n}" for n in range(6)})
        if place == "K2":
            return has_chain(mine, start={f"c{n}0" for n in range(6)}, goal={f"c{n}5" for n in range(6)})
        if place == "K3":
            return mine >= CIRCLES
        if place.startswith("F"):
            return self.floors[seat] >= int(place[1:])  # 2.3
        cells = cells_of(f"t{place[1:]}")
        return self.is_full(f"t{place[1:]}") and len(mine & set(cells)) > len(cells) / 2  # 2.5

    def claim(self, place: str, seat: int) -> None:
        character = self.at.pop(place)
        self.hands[seat].append(character)
        if character not in self.face_up and place in self.known[1 - seat]:
            self.seen.add(character)  # 7.2: it stays known
        for known in self.known:
            known.pop(place, None)

    def look_for_the_end(self, mover: int) -> None:
        for seat in (mover, 1 - mover):  # 6.2
            families = [family(character) for character in self.hands[seat]]
            three = any(families.count(one) == 3 for one in FAMILIES)
            if three or set(families) == set(FAMILIES):
                self.ending = "three_of_a_family" if three else "five_families"
                self.scores = [int(who == seat) for who in (0, 1)]
                self.ranks = [2 - score for score in self.scores]
                return
        for ending, places in SITES.items():  # 6.3
            if not any(place in self.at for place in places):
                self.ending = ending
                self.scores = [self.prestige(seat) for seat in (0, 1)]
                worth = [(self.scores[seat], len(self.hands[seat])) for seat in (0, 1)]
                self.ranks = [1 + (worth[1 - seat] > worth[seat]) for seat in (0, 1)]
                return

    def prestige(self, seat: int) -> int:
        return sum(map(stars, self.hands[seat])) + (self.slots[seat] is not None) + len(self.aside[seat])

    # what a seat sees

    def view(self, seat: int) -> dict[str, Any]:
        """All that section 7 says of what a seat sees, in the words of an observation."""
        return {
            "to_act": self.seat,
            "starter": self.starter,
            "marker": self.marker,
            "forced": self.forced,
            "cabaret": ["".join(self.token(f"c{row}{column}") for column in range(6)) for row in range(6)],
            "tracks": [
                None if track in self.closed else "".join(self.token(cell) for cell in cells_of(track))
                for track in LENGTHS
            ],
            "floors": self.floors,
            "supply": [self.supply(0), self.supply(1)],
            "places": {
                place: None if place not in self.at else "?" if self.is_face_down(place) else self.at[place]
                for place in PLACES
            },
            "looked": [sorted(known) for known in self.known],
            "known": self.known[seat],
            "claimed": [sorted(self.claimed(owner, seat)) for owner in (0, 1)],
            "slots": self.slots,
            "aside": self.aside,
            "used": self.used,
            "left_out": [covered(self.left_out[who], is_hidden=who != seat) for who in (0, 1)],
            "drawn": covered(self.drawn, is_hidden=self.seat != seat),
            "pile": len(self.pile),
            "log": [self.told(entry, seat) for entry in self.log],
            "outcome": {"ranks": self.ranks, "scores": self.scores, "ending": self.ending} if self.ending else None,
        }

    def token(self, cell: str) -> str:
        return str(self.tokens.get(cell, "."))

    def claimed(self, owner: int, viewer: int) -> list[tuple[str, str, bool]]:
        """The characters of a hand as (name, face, does the other seat know it)."""
        entries = []
        for character in self.hands[owner]:
            is_seen = character in self.face_up or character in self.seen or self.ending is not None  # 7.4
            name = character if is_seen or viewer == owner else "?"  # 6.1
            entries.append((name, "up" if character in self.face_up else "down", is_seen))
        return entries

    def told(self, entry: tuple[int, str, bool], viewer: int) -> str:
        seat, text, is_secret = entry
        if not is_secret:
            return f"{seat} {text}"
        return f"{seat} {text} secret" if viewer == seat else f"{seat} ?"


def covered(specials: list[str], *, is_hidden: bool) -> list[str]:
    return ["?"] * len(specials) if is_hidden else sorted(specials)


def has_chain(mine: set[str], *, start: set[str], goal: set[str]) -> bool:
    """Is there an unbroken orthogonal chain of these cells from the start to the goal? (2.1)"""
    reached: set[str] = set()
    edge = mine & start
    while edge:
        reached |= edge
        edge = {cell for one in edge for cell in neighbours(one)} & mine - reached
    return bool(reached & goal)
