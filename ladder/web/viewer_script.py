"""The replay viewer with one drawing as a single script, so that a browser asks once and not for each module."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from arena.plain import drawing_of
from arena.standalone import bundle
from engines import GAMES

FIRST_PLY = re.compile(r"^const firstPly = (\d+);", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ViewerScript:
    """A script, the digest that its address holds (under that it never changes), and the ply that it shows first."""

    drawing: str
    digest: str
    text: str
    first_ply: int


def has_script(drawing: str) -> bool:
    """Whether a game is drawn so."""
    return any(drawing_of(name) == drawing for name in GAMES)


@lru_cache(maxsize=16)
def viewer_script(drawing: str) -> ViewerScript:
    """The script of a drawing."""
    text = f'"use strict";\n{bundle(drawing)}'
    first = FIRST_PLY.search(text)
    return ViewerScript(drawing, sha256(text.encode()).hexdigest()[:12], text, int(first[1]) if first else 0)
