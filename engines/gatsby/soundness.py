"""Can a position that was read stand in a game?"""

from __future__ import annotations

from engines.gatsby.bonuses import can_use
from engines.gatsby.choices import CHOICES
from engines.gatsby.position import (
    ACTION,
    EXCHANGE_FIRST,
    EXCHANGE_SECOND,
    FORCE,
    KEEP,
    OFFER,
    OVER,
    PICK,
    SETUP_CIRCLE,
    SETUP_PICK,
    SWAP_OTHER,
    SWAP_OWN,
    X_SECOND,
    X_SWAP,
    Position,
)
from engines.gatsby.scoring import judge
from engines.gatsby.steps import STEPS, open_actions
from engines.gatsby.tables import CABARET_MASK, NONE
from engines.gatsby.turns import due_claims
from engines.reading import require

# What is asked only as a step of an action; own tokens to swap are asked for by a bonus as well.
_ONLY_AS_STEPS = {step for steps in STEPS for step in steps} - {SWAP_OWN}


def check(s: Position) -> None:
    """Raise Unreadable unless this position can stand in a game; finds its outcome and its legal actions."""
    row = CHOICES[s.choice]
    is_within = row.phase == "steps"
    if is_within:
        _check_within_action(s, row.name)
    else:
        _check_between_actions(s, row.name)
    require(bool(s.drawn) == (s.choice in (SETUP_PICK, PICK)), "specials are drawn to be picked from")
    _CHECKS.get(s.choice, _nothing_more)(s)
    _check_table(s)
    require(is_within or not due_claims(s, s.turn), "a character that is due was not claimed")
    s.legal = row.legal(s)
    require(bool(s.legal) or s.choice == OVER, f"nothing can be chosen for {row.name!r}")


def _check_between_actions(s: Position, name: str) -> None:
    blank = s.action == NONE and s.step == 0 and s.last == NONE and not s.tracks and not s.offers
    require(blank, f"{name!r} is asked between actions")
    require(s.forcing == (s.choice == FORCE), "force stands while F waits for its choice")


def _check_within_action(s: Position, name: str) -> None:
    require(s.action != NONE and s.step > 0, f"{name!r} is asked within an action")
    require(s.action == s.marker, "the marker lies on the action that is carried out")
    step = STEPS[s.action][s.step - 1]
    require(s.choice not in _ONLY_AS_STEPS or s.choice == step, f"{name!r} is no step of this action now")


def _nothing_more(s: Position) -> None:
    pass


def _check_setup(s: Position) -> None:
    require(s.turn == 1 - s.deal.starter, "the seat that doesn't start makes the choices of the setup")
    untouched = not s.filled and not any(s.floors) and NONE not in s.at
    require(untouched, "nothing lies on the table before the setup is done")


def _check_action(s: Position) -> None:
    require(s.forced == NONE or s.forced in open_actions(s, s.turn), "the forced action can't be chosen")


def _check_offer(s: Position) -> None:
    require(bool(s.offers) and can_use(s, s.offers[0]), "the offered bonus could do nothing")


def _check_second_place(s: Position) -> None:
    require(s.at[s.first] != NONE, "no character lies on the chosen place")


def _check_exchange(s: Position) -> None:
    require(STEPS[s.action][s.step - 1] == EXCHANGE_FIRST, "no step of this action exchanges characters now")
    _check_second_place(s)


def _check_both_places(s: Position) -> None:
    require(s.first < s.second and NONE not in (s.at[s.first], s.at[s.second]), "no two characters lie there")


def _check_own_token(s: Position) -> None:
    require(bool(s.tokens[s.turn] >> s.first & 1), "the chosen cell holds no own token")


def _check_two_specials(s: Position) -> None:
    require(s.slots[s.turn] != NONE, "there is no second special to choose from")


_CHECKS = {
    SETUP_PICK: _check_setup,
    SETUP_CIRCLE: _check_setup,
    ACTION: _check_action,
    OFFER: _check_offer,
    X_SECOND: _check_second_place,
    EXCHANGE_SECOND: _check_exchange,
    X_SWAP: _check_both_places,
    SWAP_OTHER: _check_own_token,
    KEEP: _check_two_specials,
}


_PLIES_OF_SETUP = {SETUP_PICK: 0, SETUP_CIRCLE: 1}


def _check_table(s: Position) -> None:
    """Does the table fit the log, and is the game over exactly when it should be?"""
    in_setup = s.choice in _PLIES_OF_SETUP
    fits = s.ply == _PLIES_OF_SETUP[s.choice] if in_setup else s.ply >= len(_PLIES_OF_SETUP)
    require(fits, "the log is too short or too long")
    require(in_setup or s.filled & CABARET_MASK != 0, "the first token lies in the cabaret")
    require(s.choice == ACTION or s.forced == NONE, "a forced action is chosen at once")
    s.result = judge(hands=s.claimed, at=s.at, slots=s.slots, aside=s.aside, mover=s.turn)
    require(bool(s.result) == (s.choice == OVER), "the game is over when a seat has won or a place is empty")
