"""How far the versions of one bot lie apart: some authors change a byte, others a mind."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ladder.ratings.fit.evidence import Floats, Ints

STEPS = np.array([0.1, 0.3, 0.6, 1.0, 1.6, 2.6, 4.2])  # standard deviations from one version to the next
BELIEVED = np.array([0.2, 0.06, 0.06, 0.1, 0.16, 0.22, 0.2]) * 2.0  # as if so many families had each
PARTS = (1 / 6, 1 / 2, 5 / 6)  # of what is probable about a family's step, each taken for its third
MIXES = 5  # steps towards the shares of the steps among all families


@dataclass(frozen=True)
class Families:
    """Linked players: each link's family, and the members of each family with its first version in front."""

    players: int
    new: Ints
    old: Ints

    @cached_property
    def root_of(self) -> Ints:
        """The first version of each player's family."""
        root = np.arange(self.players)
        root[self.new] = self.old
        while (root != root[root]).any():
            root = root[root]
        return root

    @cached_property
    def by_size(self) -> list[tuple[Ints, Ints, Ints]]:
        """Families of the same size together: members (family, place), and the places of the links' ends."""
        members: dict[int, list[int]] = {}
        links: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for new, old in zip(self.new.tolist(), self.old.tolist(), strict=True):
            root = int(self.root_of[new])
            members.setdefault(root, [root]).append(new)
            links[root].append((new, old))
        sizes: dict[int, list[int]] = defaultdict(list)
        for root, family in members.items():
            sizes[len(family)].append(root)
        found = []
        for _, roots in sorted(sizes.items()):
            places = [{player: at for at, player in enumerate(members[root])} for root in roots]
            new = [[place[link[0]] for link in links[root]] for root, place in zip(roots, places, strict=True)]
            old = [[place[link[1]] for link in links[root]] for root, place in zip(roots, places, strict=True)]
            found.append((np.array([members[root] for root in roots]), np.array(new), np.array(old)))
        return found

    def steps(self, pull: Floats, information: Floats, own: Floats) -> Floats:
        """The step of each link: what its family's results say, and what is usual among all families.

        `pull` and `information` are those of the matches alone, as if everybody else were certain; `own` is what was
        known of first versions before.
        """
        evidence = [self._evidence(group, pull, information, own) for group in self.by_size]
        share = BELIEVED / BELIEVED.sum()
        for _ in range(MIXES):
            posterior = [_normalised(each + np.log(share)) for each in evidence]
            share = BELIEVED + sum(each.sum(axis=0) for each in posterior)
            share = share / share.sum()
        step = np.ones((len(PARTS), self.players))
        for (members, _, _), each in zip(self.by_size, evidence, strict=True):
            step[:, members] = _quantiles(_normalised(each + np.log(share)))[:, :, None]
        return np.asarray(step[:, self.new])

    def _evidence(self, group: tuple[Ints, Ints, Ints], pull: Floats, information: Floats, own: Floats) -> Floats:
        """For each family and each step, the logarithm of how probable its results are."""
        members, new, old = group
        count, size = members.shape
        rows = np.arange(count)[:, None]
        ties = np.zeros((count, size, size))
        np.add.at(ties, (rows, new, new), 1.0)
        np.add.at(ties, (rows, old, old), 1.0)
        np.add.at(ties, (rows, new, old), -1.0)
        np.add.at(ties, (rows, old, new), -1.0)
        known = np.zeros((count, size, size))
        known[:, np.arange(size), np.arange(size)] = information[members]
        known[:, 0, 0] += own[members[:, 0]]
        found = []
        for step in STEPS:
            whole = known + ties / step**2
            b = pull[members][:, :, None]
            gain = (b * np.linalg.solve(whole, b)).sum(axis=(1, 2))
            found.append(gain / 2 - np.linalg.slogdet(whole)[1] / 2 - (size - 1) * np.log(step))
        return np.stack(found, axis=1)


def _quantiles(weight: Floats) -> Floats:
    """The steps of each family at every part of what is probable, between the steps of the grid."""
    ends = np.cumsum(weight, axis=1)
    middles = ends - weight / 2
    return np.array([[np.exp(np.interp(part, each, np.log(STEPS))) for each in middles] for part in PARTS])


def _normalised(logarithm: Floats) -> Floats:
    weight = np.exp(logarithm - logarithm.max(axis=1, keepdims=True))
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))
