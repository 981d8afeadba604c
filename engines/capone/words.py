"""Capone in plain English: families, endings, actions as sentences, the table as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from engines.api import Json, Observation, State, Words
from engines.capone.choices import CHOICE_OF_NAME
from engines.capone.crews import last_crew
from engines.capone.position import Position
from engines.capone.tables import (
    CARD_NAMES,
    CARDS,
    FAMILIES,
    GUARD_VALUE,
    INVEST_PRICE,
    LAST_STEP,
    LEGAL,
    LEGAL_INCOME,
    MEMBER_NAMES,
    MEMBER_VALUE,
    MEMBERS,
    NAMES_IN,
    PROTECTION_PRICE,
    RESTS,
    SALE_PRICE,
    SITES,
    YEAR_LIMIT,
)

_NAME = dict(zip(CARDS, CARD_NAMES, strict=True))
_MEMBER = {
    member: name if member == "mamma" else f"the {name}" for member, name in zip(MEMBERS, MEMBER_NAMES, strict=True)
}
_WORTH = dict(zip(MEMBERS, MEMBER_VALUE, strict=True))
_SPECIAL = {**{rest: f"the {rest.capitalize()}" for rest in RESTS}, "fbi": "the FBI", "protection": "Protection"}
_SPECIAL |= {"takeover": "a Takeover", "offer": "an Offer"}


class CaponeWords(Words):
    """Reads what is told from observations alone, so that it tells a viewer nothing new."""

    gist: ClassVar[str] = (
        "Put your family to work in illegal businesses, survive your rivals, "
        "and be the first to invest a million in legal business."
    )
    endings: ClassVar[Mapping[str, str]] = {
        "million": "by investing a million",
        "year_limit": f"with the most invested after {YEAR_LIMIT} years",
    }

    def seat_name(self, seat: int, seats: int) -> str:
        return FAMILIES[seat]

    def sentence(self, entry: str, before: Observation, after: Observation, names: Sequence[str]) -> str:
        seat, verb, *arguments = entry.split()
        deed = _Deed(int(seat), verb, arguments, before, after, names)
        return " ".join(f"{part}." for part in (f"{names[deed.seat]} {_DEEDS[verb](deed)}", *_what_followed(deed)))

    def asked(self, observation: Observation, names: Sequence[str]) -> str:
        if observation["to_act"] is None:
            return "The game is over."
        return f"{names[observation['to_act']]} has to choose {_what_is_asked(observation['pending'])}."

    def offer(self, text: str, observation: Observation, names: Sequence[str]) -> str:
        verb, *arguments = text.split()
        deed = _Deed(observation["to_act"], verb, arguments, observation, observation, names)
        told = _OFFERS.get(verb, _DEEDS[verb])(deed)
        return f"{told[0].upper()}{told[1:]}."

    def mark(self, entry: str, before: Observation, after: Observation) -> str | None:
        if after["phase"] == "over":
            return "end"
        if _is_year_end(before, after):
            return "year"
        if any(_lost(before, after, seat) != ([], 0) for seat in range(before["seats"])):
            return "losses"
        card = before["pending"]["card"]
        return (
            {"fbi": "arrest", "takeover": "takeover", "protection": "protection"}.get(card) if _is_done(after) else None
        )

    def board(self, observation: Observation) -> str:
        """One line for each family, then the places where somebody is."""
        seen = observation
        moment = "over" if seen["to_act"] is None else f"{seen['phase']}, seat {seen['to_act']} to choose"
        lines = [f"Year {seen['year']} (first: seat {seen['first']}), {moment}"]
        lines += [_family(seen, seat) for seat in range(seen["seats"])]
        lines += _sites(seen)
        lines += [f"  {name:<16} {guests}" for name, guests in _elsewhere(seen) if guests]
        return "\n".join(lines)

    def turn_order(self, state: State) -> tuple[int, ...]:
        assert isinstance(state, Position)
        first = state.first - (state.year - 1)  # of year 1; each year it is the next seat (CA 2.1)
        return tuple((first + turn) % state.seats for turn in range(state.seats))


# --- pieces, cards and places by name ---


def _plural(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _crew(members: Sequence[str], guards: int) -> str:
    """`the Don and 2 bodyguards`."""
    return _listed([_MEMBER[member] for member in members] + ([_plural(guards, "bodyguard")] if guards else []))


def _money(sum_: int) -> str:
    return f"${sum_}k"


def _a_card(card: str) -> str:
    """`a casino card`, `the FBI card`, `an Offer card`."""
    if card in _SPECIAL:
        return f"{'the ' if card == 'protection' else ''}{_SPECIAL[card]} card"
    return f"{'an' if card[0] in 'aeiou' else 'a'} {_NAME[card].lower()} card"


def _place(place: str) -> str:
    """`casino2` is the second casino; a rest place has its name."""
    if place in RESTS:
        return _SPECIAL[place]
    return f"the {'first' if place.endswith('1') else 'second'} {_NAME[place[:-1]].lower()}"


def _site_of(observation: Observation, place: str) -> Json:
    """What stands on an illegal site."""
    return observation["sites"][SITES.index(place)]


# --- what is to be chosen ---


def _what_is_asked(pending: Json) -> str:
    if pending["want"] == "pieces":
        exactly = pending["exactly"] is not None
        total = f"exactly {pending['exactly']}" if exactly else f"at least {pending['least']}"
        return f"pieces for {_place(pending['place'])}, worth {total}"
    if pending["want"] == "place":
        return f"where to use the {_a_card(pending['card']).split(' ', 1)[1]}"
    if pending["want"] == "member":
        return "whom to have arrested" if pending["card"] == "fbi" else f"whom to send to {_SPECIAL[pending['card']]}"
    return CHOICE_OF_NAME[pending["want"]].asked


# --- what was done ---


@dataclass(frozen=True, slots=True)
class _Deed:
    """An action that was taken, and what the viewer saw before and after it."""

    seat: int
    verb: str
    arguments: list[str]
    before: Observation
    after: Observation
    names: Sequence[str]

    @property
    def what(self) -> str:
        return self.arguments[0]

    @property
    def number(self) -> int:
        return int(self.arguments[0])

    @property
    def card(self) -> str:
        """The card that was in use."""
        return str(self.before["pending"]["card"])

    def family(self, seat: int) -> Json:
        """A family as it was."""
        return self.before["families"][seat]

    def sold(self, seat: int) -> str:
        """How many steps a payment cost a family beside its cash."""
        steps = self.family(seat)["marker"] - self.after["families"][seat]["marker"]
        return f", selling {_plural(steps, 'step')}" if steps > 0 else ""


def _unseen(deed: _Deed) -> str:
    """The choice that ended a year: the log it stood in has been closed, but what it changed is seen."""
    if deed.before["phase"] != "settlement":
        return "makes the last choice of the year"
    was, now = deed.family(deed.seat), deed.after["families"][deed.seat]
    if now["marker"] > was["marker"]:
        return f"invests {_money((now['marker'] - was['marker']) * INVEST_PRICE)}: {_steps(deed)}"
    if now["guards"] > was["guards"]:
        return f"rehires {_plural(now['guards'] - was['guards'], 'bodyguard')}"
    freed = [member for member in now["home"] if member not in was["home"]]
    return f"bails {_crew(freed, 0)} out of prison" if freed else "settles for what it has"


def _return(deed: _Deed) -> str:
    return f"returns {'a card' if deed.what == '?' else _a_card(deed.what)} unseen"


def _done(deed: _Deed) -> str:
    count = deed.family(deed.seat)["returned_count"]
    return (
        f"draws {_plural(count, 'card')} for {'the one' if count == 1 else 'those'} returned"
        if count
        else "keeps all cards"
    )


def _use(deed: _Deed) -> str:
    if deed.what in LEGAL:
        income = _money(LEGAL_INCOME[deed.family(deed.seat)["marker"]])
        return f"sends a bodyguard to the {_NAME[deed.what].lower()} and earns {income}"
    return f"plays {_a_card(deed.what)}"


def _discard(deed: _Deed) -> str:
    return f"lays {'a card' if deed.what == '?' else _a_card(deed.what)} aside, unused and unshown"


def _at(deed: _Deed) -> str:
    if deed.card == "offer":
        return f"makes an offer nobody can refuse at {_place(deed.what)}"
    pending = deed.after["pending"]
    if pending is not None and pending["want"] == "pieces":
        return f"goes for {_place(deed.what)}{_held_by_a_rival(deed)}"
    return _comes_to(deed, deed.what, *_last_set(deed))


def _held_by_a_rival(deed: _Deed) -> str:
    site = _site_of(deed.before, deed.what)
    is_rival = site["owner"] not in (None, deed.seat)
    return f", which {deed.names[site['owner']]} holds with {site['total']}" if is_rival else ""


def _last_set(deed: _Deed) -> tuple[Sequence[str], int]:
    """CA 4.6: what the last card sent follows from what was at home."""
    home = sum(1 << MEMBERS.index(member) for member in deed.family(deed.seat)["home"])
    crew = last_crew(CARDS.index(deed.card), home, deed.family(deed.seat)["guards"])
    assert crew is not None
    return NAMES_IN[crew[0]], crew[1]


def _put(deed: _Deed) -> str:
    return f"sends {_MEMBER[deed.what]} ({_WORTH[deed.what]})"


def _guards(deed: _Deed) -> str:
    pending = deed.before["pending"]
    return _comes_to(deed, pending["place"], pending["members"], deed.number)


def _comes_to(deed: _Deed, place: str, members: Sequence[str], guards: int) -> str:
    """A set is placed: into an empty site, beside own people, or in the place of others."""
    owner = _site_of(deed.before, place)["owner"]
    if owner is None:
        how = f"moves into {_place(place)}"
    elif owner == deed.seat:
        how = f"strengthens {_place(place)}"
    else:
        how = f"{'takes over' if deed.card == 'takeover' else 'storms'} {_place(place)} of {deed.names[owner]}"
    worth = sum(_WORTH[member] for member in members) + guards * GUARD_VALUE
    return f"{how} with {_crew(members, guards)}, worth {worth}"


def _move(deed: _Deed) -> str:
    owner, member = deed.arguments
    whom = f"{deed.names[int(owner)]}'s {_MEMBER[member].removeprefix('the ')}"
    return f"has {whom} arrested" if deed.card == "fbi" else f"sends {whom} to {_SPECIAL[deed.card]}"


def _charge(deed: _Deed) -> str:
    price = _money(PROTECTION_PRICE[deed.family(deed.number)["marker"]])
    sold = ", who sells a step to pay" if deed.sold(deed.number) else ""
    return f"takes {price} of protection money from {deed.names[deed.number]}{sold}"


def _bail(deed: _Deed) -> str:
    return f"pays {_money(_WORTH[deed.what])} to bail {_MEMBER[deed.what]} out of prison{deed.sold(deed.seat)}"


def _rehire(deed: _Deed) -> str:
    if not deed.number:
        return "rehires nobody"
    guards, price = _plural(deed.number, "bodyguard"), _money(deed.number * GUARD_VALUE)
    return f"rehires {guards} for {price}{deed.sold(deed.seat)}"


def _invest(deed: _Deed) -> str:
    return f"invests {_money(deed.number * INVEST_PRICE)}: {_steps(deed)}" if deed.number else "invests nothing"


def _steps(deed: _Deed) -> str:
    return f"{deed.after['families'][deed.seat]['marker']} of {LAST_STEP} steps"


_DEEDS: Mapping[str, Callable[[_Deed], str]] = {
    "?": _unseen,
    "done": _done,
    "return": _return,
    "use": _use,
    "discard": _discard,
    "at": _at,
    "put": _put,
    "guards": _guards,
    "bail": _bail,
    "rehire": _rehire,
    "invest": _invest,
    "charge": _charge,
    "move": _move,
}


# --- what might be done, where what comes of it is not seen yet ---


def _offer_at(deed: _Deed) -> str:
    if deed.card == "offer" or (deed.card != "takeover" and deed.family(deed.seat)["hand_count"] == 0):
        return _at(deed)
    return f"goes for {_place(deed.what)}{_held_by_a_rival(deed)}"


def _offer_invest(deed: _Deed) -> str:
    if not deed.number:
        return "invests nothing"
    reached = deed.family(deed.seat)["marker"] + deed.number
    return f"invests {_money(deed.number * INVEST_PRICE)}: {reached} of {LAST_STEP} steps"


_OFFERS: Mapping[str, Callable[[_Deed], str]] = {"at": _offer_at, "invest": _offer_invest}


# --- what came of it ---


def _what_followed(deed: _Deed) -> list[str]:
    """Losses, the end of the year with its income, bodyguards that leave, a new year, the end."""
    before, after = deed.before, deed.after
    told = [
        f"{deed.names[seat]} loses {_crew(*lost)}"
        for seat in range(before["seats"])
        if (lost := _lost(before, after, seat)) != ([], 0)
    ]
    if _is_year_end(before, after):
        told += _year_end(deed)
    told += _left_for_good(deed)
    if after["phase"] == "over":
        told.append("The game is over")
    elif after["year"] > before["year"]:
        told.append(f"Year {after['year']} begins with {deed.names[after['first']]}")
    return told


def _left_for_good(deed: _Deed) -> list[str]:
    """The bodyguards whom nobody rehired (CA 6.3)."""
    gone = [family["lost"] - deed.family(seat)["lost"] for seat, family in enumerate(deed.after["families"])]
    return [
        f"{_plural(count, 'bodyguard')} of {deed.names[seat]} {'leaves' if count == 1 else 'leave'} for good"
        for seat, count in enumerate(gone)
        if count
    ]


def _lost(before: Observation, after: Observation, seat: int) -> tuple[list[str], int]:
    """The members of a family that died and its bodyguards that were knocked out."""
    was, now = before["families"][seat], after["families"][seat]
    dead = [member for member in now["harbour"] if member not in was["harbour"]]
    return dead, max(0, now["park"] - was["park"])


def _is_year_end(before: Observation, after: Observation) -> bool:
    return before["phase"] == "turn" and bool(after["phase"] != "turn" or after["year"] > before["year"])


def _is_done(after: Observation) -> bool:
    """Whether no card is in use any more."""
    return after["pending"] is None or after["pending"]["card"] is None


def _year_end(deed: _Deed) -> list[str]:
    """What the illegal sites pay (CA 6.1), and who has served his time (CA 5.5)."""
    seats = range(deed.before["seats"])
    own = _earned_by(deed)
    income = [deed.after["families"][s]["cash"] - deed.family(s)["cash"] - own.get(s, 0) for s in seats]
    paid = [f"{_money(income[seat])} to {deed.names[seat]}" for seat in seats if income[seat] > 0]
    told = [f"The year ends and the sites pay {_listed(paid) if paid else 'nobody'}"]
    for seat in seats:
        home = deed.after["families"][seat]["home"]
        freed = [member for member in deed.family(seat)["prison"]["1"] if member in home]
        if freed:
            told.append(f"{deed.names[seat]} gets {_crew(freed, 0)} back from prison")
    return told


def _earned_by(deed: _Deed) -> dict[int, int]:
    """The money that the last card itself moved."""
    if deed.verb == "use":
        return {deed.seat: LEGAL_INCOME[deed.family(deed.seat)["marker"]]}
    if deed.verb == "charge":
        was = deed.family(deed.number)
        price = PROTECTION_PRICE[was["marker"]]
        return {deed.seat: price, deed.number: (SALE_PRICE if was["cash"] < price else 0) - price}
    return {}


# --- the table ---


def _family(seen: Observation, seat: int) -> str:
    family, hand = seen["families"][seat], seen["hands"][seat]
    cards = " ".join(hand if hand is not None else "?" * family["hand_count"]) or "-"
    park = f", park {family['park']}" if family["park"] else ""
    money = f"marker {family['marker']:2} cash {family['cash']:4}"
    return f"{seat} {family['name']:<12} {money} | home: {_home(family)}{park} | hand: {cards}"


def _home(family: Json) -> str:
    """The members at home, by those away if that is shorter."""
    away = [member for member in MEMBERS if member not in family["home"]]
    if len(away) > 3:
        return _pieces(family["home"], family["guards"])
    members = f"all but {'+'.join(away)}" if away else "all members"
    return f"{members}, {_plural(family['guards'], 'guard')}"


def _pieces(members: Sequence[str], guards: int = 0) -> str:
    return "+".join([*members, *([_plural(guards, "guard")] if guards else [])]) or "-"


def _sites(seen: Observation) -> list[str]:
    """The illegal sites that are held, both of a kind on one line."""
    held: dict[str, list[str]] = {}
    values: dict[str, int] = {}
    for site in seen["sites"]:
        if site["owner"] is not None:
            pieces = _pieces(site["members"], site["guards"])
            kind = site["site"][:-1]
            held.setdefault(kind, []).append(f"{site['site']}: seat {site['owner']} with {site['total']} ({pieces})")
            values[kind] = site["value"]
    return [f"  {kind:<16} {values[kind]:2} | {' | '.join(sites)}" for kind, sites in held.items()]


def _elsewhere(seen: Observation) -> list[tuple[str, str]]:
    legal = [f"seat {place['owner']} at {place['site']}" for place in seen["legal"] if place["owner"] is not None]
    places = [("legal", ", ".join(legal))]
    for rest, guests in seen["rests"].items():
        there: list[list[str]] = [[] for _ in range(seen["seats"])]
        for guest in guests:
            there[guest["seat"]].append(guest["member"])
        places.append((rest, _guests(there)))
    families = seen["families"]
    jailed = [[m for block in family["prison"].values() for m in block] for family in families]
    places.append(("prison", _guests([sorted(members, key=MEMBERS.index) for members in jailed])))
    places.append(("harbour", _guests([family["harbour"] for family in families])))
    return places


def _guests(members: Sequence[Sequence[str]]) -> str:
    return ", ".join(f"seat {seat}: {_pieces(there)}" for seat, there in enumerate(members) if there)
