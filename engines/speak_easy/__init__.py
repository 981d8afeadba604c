"""Speak Easy: 25 hidden pieces a side, and a Speakeasy to find (RULES.md; BOTS.md for bots)."""

from engines.speak_easy.game import GAME

__all__ = ["GAME"]
