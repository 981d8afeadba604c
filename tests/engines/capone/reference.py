"""Capone once more, as plainly as it can be written and without regard to speed, to check the engine against.

Pieces and places are names, an action is the text that names it, and the numbers stand here as the clauses give them.
Only chance is taken from outside: who is first in year 1, and how the cards lie at the start of each year.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any

# CA 1.1, in table order
MEMBERS = {
    "don": 100, "mamma": 60, "right_hand": 50, "collector": 40, "lawyer": 40, "accountant": 30, "secretary": 30,
    "novice": 20,
}  # fmt: skip
# CA 1.2: green 5, yellow 10, orange 20, red 30
VALUE = {
    "pawnbroker": 5, "bar": 5, "jeweller": 10, "nightclub": 10, "loan_office": 10, "casino": 20, "printing_works": 20,
    "exchange_office": 20, "bank": 30, "weapons_shop": 30,
}  # fmt: skip
LEGAL = ["bakery", "flower_shop", "laundry", "grocery", "pizzeria", "cinema", "garage", "taxi_company"]
RESTS = ["penthouse", "barber", "restaurant"]
SITES = [f"{kind}{number}" for kind in VALUE for number in (1, 2)]
CARDS = [*VALUE, *LEGAL, *RESTS, "fbi", "protection", "takeover", "offer"]
FAMILIES = ["Armaretto", "Mascapone", "Vinorosso", "Ramazotti", "Kaputtschino", "Zappajone"]
LEGAL_INCOME = [0, 10, 20, 30, 30, 40, 40, 50, 50, 60]  # CA 3, by marker
PROTECTION = [0, 10, 10, 20, 20, 30, 30, 40, 40, 50]  # CA 5.3, by marker

Set = tuple[tuple[str, ...], int]
Pending = dict[str, Any]
Course = Generator[tuple[int, Pending, list[str]], str, None]


def deck(seats: int) -> list[str]:
    """CA 1.3: all cards."""
    return [*list(VALUE) * (3 if seats == 3 else 4), *LEGAL, *RESTS, "fbi", "protection", "takeover", "offer", "offer"]


def kind_of(site: str) -> str:
    return site[:-1]


def worth(members: tuple[str, ...] | list[str], guards: int) -> int:
    return sum(MEMBERS[member] for member in members) + 5 * guards


def may_stand_together(members: tuple[str, ...]) -> bool:
    """CA 4.4, for the members of one family on one site."""
    if "don" in members:
        return len(members) == 1
    return "mamma" not in members or len(members) <= 2


@lru_cache(maxsize=4096)
def sets_of(members: tuple[str, ...], guards: int) -> list[Set]:
    """Every set of at least one piece that may be placed from these; members in table order."""
    groups = [group for size in range(len(members) + 1) for group in combinations(members, size)]
    together = [group for group in groups if may_stand_together(group)]
    return [(group, number) for group in together for number in range(guards + 1) if group or number]


class Reference:
    """A whole game that is asked for its choices and told them, one after the other."""

    def __init__(self, seats: int, income: str, first: int, deal: Callable[[], tuple[list[list[str]], list[str]]]):
        """`deal` gives the hands and the pile, next card first, whenever a year begins."""
        self.seats, self.income, self.first, self.deal = seats, income, first, deal
        self.cash = [100] * seats  # CA 1.4
        self.marker = [0] * seats
        self.at = [dict.fromkeys(MEMBERS, "home") for _ in range(seats)]
        self.guards = [Counter({"home": 8}) for _ in range(seats)]
        self.year = self.ply = 0
        self.phase = "exchange"
        self.to_act: int | None = None
        self.pending: Pending | None = None
        self.legal: list[str] = []
        self.log: list[tuple[int, str]] = []
        self.course = self.play()
        self.wait(next(self.course))

    def answer(self, text: str) -> None:
        """Take one of the legal actions and wait for the next question."""
        assert self.to_act is not None
        assert text in self.legal
        self.log.append((self.to_act, text))
        self.ply += 1
        try:
            self.wait(self.course.send(text))
        except StopIteration:
            self.phase, self.to_act, self.pending, self.legal = "over", None, None, []

    def wait(self, question: tuple[int, Pending, list[str]]) -> None:
        self.to_act, self.pending, self.legal = question

    # The year (CA 2)

    def play(self) -> Course:
        for self.year in range(1, 41):  # CA 6.5
            self.begin_year()
            order = [(self.first + turn) % self.seats for turn in range(self.seats)]
            self.phase = "exchange"
            for seat in order:
                yield from self.exchange(seat)
            self.phase = "turn"
            while any(self.hands):
                for seat in order:
                    yield from self.turn(seat)
            self.end_year()
            self.phase = "settlement"
            for seat in order:
                yield from self.settle(seat)
            if max(self.marker) == 10:  # CA 6.4
                return
            if self.year < 40:
                self.first = (self.first + 1) % self.seats  # CA 2.1

    def begin_year(self) -> None:
        """CA 2.2."""
        self.hands, self.pile = self.deal()
        assert sorted(sum(self.hands, self.pile)) == sorted(deck(self.seats))
        assert {len(hand) for hand in self.hands} == {4 if self.seats == 6 else 5}
        self.used: list[str] = []
        self.returned: list[list[str]] = [[] for _ in range(self.seats)]
        self.unshown: list[list[str]] = [[] for _ in range(self.seats)]
        self.log = []

    def exchange(self, seat: int) -> Course:
        """CA 2.3; cards are named in card order."""
        hand, returned = self.hands[seat], self.returned[seat]
        while True:
            least = CARDS.index(returned[-1]) if returned else 0
            cards = [card for card in CARDS if card in hand and CARDS.index(card) >= least]
            answer = yield seat, pending("return"), ["done", *(f"return {card}" for card in cards)]
            if answer == "done":
                break
            hand.remove(answer.split()[1])
            returned.append(answer.split()[1])
        for _ in returned:
            hand.append(self.pile.pop(0))

    def turn(self, seat: int) -> Course:
        """CA 2.4 and 2.5; bails are named in table order."""
        hand, bailed = self.hands[seat], list[str]()
        while True:
            bails = [f"bail {member}" for member in self.bailable(seat, bailed, self.cash[seat])]
            uses = [f"use {card}" for card in CARDS if card in hand and self.has_a_use(seat, card)]
            discards = [f"discard {card}" for card in CARDS if card in hand]
            answer = yield seat, pending("card", members=bailed), bails + uses + discards
            verb, name = answer.split()
            if verb != "bail":
                break
            self.bail(seat, name)
            bailed.append(name)
        is_last = len(hand) == 1
        hand.remove(name)
        if verb == "discard":
            self.unshown[seat].append(name)
        else:
            self.used.append(name)
            yield from self.use(seat, name, is_last=is_last)

    # Where pieces stand

    def members(self, seat: int, place: str) -> list[str]:
        return [member for member in MEMBERS if self.at[seat][member] == place]

    def total(self, seat: int, place: str) -> int:
        return worth(self.members(seat, place), self.guards[seat][place])

    def owner(self, site: str) -> int | None:
        """CA 4.5."""
        owners = [seat for seat in range(self.seats) if site in self.at[seat].values() or self.guards[seat][site]]
        assert len(owners) <= 1
        return owners[0] if owners else None

    def move_guards(self, seat: int, number: int, start: str, goal: str) -> None:
        self.guards[seat][start] -= number
        self.guards[seat][goal] += number
        assert self.guards[seat][start] >= 0

    def knock_out(self, seat: int, place: str, members_to: str, guards_to: str) -> None:
        """All pieces of one family leave a place."""
        for member in self.members(seat, place):
            self.at[seat][member] = members_to
        self.move_guards(seat, self.guards[seat][place], place, guards_to)

    def others(self, seat: int) -> list[int]:
        return [other for other in range(self.seats) if other != seat]

    # Using a card (CA 3 to 5)

    def has_a_use(self, seat: int, card: str) -> bool:
        """CA 5.7."""
        if card in LEGAL:
            return self.marker[seat] >= 1 and self.guards[seat]["home"] >= 1
        if card in RESTS or card == "fbi":
            return bool(self.movable(seat, card))
        if card == "protection":
            return bool(self.chargeable(seat))
        return bool(self.targets(seat, card, is_last=len(self.hands[seat]) == 1))

    def use(self, seat: int, card: str, *, is_last: bool) -> Course:
        if card in LEGAL:  # CA 3
            self.move_guards(seat, 1, "home", card)
            self.cash[seat] += LEGAL_INCOME[self.marker[seat]]
        elif card in RESTS or card == "fbi":  # CA 5.1, 5.2
            answer = yield seat, pending("member", card), [f"move {o} {m}" for o, m in self.movable(seat, card)]
            self.at[int(answer.split()[1])][answer.split()[2]] = "block 3" if card == "fbi" else card
        elif card == "protection":
            answer = yield seat, pending("seat", card), [f"charge {other}" for other in self.chargeable(seat)]
            self.charge(seat, int(answer.split()[1]))
        else:
            answer = yield seat, pending("place", card), [f"at {p}" for p in self.targets(seat, card, is_last=is_last)]
            place = answer.split()[1]
            if card == "offer":  # CA 5.6
                for family in range(self.seats):
                    self.knock_out(family, place, "harbour", "park")
            else:
                yield from self.occupy(seat, card, place, is_last=is_last)

    def movable(self, seat: int, card: str) -> list[tuple[int, str]]:
        """CA 5.1 and 5.2: members of other families that a rest card or the FBI may move."""
        reach = [*SITES, *RESTS] if card == "fbi" else SITES
        return [(other, member) for other in self.others(seat) for member in MEMBERS if self.at[other][member] in reach]

    def chargeable(self, seat: int) -> list[int]:
        return [other for other in self.others(seat) if self.marker[other] >= 1]

    def charge(self, seat: int, victim: int) -> None:
        """CA 5.3."""
        amount = PROTECTION[self.marker[victim]]
        if self.cash[victim] < amount:
            self.sell_step(victim)
        self.cash[victim] -= amount
        self.cash[seat] += amount

    def targets(self, seat: int, card: str, *, is_last: bool) -> list[str]:
        """The places that an illegal card, a Takeover or an Offer may name."""
        if card == "offer":
            return [place for place in [*SITES, *RESTS] if any(self.total(s, place) for s in range(self.seats))]
        if card == "takeover":
            return [site for site in SITES if next(self.takeover_sets(seat, site), None)]
        sites = [site for site in SITES if kind_of(site) == card]
        if is_last:
            return [site for site in sites if self.last_set_fits(seat, card, site)]
        return [site for site in sites if next(self.business_sets(seat, site), None)]

    def sets_at_home(self, seat: int) -> list[Set]:
        """CA 1.5."""
        return sets_of(tuple(self.members(seat, "home")), self.guards[seat]["home"])

    def business_sets(self, seat: int, site: str) -> Iterator[Set]:
        """CA 4.2 to 4.4: the sets that this seat may put on a site by the card of its kind."""
        least, standing = self.least(seat, site), tuple(self.members(seat, site))
        for members, guards in self.sets_at_home(seat):
            if worth(members, guards) >= least and may_stand_together(standing + members):
                yield members, guards

    def least(self, seat: int, site: str) -> int:
        """What a new set must be worth; a single piece is worth 5, so at least that."""
        value, owner = VALUE[kind_of(site)], self.owner(site)
        if owner in (None, seat):
            return max(5, value - self.total(seat, site))
        assert owner is not None
        return max(value, self.total(owner, site) + 5)

    def takeover_sets(self, seat: int, site: str) -> Iterator[Set]:
        """CA 5.4."""
        owner = self.owner(site)
        if owner in (None, seat):
            return
        assert owner is not None
        total = self.total(owner, site)
        for members, guards in self.sets_at_home(seat):
            if worth(members, guards) == total:
                yield members, guards

    def last_set(self, seat: int, card: str) -> Set | None:
        """CA 4.6: what goes with the last card, whatever the target."""
        if self.guards[seat]["home"] >= VALUE[card] // 5:
            return (), VALUE[card] // 5
        dear_enough = [member for member in self.members(seat, "home") if MEMBERS[member] >= VALUE[card]]
        return ((min(dear_enough, key=lambda member: MEMBERS[member]),), 0) if dear_enough else None

    def last_set_fits(self, seat: int, card: str, site: str) -> bool:
        last, owner = self.last_set(seat, card), self.owner(site)
        if last is None:
            return False
        if owner is None:
            return True
        if owner == seat:
            return may_stand_together((*self.members(seat, site), *last[0]))
        return self.total(owner, site) + 5 <= worth(*last)

    def occupy(self, seat: int, card: str, site: str, *, is_last: bool) -> Course:
        """Choose the set, if there is a choice, and put it on the site."""
        owner = self.owner(site)
        if card == "takeover":
            assert owner is not None
            sets = list(self.takeover_sets(seat, site))
            members, guards = yield from self.choose_set(seat, card, site, sets, exactly=self.total(owner, site))
            self.knock_out(owner, site, "home", "home")
        elif is_last:
            last = self.last_set(seat, card)
            assert last is not None
            members, guards = last
        else:
            sets = list(self.business_sets(seat, site))
            members, guards = yield from self.choose_set(seat, card, site, sets, least=self.least(seat, site))
        if card != "takeover" and owner not in (None, seat):  # CA 4.3
            assert owner is not None
            self.knock_out(owner, site, "harbour", "park")
        for member in members:
            self.at[seat][member] = site
        self.move_guards(seat, guards, "home", site)

    def choose_set(self, seat: int, card: str, site: str, sets: list[Set], **sums: int) -> Any:
        """Members in table order, then the number of bodyguards; nothing that leads to no set is offered."""
        named: tuple[str, ...] = ()
        while True:
            begun = [one for one in sets if one[0][: len(named)] == named]
            following = {members[len(named)] for members, _ in begun if len(members) > len(named)}
            puts = [f"put {member}" for member in following]
            numbers = [f"guards {number}" for members, number in begun if members == named]
            answer = yield seat, pending("pieces", card, site, named, **sums), puts + numbers
            verb, what = answer.split()
            if verb == "guards":
                return named, int(what)
            named += (what,)

    # Prison and money (CA 5.5, 6.3)

    def prisoners(self, seat: int) -> list[str]:
        return [member for member in MEMBERS if self.at[seat][member].startswith("block")]

    def bailable(self, seat: int, bailed: list[str], means: int) -> list[str]:
        order = list(MEMBERS)
        later = order[order.index(bailed[-1]) + 1 :] if bailed else order
        return [member for member in self.prisoners(seat) if member in later and MEMBERS[member] <= means]

    def bail(self, seat: int, member: str) -> None:
        self.pay(seat, MEMBERS[member])
        self.at[seat][member] = "home"

    def pay(self, seat: int, price: int) -> None:
        while self.cash[seat] < price:
            self.sell_step(seat)
        self.cash[seat] -= price

    def sell_step(self, seat: int) -> None:
        assert self.marker[seat] >= 1
        self.marker[seat] -= 1
        self.cash[seat] += 50

    # Year end (CA 6)

    def end_year(self) -> None:
        for seat in range(self.seats):
            self.cash[seat] += sum(self.earned(seat, site) for site in SITES)  # CA 6.1
            for place in [*SITES, *LEGAL, *RESTS]:
                self.knock_out(seat, place, "home", "home")  # CA 6.2
            for member in self.prisoners(seat):
                self.at[seat][member] = {"block 3": "block 2", "block 2": "block 1", "block 1": "home"}[
                    self.at[seat][member]
                ]

    def earned(self, seat: int, site: str) -> int:
        """CA 7."""
        value, total = VALUE[kind_of(site)], self.total(seat, site)
        if total == 0:
            return 0
        if self.income == "business":
            return value
        if self.income == "threshold":
            return total if total >= value else 0
        if self.income == "mixed":
            return value + max([5, *(MEMBERS[member] for member in self.members(seat, site))])
        return total

    def settle(self, seat: int) -> Course:
        """CA 6.3: bails stand beside the part that comes next, and a part without a choice is not asked."""
        bailed, is_bailing, is_rehiring = list[str](), True, True
        while True:
            means = self.cash[seat] + 50 * self.marker[seat]
            bails = [f"bail {member}" for member in self.bailable(seat, bailed, means)] if is_bailing else []
            most = min(self.guards[seat]["park"], means // 5) if is_rehiring else 0
            steps = min(self.cash[seat] // 100, 10 - self.marker[seat])
            if not bails and not most and not steps:
                break
            rehires = [f"rehire {number}" for number in range(most + 1)] if most else []
            invests = [] if most else [f"invest {number}" for number in range(steps + 1)]
            want = "bail" if bails else "rehire" if most else "invest"
            answer = yield seat, pending(want, members=bailed), bails + rehires + invests
            verb, what = answer.split()
            if verb == "bail":
                self.bail(seat, what)
                bailed.append(what)
            elif verb == "rehire":
                self.pay(seat, 5 * int(what))
                self.move_guards(seat, int(what), "park", "home")
                is_bailing = is_rehiring = False
            else:
                self.cash[seat] -= 100 * int(what)
                self.marker[seat] += int(what)
                break
        self.move_guards(seat, self.guards[seat]["park"], "park", "lost")

    def outcome(self) -> dict[str, Any] | None:
        """CA 6.4 and 6.5."""
        if self.phase != "over":
            return None
        living = [sum(MEMBERS[m] for m in MEMBERS if self.at[s][m] != "harbour") for s in range(self.seats)]
        keys = list(zip(self.marker, self.cash, living, strict=True))
        return {
            "ranks": [1 + sum(other > key for other in keys) for key in keys],
            "scores": [100 * marker for marker in self.marker],
            "ending": "million" if max(self.marker) == 10 else "year_limit",
        }

    # What is seen (CA 9)

    def views(self) -> list[dict[str, Any]]:
        """Everything that each seat may know, and at last what all eyes see."""
        public = self.public()
        return [public | self.known(seat) for seat in (*range(self.seats), None)]

    def public(self) -> dict[str, Any]:
        return {
            "game": "capone", "rules_version": 1, "seats": self.seats, "options": {"income": self.income},
            "phase": self.phase, "pending": self.pending, "to_act": self.to_act, "ply": self.ply,
            "outcome": self.outcome(), "year": self.year, "first": self.first,
            "families": [self.family(seat) for seat in range(self.seats)],
            "sites": [self.site(site) for site in SITES],
            "legal": [{"site": place, "owner": self.owner(place)} for place in LEGAL],
            "rests": {place: self.resting(place) for place in RESTS},
            "used": self.used, "pile_count": len(self.pile),
        }  # fmt: skip

    def known(self, seat: int | None) -> dict[str, Any]:
        """Cards of its own and the log as this seat saw it; None sees all."""
        own = [seat in (None, other) for other in range(self.seats)]
        hands = [sorted(hand, key=CARDS.index) for hand in self.hands]
        return {
            "seat": seat,
            "log": [f"{actor} {text if own[actor] else self.hidden(text)}" for actor, text in self.log],
            "hands": [cards if own[other] else None for other, cards in enumerate(hands)],
            "returned": [cards if own[other] else None for other, cards in enumerate(self.returned)],
            "unshown": [cards if own[other] else None for other, cards in enumerate(self.unshown)],
            "pile": self.pile if seat is None else None,
        }

    def hidden(self, text: str) -> str:
        """CA 2.3 and 2.4: others see that a card was returned or discarded, not which."""
        verb = text.split()[0]
        return f"{verb} ?" if verb in ("return", "discard") else text

    def family(self, seat: int) -> dict[str, Any]:
        return {
            "name": FAMILIES[seat], "cash": self.cash[seat], "marker": self.marker[seat],
            "home": self.members(seat, "home"), "harbour": self.members(seat, "harbour"),
            "prison": {block: self.members(seat, f"block {block}") for block in "321"},
            "guards": self.guards[seat]["home"], "park": self.guards[seat]["park"], "lost": self.guards[seat]["lost"],
            "hand_count": len(self.hands[seat]), "returned_count": len(self.returned[seat]),
            "unshown_count": len(self.unshown[seat]),
        }  # fmt: skip

    def site(self, site: str) -> dict[str, Any]:
        owner = self.owner(site)
        found = {"site": site, "value": VALUE[kind_of(site)], "owner": owner, "members": [], "guards": 0, "total": 0}
        if owner is not None:
            found |= {
                "members": self.members(owner, site), "guards": self.guards[owner][site],
                "total": self.total(owner, site),
            }  # fmt: skip
        return found

    def resting(self, place: str) -> list[dict[str, Any]]:
        return [{"seat": s, "member": member} for s in range(self.seats) for member in self.members(s, place)]


def pending(
    want: str, card: str | None = None, place: str | None = None, members: tuple[str, ...] | list[str] = (),
    least: int | None = None, exactly: int | None = None,
) -> Pending:  # fmt: skip
    """What a seat is asked for."""
    return {
        "want": want, "card": card, "place": place, "members": list(members), "least": least, "exactly": exactly,
    }  # fmt: skip
