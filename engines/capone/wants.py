"""The kinds of choice a seat can be asked for, and the phase of the year each belongs to."""

from __future__ import annotations

from engines.capone.tables import FBI, FIRST_LEGAL, FIRST_REST, OFFER, PROTECTION, RESTS, TAKEOVER

RETURN, CARD, PLACE, MEMBER, SEAT, PIECES, BAIL, REHIRE, INVEST, OVER = range(10)

WANTS = ("return", "card", "place", "member", "seat", "pieces", "bail", "rehire", "invest")
PHASES = ("exchange", "turn", "turn", "turn", "turn", "turn", "settlement", "settlement", "settlement", "over")
# How a refusal names what is to be chosen.
ASKED = (
    "a card to return, or done",
    "a card to use or discard, or a bail",
    "a place",
    "a member to move",
    "a seat to charge",
    "pieces to place",
    "a bail, or what follows it in the settlement",
    "bodyguards to rehire",
    "steps to invest",
    "nothing: the game is over",
)
# The verbs that answer each of them, if only the argument is right.
VERBS_ASKED = (
    ("done", "return"),
    ("use", "discard", "bail"),
    ("at",),
    ("move",),
    ("charge",),
    ("put", "guards"),
    ("bail", "rehire", "invest"),
    ("rehire",),
    ("invest",),
    (),
)
# What a card asks for once it is shown; a legal business asks for nothing.
ASKED_BY_CARD = {
    **dict.fromkeys(range(FIRST_LEGAL), PLACE),
    **dict.fromkeys(range(FIRST_REST, FIRST_REST + len(RESTS)), MEMBER),
    FBI: MEMBER,
    PROTECTION: SEAT,
    TAKEOVER: PLACE,
    OFFER: PLACE,
}
