"""Capone, 3 to 6 seats: RULES.md states the rules, BOTS.md the actions and the observation."""

from engines.capone.game import GAME

__all__ = ["GAME"]
