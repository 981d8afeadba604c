"""Gatsby, for two: gather three characters of a family, or one of each."""

from engines.gatsby.game import GAME

__all__ = ["GAME"]
