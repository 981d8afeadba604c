"""What a worker can do: its runtimes, its code, its limits. A match goes only to one that can play it."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from arena.sandbox.errors import SandboxUnavailable
from arena.sandbox.places import CODE_ROOT
from arena.sandbox.runtimes import RUNTIME_KINDS
from arena.sandbox.sandbox_folder import SandboxFolder, code_digest, files_of, game_digests
from arena.sandbox.walls import require_sandbox
from engines import GAMES


@dataclass(frozen=True, slots=True)
class Abilities:
    """As plain values, so that they can be shown and kept; problem says why nothing can be played at all."""

    runtimes: Mapping[str, str] = field(default_factory=dict)  # with their versions
    games: Mapping[str, int] = field(default_factory=dict)  # with the versions of their rules
    digests: Mapping[str, str] = field(
        default_factory=dict
    )  # of engines, games, kit, arena, root, and of all bots import
    limits: Mapping[str, int] = field(default_factory=dict)
    sandbox: str = ""
    layers: tuple[str, ...] = ()
    problem: str = ""

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "layers": list(self.layers)}

    def missing(self, runtimes: Collection[str]) -> list[str]:
        """Which of these runtimes can't be played here."""
        return sorted(set(runtimes) - set(self.runtimes))


@cache
def find_abilities() -> Abilities:
    """What this process can do; tried once, with the canary."""
    try:
        sandbox = require_sandbox()
    except SandboxUnavailable as error:
        return Abilities(limits=_limits(), problem=str(error))
    folder = sandbox.folder
    return Abilities(
        runtimes=runtimes_of(folder),
        games={name: GAMES[name].rules_version for name in GAMES},
        digests={
            "engines": _digest_of("engines"),
            "kit": _digest_of("bots/kit"),
            "arena": _digest_of("arena"),
            "code": code_digest(),
            **{f"game {name}": digest for name, digest in game_digests().items()},
            "root": folder.root.name,
        },
        limits=_limits(),
        sandbox=f"{sandbox.wall.kind} {sandbox.wall.version}",
        layers=sandbox.wall.layers,
    )


def runtimes_of(folder: SandboxFolder) -> dict[str, str]:
    found = {"python": _version(folder, folder.python), "native": platform.machine()}
    if folder.has_node:
        found["node"] = _version(folder, "node")
    return {name: found[name] for name in RUNTIME_KINDS if name in found}


def _version(folder: SandboxFolder, program: str) -> str:
    """What the program in the bots' own root says it is."""
    try:
        words = [str(folder.root / "usr" / "bin" / program), "--version"]
        libraries = ":".join(map(str, folder.root.glob("usr/lib/*-linux-*")))  # of its own: the host may have none
        env = {"LD_LIBRARY_PATH": libraries}
        told = subprocess.run(words, capture_output=True, text=True, timeout=20, env=env).stdout.split()
    except (OSError, subprocess.SubprocessError):
        return ""
    return told[-1].lstrip("v") if told else ""


def _digest_of(part: str) -> str:
    whole = sha256()
    for name, content in files_of(CODE_ROOT / part, Path(CODE_ROOT)):
        whole.update(f"{name}\n".encode() + sha256(content).digest())
    return whole.hexdigest()


def _limits() -> dict[str, int]:
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {"cores": len(os.sched_getaffinity(0)), "memory_mib": pages // (1 << 20)}
