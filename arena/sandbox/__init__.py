"""The wall between a bot and the host."""

from arena.sandbox.errors import SandboxError, SandboxUnavailable

__all__ = ["SandboxError", "SandboxUnavailable"]
