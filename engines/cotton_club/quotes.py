"""Values as they are shown in messages: short, whatever they are."""

from __future__ import annotations

from reprlib import Repr

_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 60
_SHORT.maxlist = _SHORT.maxdict = _SHORT.maxtuple = 8


def quote(value: object) -> str:
    """The value as Python would write it, cut where it is long or deep."""
    if isinstance(value, int) and value.bit_length() > 128:  # Python refuses to write very long ints
        return f"an int of {value.bit_length()} bits"
    return _SHORT.repr(value)
