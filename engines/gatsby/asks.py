"""What a seat can be asked, and the steps of each action in those words."""

from __future__ import annotations

from engines.gatsby.tables import ACTION_STEPS

ASKS = (
    "setup_pick",
    "setup_circle",
    "action",
    "cabaret",
    "cabaret_next",
    "cabaret_any",
    "track",
    "track_cell",
    "influence",
    "offer",
    "x_first",
    "x_second",
    "x_swap",
    "exchange_first",
    "exchange_second",
    "swap_own",
    "swap_other",
    "pick",
    "keep",
    "force",
    "over",
)
ASK_NUMBER = {name: number for number, name in enumerate(ASKS)}
(
    SETUP_PICK,
    SETUP_CIRCLE,
    ACTION,
    CABARET,
    CABARET_NEXT,
    CABARET_ANY,
    TRACK,
    TRACK_CELL,
    INFLUENCE,
    OFFER,
    X_FIRST,
    X_SECOND,
    X_SWAP,
    EXCHANGE_FIRST,
    EXCHANGE_SECOND,
    SWAP_OWN,
    SWAP_OTHER,
    PICK,
    KEEP,
    FORCE,
    OVER,
) = range(len(ASKS))

# Steps that leave no choice happen by themselves and are never asked.
ADVANCE = len(ASKS)
TRACK_SAME = ADVANCE + 1
_STEP_NUMBER = {**ASK_NUMBER, "advance": ADVANCE, "track_same": TRACK_SAME}

STEPS = tuple(tuple(_STEP_NUMBER[step] for step in steps) for steps in ACTION_STEPS)
PHASES = ("setup", "setup", "action", *("steps",) * (FORCE - CABARET), "force", "over")
