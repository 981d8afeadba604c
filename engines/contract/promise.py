"""How a promise is held to."""

from __future__ import annotations

from collections.abc import Callable

from engines.api import EngineError


class BrokenPromise(AssertionError):
    """The game does not do what the contract says; the message tells where and what."""


def hold(holds: bool, told: str) -> None:
    """Raise BrokenPromise with what was told unless it holds."""
    if not holds:
        raise BrokenPromise(told)


def refused(error: type[EngineError], what: str, call: Callable[[], object], *, saying: str = "") -> None:
    """Hold that a call is refused with this error and that its message says this."""
    try:
        call()
    except error as refusal:
        hold(saying in str(refusal), f"{what} is refused, but the message does not name {saying!r}: {refusal}")
    else:
        raise BrokenPromise(f"{what} is accepted; expected {error.__name__}")
