"""What can be wrong on our side of the wall; never a bot's loss."""

from __future__ import annotations


class SandboxUnavailable(RuntimeError):
    """No match can be played here: says why and what to do about it."""

    def __init__(self, cause: str, cure: str) -> None:
        super().__init__(f"SANDBOX UNAVAILABLE: {cause} Fix: {cure}")
        self.cause = cause
        self.cure = cure


class UnfairClock(SandboxUnavailable):
    """Bots can be walled in here, but nobody could say whose time it was: nothing that counts may be played."""


class SandboxError(RuntimeError):
    """One start failed through no fault of the bot; retryable says whether another try may go better."""

    def __init__(self, message: str, *, retryable: bool = True) -> None:
        super().__init__(message)
        self.retryable = retryable
