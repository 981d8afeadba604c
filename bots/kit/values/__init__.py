"""How good a position looks, one module a game: an estimate for each seat, 0 (lost) to 1 (won), without looking ahead.

Import the module of your game alone (`from bots.kit.values import capone`): a bot pays for its start in cpu time.
"""
