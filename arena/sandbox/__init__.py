"""The wall between a bot and the host."""

from arena.sandbox.doctor import Check, DoctorReport, doctor
from arena.sandbox.errors import SandboxError, SandboxUnavailable, UnfairClock
from arena.sandbox.fairness import require_fairness
from arena.sandbox.walls import Sandbox, require_sandbox

__all__ = [
    "Check",
    "DoctorReport",
    "Sandbox",
    "SandboxError",
    "SandboxUnavailable",
    "UnfairClock",
    "doctor",
    "require_fairness",
    "require_sandbox",
]
