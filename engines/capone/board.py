"""The table as text, for people who follow a game on the terminal."""

from __future__ import annotations

from engines.capone import actions as act
from engines.capone import wants
from engines.capone.choices import jailed
from engines.capone.state import CaponeState
from engines.capone.tables import (
    ALL_MEMBERS,
    CARD_NAMES,
    CARDS,
    FAMILIES,
    FBI,
    GUARD_VALUE,
    ILLEGAL,
    INVEST_PRICE,
    KIND_VALUE,
    LEGAL,
    MASK_VALUE,
    MEMBER_NAMES,
    MEMBERS,
    NAMES_IN,
    RESTS,
    SITES,
    SITES_OF_KIND,
    TAKEOVER,
)


def draw(state: CaponeState) -> str:
    """The whole table, all eyes: one line for each family, then the places where somebody is."""
    moment = "over" if state.to_act is None else f"{wants.PHASES[state.want]}, seat {state.to_act} to choose"
    lines = [f"Year {state.year} (first: seat {state.first}), {moment}"]
    lines += [_family(state, seat) for seat in range(state.seats)]
    lines += _sites(state)
    lines += [f"  {name:<16} {guests}" for name, guests in _elsewhere(state) if guests]
    return "\n".join(lines)


def _family(state: CaponeState, seat: int) -> str:
    hand = " ".join(CARDS[kind] for kind in state.hands[seat]) or "-"
    park = f", park {state.park[seat]}" if state.park[seat] else ""
    money = f"marker {state.marker[seat]:2} cash {state.cash[seat]:4}"
    return f"{seat} {FAMILIES[seat]:<12} {money} | home: {_home(state, seat)}{park} | hand: {hand}"


def _home(state: CaponeState, seat: int) -> str:
    """The members at home, by those away if that is shorter."""
    away = NAMES_IN[ALL_MEMBERS & ~state.home[seat]]
    if len(away) > 3:
        return _pieces(state.home[seat], state.guards[seat])
    members = f"all but {'+'.join(away)}" if away else "all members"
    return f"{members}, {_guards(state.guards[seat])}"


def _guards(count: int) -> str:
    return f"{count} guard" if count == 1 else f"{count} guards"


def _pieces(members: int, guards: int) -> str:
    return "+".join([*NAMES_IN[members], *([_guards(guards)] if guards else [])]) or "-"


def _sites(state: CaponeState) -> list[str]:
    """The illegal sites that are held, both of a kind on one line."""
    lines = []
    for kind, name in enumerate(ILLEGAL):
        pair = range(kind * SITES_OF_KIND, (kind + 1) * SITES_OF_KIND)
        held = [_site(state, site) for site in pair if state.site_owner[site] >= 0]
        if held:
            lines.append(f"  {name:<16} {KIND_VALUE[kind]:2} | {' | '.join(held)}")
    return lines


def _site(state: CaponeState, site: int) -> str:
    pieces = _pieces(state.site_members[site], state.site_guards[site])
    return f"{SITES[site]}: seat {state.site_owner[site]} with {state.site_total[site]} ({pieces})"


def _elsewhere(state: CaponeState) -> list[tuple[str, str]]:
    seats = range(state.seats)
    legal = [f"seat {owner} at {LEGAL[b]}" for b, owner in enumerate(state.legal_owner) if owner >= 0]
    places = [("legal", ", ".join(legal))]
    for rest, name in enumerate(RESTS):
        places.append((name, _guests([state.rests[rest * state.seats + seat] for seat in seats])))
    places.append(("prison", _guests([jailed(state, seat) for seat in seats])))
    places.append(("harbour", _guests(state.harbour)))
    return places


def _guests(masks: list[int]) -> str:
    return ", ".join(f"seat {seat}: {_pieces(mask, 0)}" for seat, mask in enumerate(masks) if mask)


def tell(state: CaponeState, action: int) -> str:
    """A sentence for an action about to be applied."""
    verb, argument = act.VERB_OF[action]
    seat = state.to_act
    assert seat is not None
    return f"{FAMILIES[seat]} (seat {seat}) {_deed(state, act.VERBS[verb], argument)}."


def _deed(state: CaponeState, verb: str, argument: int) -> str:
    if verb == "done":
        count = len(state.returned[state.to_act or 0])
        return f"draws {count} and is ready" if count else "keeps all cards"
    if verb in ("return", "use", "discard"):
        worded = {"return": "returns", "use": "uses", "discard": "lays aside unused"}
        return f"{worded[verb]} {CARD_NAMES[argument]}"
    if verb == "at":
        return f"chooses {act.PLACES[argument]}{_occupants(state, argument)}"
    if verb in ("put", "bail"):
        return f"{'sends' if verb == 'put' else 'bails out'} the {MEMBER_NAMES[argument]}"
    if verb == "guards":
        return _placing(state, argument)
    if verb == "move":
        owner, member = divmod(argument, len(MEMBERS))
        where = "to prison" if state.card == FBI else f"to the {CARDS[state.card].capitalize()}"
        return f"sends seat {owner}'s {MEMBER_NAMES[member]} {where}"
    if verb == "charge":
        return f"takes protection money from {FAMILIES[argument]} (seat {argument})"
    return f"rehires {_guards(argument)}" if verb == "rehire" else f"invests {argument * INVEST_PRICE}"


def _occupants(state: CaponeState, place: int) -> str:
    if place >= len(SITES) or state.site_owner[place] < 0:
        return ""
    return f", held by seat {state.site_owner[place]} with {state.site_total[place]}"


def _placing(state: CaponeState, guards: int) -> str:
    placed = f"{_pieces(state.named, guards)} ({MASK_VALUE[state.named] + guards * GUARD_VALUE})"
    owner = state.site_owner[state.place]
    how = "moves into" if owner < 0 else "reinforces" if owner == state.to_act else "storms"
    return f"{'takes over' if state.card == TAKEOVER else how} {SITES[state.place]} with {placed}"
