"""A position filled in from a view: everything hidden drawn at random (GA 7.2, 7.3)."""

from __future__ import annotations

import marshal
from functools import lru_cache
from random import Random

from engines.api import Json
from engines.gatsby.actions import EXCHANGE, STAY
from engines.gatsby.choices import CHOICES
from engines.gatsby.deal import Deal
from engines.gatsby.observation import observe
from engines.gatsby.soundness import check
from engines.gatsby.state import GatsbyState
from engines.gatsby.views import Sketch, read_view
from engines.log import Log, chain, entries
from engines.reading import compare


@lru_cache(maxsize=64)
def understand(observation: bytes) -> Sketch:
    """What a packed observation tells, tried out once; a search that imagines it a thousand times pays once."""
    view = marshal.loads(observation)  # noqa: S302 (it was packed by `imagine`)
    sketch = read_view(view)
    sketch.state.result = _tried(sketch, view, 0).result
    return sketch


def whole_position(view: Json, seed: int) -> GatsbyState:
    """The position of a view that hides nothing."""
    return _tried(read_view(view), view, seed)


def _tried(sketch: Sketch, view: Json, seed: int) -> GatsbyState:
    """A position filled in from the sketch of a view, once it is known to be sound and to look like the view."""
    s = fill(sketch, Random(0), seed)
    check(s)
    compare(view, observe(s, sketch.seat))
    return s


def fill(sketch: Sketch, rng: Random, seed: int) -> GatsbyState:
    """A whole position: the hidden characters, specials and choices drawn; raises Unreadable if none can be."""
    s = sketch.state.copy()
    cast, specials = sketch.cast.deal(rng), sketch.specials.deal(rng)
    deal = s.deal
    s.deal = Deal(seed, deal.starter, deal.tiles, deal.prints, deal.up, tuple(cast.box))
    s.at = tuple(cast.at)
    s.claimed = [cast.hand(0), cast.hand(1)]
    s.known = [cast.known(seat, s.claimed[seat]) for seat in (0, 1)]
    s.left_out = (tuple(specials.left_out[0]), tuple(specials.left_out[1]))
    s.drawn, s.pile = tuple(specials.drawn), tuple(specials.pile)
    if sketch.secrets:
        s.log = _with_secrets(s.log, sketch.seat, rng)
    s.legal = CHOICES[s.choice].legal(s)
    return s


def _with_secrets(log: Log[int], seat: int | None, rng: Random) -> Log[int]:
    """The log with what the other seat did with two face-down characters drawn: either is possible."""
    return chain(
        (EXCHANGE if rng.getrandbits(1) else STAY) << 2 | code & 3 if code & 1 and code >> 1 & 1 != seat else code
        for code in entries(log)
    )
