"""The wall between a bot and the host."""

from arena.sandbox.doctor import Check, DoctorReport, doctor
from arena.sandbox.errors import SandboxError, SandboxUnavailable
from arena.sandbox.walls import Sandbox, require_sandbox

__all__ = ["Check", "DoctorReport", "Sandbox", "SandboxError", "SandboxUnavailable", "doctor", "require_sandbox"]
