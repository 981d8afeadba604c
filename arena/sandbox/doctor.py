"""Looks this machine over: which layers work, what is missing, and how to get it."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass

from arena.sandbox import cgroups, tmpfs
from arena.sandbox.errors import SandboxUnavailable
from arena.sandbox.fairness import require_fairness
from arena.sandbox.places import is_root
from arena.sandbox.profile import LAYERS
from arena.sandbox.sandbox_folder import SandboxFolder, current_folder
from arena.sandbox.walls import CURE, WallTrial, candidates, try_wall, try_warm


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was tried; what is not needed may fail without harm."""

    name: str
    ok: bool
    detail: str
    cure: str = ""
    is_needed: bool = True


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """What the doctor found; sandbox is the kind that matches will use, empty when there is none."""

    checks: tuple[Check, ...]
    sandbox: str
    layers: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return bool(self.sandbox)


def doctor() -> DoctorReport:
    """Try everything once."""
    checks = [_machine()]
    folder: SandboxFolder | None = None
    try:
        on_disk, moved = current_folder(), tmpfs.moved_folder()
        folder = moved.folder
        checks.append(Check("sandbox folder", True, f"{on_disk.root.parent}, engines {folder.digest[:12]}"))
        checks.append(_memory(moved))
    except SandboxUnavailable as error:
        checks.append(Check("sandbox folder", False, error.cause, error.cure))
    trials = _trials(folder) if folder is not None and checks[0].ok else []
    checks += _walls(trials)
    checks += _extras(folder)
    held = next((trial.wall for trial in trials if trial.ok), None)
    if held is None:
        return DoctorReport(tuple(checks), "", ())
    if folder is not None:
        checks.append(_warm(try_warm(held, folder)))
    checks += [Check(f"layer {layer}", held.has(layer), _layer_detail(layer), is_needed=False) for layer in LAYERS]
    return DoctorReport(tuple(checks), f"{held.kind} {held.version}", held.layers)


def _memory(moved: tmpfs.PlacedFolder) -> Check:
    """Played without, matches can leave each other signs; so it is told, and missing from their records."""
    where = f"bots' files are in memory, {moved.folder.root.parent}"
    detail = f"bots' files are on disk, whose caches remember: {moved.problem}" if moved.problem else where
    return Check("tmpfs", not moved.problem, detail, tmpfs.CURE if moved.problem else "", is_needed=False)


def _warm(trial: WallTrial) -> Check:
    detail = f"every Python bot begins anew: {trial.problem}" if trial.problem else "Python bots begin in a few ms"
    return Check("warm starts", trial.ok, detail, is_needed=False)


def _machine() -> Check:
    ok = platform.system() == "Linux" and platform.machine() == "x86_64"
    who = "root: each bot gets a user of its own" if is_root() else f"user {os.getuid()}"
    return Check(
        "machine", ok, f"{platform.system()} {platform.release()} {platform.machine()}, {who}", "use x86-64 Linux"
    )


def _trials(folder: SandboxFolder) -> list[WallTrial]:
    try:
        return [try_wall(wall, folder) for wall in candidates()]
    except SandboxUnavailable:
        return []


def _walls(trials: list[WallTrial]) -> Iterator[Check]:
    """One wall that holds is enough; the others are reported for what they are."""
    if not trials:
        yield Check("bubblewrap", False, "none was tried", CURE)
    any_holds = any(trial.ok for trial in trials)
    for trial in trials:
        detail = trial.problem or f"{trial.wall.program} {trial.wall.version}: the canary could do nothing"
        yield Check(f"wall {trial.wall.kind}", trial.ok, detail, "" if trial.ok else CURE, is_needed=not any_holds)


def _extras(folder: SandboxFolder | None) -> Iterator[Check]:
    node = folder is not None and folder.has_node
    yield Check(
        "runtime node", node, "node bots can play" if node else "node bots can't play here",
        "" if node else "install node and run `make setup`", is_needed=False,
    )  # fmt: skip
    problem = cgroups.probe()
    yield Check(
        "memory cgroups", not problem, problem or "can be made; limits do without them",
        "delegate a memory cgroup (systemd: Delegate=memory)" if problem else "", is_needed=False,
    )  # fmt: skip
    freezer = cgroups.freezer_home()
    yield Check(
        "freezer", freezer is not None, "the kernel freezes waiting bots" if freezer else "signals stop waiting bots",
        "" if freezer else "delegate a control group, version 2 (systemd: Delegate=yes)", is_needed=False,
    )  # fmt: skip
    yield _clock()
    waits = os.path.exists("/proc/self/schedstat")
    yield Check(
        "run-queue wait", waits, "starvation is told apart" if waits else "the kernel does not tell it",
        "" if waits else "use a kernel with CONFIG_SCHED_INFO", is_needed=False,
    )  # fmt: skip
    cores = len(os.sched_getaffinity(0))
    yield Check("cores", True, f"{cores}: as many matches at once", is_needed=False)


def _clock() -> Check:
    """Not needed at a desk; workers without it play nothing."""
    try:
        require_fairness()
    except SandboxUnavailable as error:
        return Check("clock", False, error.cause, error.cure, is_needed=False)
    return Check("clock", True, "the kernel counts what others use of a core", is_needed=False)


def _layer_detail(layer: str) -> str:
    return {
        "own_user": f"nobody inside; outside {'a user of its own' if is_root() else 'the user who runs the match'}",
        "user_namespace": "no rights over anything outside",
        "no_more_namespaces": "and none to be had",
        "namespaces": "no other processes, no network, no memory shared with others",
        "no_kernel_tables": "no /proc, nothing that counts what others do",
        "own_files": "only the sandbox folder and its own bundle, read-only",
        "forgetful_files": "in memory, where no look-up leaves a trace",
        "small_tmp": "16 MiB of /tmp",
        "read_only_dev": "no other place to write",
        "clean_environment": "nothing of the runner's environment",
        "syscall_filter": "an allow-list of system calls",
        "limits": "memory, threads, files, cpu",
        "own_session": "no terminal",
        "dies_with_runner": "nothing outlives the runner",
    }[layer]
