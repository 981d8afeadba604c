"""Capone: families earn in illegal businesses and launder a million (RULES.md)."""

from engines.capone.game import GAME

__all__ = ["GAME"]
