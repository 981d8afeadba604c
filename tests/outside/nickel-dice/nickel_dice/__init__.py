"""Nickel Dice: keep one of two dice under the cup, bid on all that were kept, and doubt in time."""

from nickel_dice.game import GAME

__all__ = ["GAME"]
