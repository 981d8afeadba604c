"""What a seat may know, and what every seat may know, as plain JSON values (CA 9)."""

from __future__ import annotations

from engines.api import Json, Observation, check_viewer
from engines.capone.actions import END, HIDDEN_LINES, LINES, PLACES
from engines.capone.choices import CHOICES
from engines.capone.position import OVER, PIECES, Position
from engines.capone.scoring import outcome
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
from engines.log import entries

# Sites that nobody holds, which is most of them.
EMPTY_SITES: list[Json] = [
    {"site": site, "value": value, "owner": None, "members": [], "guards": 0, "total": 0}
    for site, value in zip(SITES, SITE_VALUE, strict=True)
]
_PRISON = [(block - 1, str(block)) for block in range(PRISON_BLOCKS, 0, -1)]
_ANYBODY = -1  # a viewer that knows only what every seat knows


def observe(state: Position, seat: Json) -> Observation:
    """The observation of a seat; None sees everything but the seed."""
    check_viewer(seat, state.seats)
    return _view(state, seat)


def observe_public(state: Position) -> Observation:
    """What every seat may know: no hand, no card returned or discarded unused, no pile."""
    return {**_view(state, _ANYBODY), "seat": None}


def _view(state: Position, viewer: int | None) -> Observation:
    is_over = state.choice == OVER
    return {
        "game": state.game.name,
        "rules_version": state.game.rules_version,
        "seat": viewer,
        "seats": state.seats,
        "options": {"income": state.income},
        "phase": CHOICES[state.choice].phase,
        "pending": None if is_over else _pending(state),
        "to_act": state.to_act,
        "ply": state.ply,
        "outcome": outcome(state).as_json() if is_over else None,
        "log": _log(state, viewer),
        "year": state.year,
        "first": state.first,
        "families": [_family(state, seat) for seat in range(state.seats)],
        "sites": [_site(state, site, owner) for site, owner in enumerate(state.site_owner)],
        "legal": [
            {"site": site, "owner": owner if owner >= 0 else None}
            for site, owner in zip(LEGAL, state.legal_owner, strict=True)
        ],
        "rests": {name: _resting(state, rest) for rest, name in enumerate(RESTS)},
        "used": _names(state.used),
        "hands": _shown_to(viewer, state.hands),
        "returned": _shown_to(viewer, state.returned),
        "unshown": _shown_to(viewer, state.unshown),
        "pile": _names(state.pile) if viewer is None else None,
        "pile_count": len(state.pile),
    }


def _log(state: Position, viewer: int | None) -> list[str]:
    """The actions of this year as the viewer saw them, oldest first."""
    happened = entries(state.log)
    if viewer is None:
        return [LINES[entry] for entry in happened]
    first, last = viewer * END, (viewer + 1) * END
    return [LINES[entry] if first <= entry < last else HIDDEN_LINES[entry] for entry in happened]


def _names(cards: tuple[int, ...]) -> list[str]:
    return [CARDS[kind] for kind in cards]


def _shown_to(viewer: int | None, cards: list[tuple[int, ...]]) -> list[list[str] | None]:
    """Each seat's cards where the viewer knows them."""
    return [_names(own) if viewer is None or viewer == holder else None for holder, own in enumerate(cards)]


def _pending(state: Position) -> Json:
    """What is to be chosen now."""
    total = state.need + MASK_VALUE[state.named] if state.choice == PIECES else None
    return {
        "want": CHOICES[state.choice].name,
        "card": CARDS[state.card] if state.card >= 0 else None,
        "place": PLACES[state.place] if state.place >= 0 else None,
        "members": list(NAMES_IN[state.named]),
        "least": None if state.card == TAKEOVER else total,
        "exactly": total if state.card == TAKEOVER else None,
    }


def _family(state: Position, seat: int) -> Json:
    """A seat's money and pieces off the board, and how many cards it has where."""
    return {
        "name": FAMILIES[seat],
        "cash": state.cash[seat],
        "marker": state.marker[seat],
        "home": list(NAMES_IN[state.home[seat]]),
        "guards": state.guards[seat],
        "park": state.park[seat],
        "lost": state.lost[seat],
        "prison": {name: list(NAMES_IN[state.prison[place * state.seats + seat]]) for place, name in _PRISON},
        "harbour": list(NAMES_IN[state.harbour[seat]]),
        "hand_count": len(state.hands[seat]),
        "returned_count": len(state.returned[seat]),
        "unshown_count": len(state.unshown[seat]),
    }


def _site(state: Position, site: int, owner: int) -> Json:
    """Who stands on an illegal site."""
    if owner < 0:
        return {**EMPTY_SITES[site], "members": []}
    return {
        "site": SITES[site],
        "value": SITE_VALUE[site],
        "owner": owner,
        "members": list(NAMES_IN[state.site_members[site]]),
        "guards": state.site_guards[site],
        "total": state.site_total[site],
    }


def _resting(state: Position, rest: int) -> Json:
    """The members at a rest place, by seat and table order."""
    masks = state.rests[rest * state.seats : (rest + 1) * state.seats]
    return [{"seat": seat, "member": MEMBERS[m]} for seat, mask in enumerate(masks) for m in MEMBERS_IN[mask]]
