"""Plays one match and shows it: ``play(order, bundles)`` gives a record that anyone can verify."""

from __future__ import annotations

from arena.abilities import Abilities, find_abilities
from arena.bundle import (
    Bundle,
    BundleLimits,
    BundleRejected,
    Manifest,
    open_folder,
    read_bundle,
    read_bundle_file,
    store_bundle,
)
from arena.framing import PUBLIC, Camera, Frame, View, apply_changes, changes_between, frames
from arena.match import MatchAborted, Progress, play
from arena.order import InvalidOrder, Limits, MatchOrder
from arena.packing import pack, read_record, unpack
from arena.ranking import is_cut, is_void, ranks_with_faults
from arena.record import (
    ENDINGS,
    FAULT_KINDS,
    FINISHED,
    HOST_FAULT,
    UNSANDBOXED,
    Fault,
    HostFacts,
    InvalidRecord,
    MatchRecord,
    Note,
    PlayedAction,
    SandboxFacts,
    SeatReport,
    digest_of,
)
from arena.redaction import SeatView, redact, seat_view
from arena.replay import Unplayable
from arena.sandbox import (
    Check,
    DoctorReport,
    Sandbox,
    SandboxError,
    SandboxUnavailable,
    UnfairClock,
    doctor,
    require_fairness,
    require_sandbox,
)
from arena.verification import Verification, verify

__all__ = [
    "ENDINGS",
    "FAULT_KINDS",
    "FINISHED",
    "HOST_FAULT",
    "PUBLIC",
    "UNSANDBOXED",
    "Abilities",
    "Bundle",
    "BundleLimits",
    "BundleRejected",
    "Camera",
    "Check",
    "DoctorReport",
    "Fault",
    "Frame",
    "HostFacts",
    "InvalidOrder",
    "InvalidRecord",
    "Limits",
    "Manifest",
    "MatchAborted",
    "MatchOrder",
    "MatchRecord",
    "Note",
    "PlayedAction",
    "Progress",
    "Sandbox",
    "SandboxError",
    "SandboxFacts",
    "SandboxUnavailable",
    "SeatReport",
    "SeatView",
    "UnfairClock",
    "Unplayable",
    "Verification",
    "View",
    "apply_changes",
    "changes_between",
    "digest_of",
    "doctor",
    "find_abilities",
    "frames",
    "is_cut",
    "is_void",
    "open_folder",
    "pack",
    "play",
    "ranks_with_faults",
    "read_bundle",
    "read_bundle_file",
    "read_record",
    "redact",
    "require_fairness",
    "require_sandbox",
    "seat_view",
    "store_bundle",
    "unpack",
    "verify",
]
