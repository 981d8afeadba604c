"""Positions from JSON: a snapshot exactly, an observation with the hidden things drawn at random."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from operator import eq
from random import Random
from reprlib import repr as short

from engines.api import InvalidObservation, InvalidSnapshot, Json, Observation, Snapshot
from engines.gatsby.actions import EXCHANGE, STAY
from engines.gatsby.checks import Unreadable, same
from engines.gatsby.choices import CHOICES
from engines.gatsby.observation import observe
from engines.gatsby.reading import FIELDS, Sketch, read_view
from engines.gatsby.soundness import check
from engines.gatsby.state import GatsbyState, Log

# Fields whose numbers are compared but never read; all others hold texts only or were checked while reading.
_NUMBERS = frozenset(("rules_version", "seats", "options", "to_act", "ply", "outcome", "supply", "pile"))


def restore(snapshot: Snapshot) -> GatsbyState:
    """The state a snapshot was taken of; raises InvalidSnapshot."""
    if not isinstance(snapshot, Mapping):
        raise InvalidSnapshot(f"a snapshot is a JSON object, not {short(snapshot)}")
    view = dict(snapshot)
    seed = _read_seed(view.pop("seed", None))
    if view.get("seat") is not None:
        raise InvalidSnapshot(f"the seat of a snapshot is null, not {short(view['seat'])}")
    try:
        sketch = _understand(view)
    except Unreadable as why:
        raise InvalidSnapshot(f"this is no position of gatsby: {why}") from None
    # Nothing is hidden in a snapshot, so this source of chance decides nothing.
    return _fill(sketch, Random(0), seed)


def _read_seed(seed: Json) -> int:
    if type(seed) is str and seed.isascii() and seed.isdigit() and len(seed) < 40:
        number = int(seed)
        if number < 1 << 128 and str(number) == seed:
            return number
    raise InvalidSnapshot(f"the seed of a snapshot is a decimal string below 2**128, not {short(seed)}")


def imagine(observation: Observation, rng: Random) -> GatsbyState:
    """A state that the observing seat could be in; raises InvalidObservation."""
    if not isinstance(observation, Mapping):
        raise InvalidObservation(f"an observation is a JSON object, not {short(observation)}")
    try:
        text = json.dumps(observation)
    except (TypeError, ValueError, RecursionError):
        raise InvalidObservation(f"an observation is a JSON object, not {short(observation)}") from None
    try:
        return _fill(_understand_text(text), rng, rng.getrandbits(128))
    except Unreadable as why:
        raise InvalidObservation(f"this is no position of gatsby: {why}") from None


@lru_cache(maxsize=64)
def _understand_text(text: str) -> Sketch:
    """What an observation tells; a search that imagines it a thousand times pays for reading once."""
    view = json.loads(text)
    return _understand(view)


def _understand(view: dict[str, Json]) -> Sketch:
    """The sketch of a view, tried out once: a position filled in from it is sound and looks like the view."""
    sketch = read_view(view)
    s = _fill(sketch, Random(0), 0)
    check(s)
    _compare(observe(s, sketch.seat), view)
    sketch.state.result = s.result
    return sketch


def _compare(seen: Observation, view: dict[str, Json]) -> None:
    """Raise unless the position looks exactly like what was read."""
    for field in FIELDS:
        is_same = same if field in _NUMBERS else eq
        if not is_same(seen[field], view[field]):
            raise Unreadable(f"{field} can't be {short(view[field])} here")


def _fill(sketch: Sketch, rng: Random, seed: int) -> GatsbyState:
    """A whole position: the hidden characters, specials and choices drawn."""
    s = sketch.state.copy()
    cast, specials = sketch.cast.deal(rng), sketch.specials.deal(rng)
    s.deal = replace(s.deal, seed=seed, box=tuple(cast.box))
    s.at = tuple(cast.at)
    s.claimed = [cast.hand(0), cast.hand(1)]
    s.known = [cast.known(0), cast.known(1)]
    s.left_out = (tuple(specials.left_out[0]), tuple(specials.left_out[1]))
    s.drawn, s.pile = tuple(specials.drawn), tuple(specials.pile)
    if sketch.secrets:
        s.log = _with_secrets(s.log, sketch.seat, rng)
    s.legal = CHOICES[s.ask](s)
    return s


def _with_secrets(log: Log, seat: int | None, rng: Random) -> Log:
    """The log with what the other seat did with two face-down characters drawn: either is possible."""
    codes = []
    while log:
        log, code = log
        codes.append(code)
    for code in reversed(codes):
        if code & 1 and code >> 1 & 1 != seat:
            code = (EXCHANGE if rng.getrandbits(1) else STAY) << 2 | code & 3
        log = (log, code)
    return log
