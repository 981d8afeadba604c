"""1923 Cotton Club, 2 to 4 seats: RULES.md states the rules, BOTS.md the actions and the observation."""

from engines.cotton_club.game import GAME

__all__ = ["GAME"]
