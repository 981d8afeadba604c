"""What a seat may know, as plain JSON values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.api import InvalidSetup, Json, Observation
from engines.capone import history, wants
from engines.capone.actions import PLACES
from engines.capone.tables import (
    CARDS,
    FAMILIES,
    LEGAL,
    MASK_VALUE,
    MEMBERS,
    MEMBERS_IN,
    NAMES_IN,
    PRISON_BLOCKS,
    RESTS,
    SITE_VALUE,
    SITES,
    TAKEOVER,
)

if TYPE_CHECKING:
    from engines.capone.state import CaponeState


def observe(state: CaponeState, seat: int | None) -> Observation:
    """The observation of a seat; None sees everything but the seed."""
    if seat is not None and (type(seat) is not int or not 0 <= seat < state.seats):
        raise InvalidSetup(f"seat {seat!r:.60} does not sit at this table; seats are 0 to {state.seats - 1}, or None")
    outcome = state.outcome()
    return {
        "game": state.game.name,
        "rules_version": state.game.rules_version,
        "seat": seat,
        "seats": state.seats,
        "options": {"income": state.income},
        "phase": wants.PHASES[state.want],
        "pending": pending(state),
        "to_act": state.to_act,
        "ply": state.ply,
        "outcome": outcome.as_json() if outcome else None,
        "log": history.texts(state.log, seat),
        "year": state.year,
        "first": state.first,
        "families": [family(state, other) for other in range(state.seats)],
        "sites": [site_content(state, site) for site in range(len(SITES))],
        "legal": [
            {"site": site, "owner": owner if owner >= 0 else None}
            for site, owner in zip(LEGAL, state.legal_owner, strict=True)
        ],
        "rests": {name: resting(state, rest) for rest, name in enumerate(RESTS)},
        "used": card_names(state.used),
        "hands": shown_to(seat, state.hands),
        "returned": shown_to(seat, state.returned),
        "unshown": shown_to(seat, state.unshown),
        "pile": card_names(state.pile) if seat is None else None,
        "pile_count": len(state.pile),
    }


def card_names(cards: tuple[int, ...]) -> list[str]:
    """The texts of cards."""
    return [CARDS[kind] for kind in cards]


def shown_to(seat: int | None, cards: list[tuple[int, ...]]) -> list[list[str] | None]:
    """Each seat's cards where the observing seat knows them (CA 9)."""
    return [card_names(own) if seat is None or seat == holder else None for holder, own in enumerate(cards)]


def pending(state: CaponeState) -> Json:
    """What is to be chosen now."""
    if state.want == wants.OVER:
        return None
    total = state.need + MASK_VALUE[state.named] if state.want == wants.PIECES else None
    return {
        "want": wants.WANTS[state.want],
        "card": CARDS[state.card] if state.card >= 0 else None,
        "place": PLACES[state.place] if state.place >= 0 else None,
        "members": list(NAMES_IN[state.named]),
        "least": None if state.card == TAKEOVER else total,
        "exactly": total if state.card == TAKEOVER else None,
    }


def family(state: CaponeState, seat: int) -> dict[str, Json]:
    """A seat's money and pieces off the board, and how many cards it has where."""
    return {
        "name": FAMILIES[seat],
        "cash": state.cash[seat],
        "marker": state.marker[seat],
        "home": list(NAMES_IN[state.home[seat]]),
        "guards": state.guards[seat],
        "park": state.park[seat],
        "lost": state.lost[seat],
        "prison": {
            str(block): list(NAMES_IN[state.prison[(block - 1) * state.seats + seat]])
            for block in range(PRISON_BLOCKS, 0, -1)
        },
        "harbour": list(NAMES_IN[state.harbour[seat]]),
        "hand_count": len(state.hands[seat]),
        "returned_count": len(state.returned[seat]),
        "unshown_count": len(state.unshown[seat]),
    }


def site_content(state: CaponeState, site: int) -> dict[str, Json]:
    """Who stands on an illegal site."""
    owner = state.site_owner[site]
    return {
        "site": SITES[site],
        "value": SITE_VALUE[site],
        "owner": owner if owner >= 0 else None,
        "members": list(NAMES_IN[state.site_members[site]]),
        "guards": state.site_guards[site],
        "total": state.site_total[site],
    }


def resting(state: CaponeState, rest: int) -> list[dict[str, Json]]:
    """The members at a rest place, by seat and table order."""
    masks = state.rests[rest * state.seats : (rest + 1) * state.seats]
    return [{"seat": seat, "member": MEMBERS[m]} for seat, mask in enumerate(masks) for m in MEMBERS_IN[mask]]
