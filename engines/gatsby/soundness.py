"""Can a position that was read stand in a game?"""

from __future__ import annotations

from engines.gatsby import asks
from engines.gatsby.asks import ASKS, PHASES, STEPS
from engines.gatsby.bonuses import can_use
from engines.gatsby.checks import require
from engines.gatsby.choices import CHOICES, open_actions
from engines.gatsby.scoring import judge
from engines.gatsby.state import GatsbyState
from engines.gatsby.tables import CABARET, NONE
from engines.gatsby.turn import due_claims

_BETWEEN_ACTIONS = (asks.SETUP_PICK, asks.SETUP_CIRCLE, asks.ACTION, asks.FORCE, asks.OVER)


def check(s: GatsbyState) -> None:
    """Raise Unreadable unless this position can stand in a game; finds its outcome and its legal actions."""
    _check_asked(s)
    _check_table(s)
    s.legal = CHOICES[s.ask](s)
    require(bool(s.legal) or s.ask == asks.OVER, f"nothing can be chosen for {ASKS[s.ask]!r}")


def _check_asked(s: GatsbyState) -> None:
    """Is this asked at such a point of a turn?"""
    if s.ask in _BETWEEN_ACTIONS:
        blank = s.action == NONE and s.step == 0 and s.last == NONE and not s.tracks and not s.offers
        require(blank, f"{ASKS[s.ask]!r} is asked between actions")
        require(s.forcing == (s.ask == asks.FORCE), "force stands while F waits for its choice")
    else:
        require(s.action != NONE and s.step > 0, f"{ASKS[s.ask]!r} is asked within an action")
        require(s.action == s.marker, "the marker lies on the action that is carried out")
        step = STEPS[s.action][s.step - 1]
        require(s.ask not in _STEP_ASKS or s.ask == step, f"{ASKS[s.ask]!r} is no step of this action now")
    require(bool(s.drawn) == (s.ask in (asks.SETUP_PICK, asks.PICK)), "specials are drawn to be picked from")
    _ASKED_CHECKS.get(s.ask, _nothing_more)(s)


_STEP_ASKS = (asks.CABARET, asks.CABARET_NEXT, asks.CABARET_ANY, asks.TRACK, asks.TRACK_CELL, asks.EXCHANGE_FIRST)


def _nothing_more(s: GatsbyState) -> None:
    pass


def _check_setup(s: GatsbyState) -> None:
    require(s.turn == 1 - s.deal.starter, "the seat that doesn't start makes the choices of the setup")
    untouched = not s.filled and not any(s.floors) and NONE not in s.at
    require(untouched, "nothing lies on the table before the setup is done")


def _check_action(s: GatsbyState) -> None:
    require(s.forced == NONE or s.forced in open_actions(s, s.turn), "the forced action can't be chosen")


def _check_offer(s: GatsbyState) -> None:
    require(bool(s.offers) and can_use(s, s.offers[0]), "the offered bonus could do nothing")


def _check_second_place(s: GatsbyState) -> None:
    require(s.at[s.first] != NONE, "no character lies on the chosen place")


def _check_exchange(s: GatsbyState) -> None:
    require(STEPS[s.action][s.step - 1] == asks.EXCHANGE_FIRST, "no step of this action exchanges characters now")
    _check_second_place(s)


def _check_both_places(s: GatsbyState) -> None:
    require(s.first < s.second and NONE not in (s.at[s.first], s.at[s.second]), "no two characters lie there")


def _check_own_token(s: GatsbyState) -> None:
    require(bool(s.tokens[s.turn] >> s.first & 1), "the chosen cell holds no own token")


def _check_two_specials(s: GatsbyState) -> None:
    require(s.slots[s.turn] != NONE, "there is no second special to choose from")


_ASKED_CHECKS = {
    asks.SETUP_PICK: _check_setup,
    asks.SETUP_CIRCLE: _check_setup,
    asks.ACTION: _check_action,
    asks.OFFER: _check_offer,
    asks.X_SECOND: _check_second_place,
    asks.EXCHANGE_SECOND: _check_exchange,
    asks.X_SWAP: _check_both_places,
    asks.SWAP_OTHER: _check_own_token,
    asks.KEEP: _check_two_specials,
}


def _check_table(s: GatsbyState) -> None:
    """Does the table fit the log, and is the game over exactly when it should be?"""
    in_setup = PHASES[s.ask] == "setup"
    require(s.ply == s.ask if in_setup else s.ply > asks.SETUP_CIRCLE, "the log is too short or too long")
    require(in_setup or s.filled & CABARET != 0, "the first token lies in the cabaret")
    require(s.ask == asks.ACTION or s.forced == NONE, "a forced action is chosen at once")
    s.result = judge(hands=s.claimed, at=s.at, slots=s.slots, aside=s.aside, mover=s.turn)
    require(bool(s.result) == (s.ask == asks.OVER), "the game is over when a seat has won or a place is empty")
    if s.ask in _BETWEEN_ACTIONS:
        require(not due_claims(s, s.turn), "a character that is due was not claimed")
