"""Players of whom nothing tells which is which: their answers must not differ, whatever chance does."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import permutations

import numpy as np

from ladder.ratings.fit.evidence import Floats, Ints
from ladder.ratings.fit.model import Model

MOST_TRIED = 6  # players of whom all orders are tried
DIGITS = 9  # to which sums of weights are the same


def swaps_of(model: Model, fixed: Ints) -> Ints:
    """Ways to swap few players after which matches, priors and the fixed players say the same, a row each.

    All ways up to six players; of more, those that turn every group of interchangeable players round.
    """
    players, said, own = model.evidence.players, _said(model), _own(model, fixed)

    def is_alike(way: Ints) -> bool:
        return bool((own[way] == own).all()) and np.array_equal(said[way][:, way], said)

    if players > MOST_TRIED:
        return _turns(players, is_alike)
    ways = np.array(list(permutations(range(players))), dtype=np.int64)
    return np.array([way for way in ways if is_alike(way)], dtype=np.int64)


def _turns(players: int, is_alike: Callable[[Ints], bool]) -> Ints:
    everybody, groups = np.arange(players), list[list[int]]()
    for player in range(players):
        for group in groups:
            if is_alike(_swapped(everybody, [group[0], player], 1)):
                group.append(player)
                break
        else:
            groups.append([player])
    turns = [everybody] * math.lcm(*map(len, groups))
    for group in groups:
        turns = [_swapped(way, group, turn) for turn, way in enumerate(turns)]
    return np.array(turns, dtype=np.int64)


def _swapped(way: Ints, group: list[int], turn: int) -> Ints:
    """With each of a group in the place of the one so many further on."""
    swapped = way.copy()
    swapped[group] = np.roll(group, turn)
    return swapped


def _said(model: Model) -> Floats:
    """For each player against each other, at each two places: the points, and the weight of draws."""
    e = model.evidence
    shape = (e.players, e.players, e.places, e.places)
    there, back = (e.one, e.other, e.one_place, e.other_place), (e.other, e.one, e.other_place, e.one_place)
    at = np.concatenate([np.ravel_multi_index(way, shape) for way in (there, back)])
    won, weight = np.concatenate([e.won, 1 - e.won]), np.tile(e.weight, 2)
    said = [np.bincount(at, weight * value, math.prod(shape)) for value in (won, won == 0.5)]
    return np.asarray(np.round(np.stack(said, axis=-1), DIGITS).reshape(*shape, 2))


def _own(model: Model, fixed: Ints) -> Floats:
    """What is said of each player alone: its prior, and whether it is one of the fixed."""
    own = np.zeros((model.evidence.players, 3))
    own[fixed, 0] = 1
    own[model.past.players, 1], own[model.past.players, 2] = model.past.mean, model.past.sd
    return own
