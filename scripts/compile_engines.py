"""Compile the engines from their one source with mypyc, aside; who imports them next finds the build.

Without a C compiler nothing is built and the engines run as plain Python. `--require` makes that an error.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ["RUMRUNNER_ENGINES"] = "pure"  # a build that can't be loaded must not stop the next one

from engines import compiled  # noqa: E402

REQUIREMENTS = ROOT / "requirements" / "compile.txt"
TOOLS = Path(sys.prefix) / "compile-tools"  # where mypyc is put if the environment has none
# Shared modules that are worth it, and modules of each game that are not: they are asked now and then.
SHARED = ("chance", "log", "reading", "refusals")
LEFT_PURE = ("__init__", "game", "words")
LEFT_PURE_TOO = ("capone/tables.py", "gatsby/tables.py")
KEPT = 3  # builds; processes that run may still use those before the last one

BUILD = """
import sys
from mypyc.build import mypycify
from setuptools import setup

extensions = mypycify(
    ["--config-file", "mypy.ini", *sys.argv[2:]], opt_level="1", debug_level="0", multi_file=True,
    group_name=sys.argv[1].removesuffix("__mypyc"), target_dir="c",
)
for extension in extensions:
    extension.extra_compile_args.append("-Wno-error")
setup(name="engines", packages=[], ext_modules=extensions, script_args=["-q", "build_ext", "--build-lib", "built"])
"""


class CannotBuild(RuntimeError):
    """Why no build can be made here, and what would help."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--require", action="store_true", help="fail where the engines can't be compiled")
    arguments = parser.parse_args()
    try:
        print(f"compiled engines: {build()}")
    except CannotBuild as reason:
        print(f"The engines run as plain Python: {reason}", file=sys.stderr)
        return 1 if arguments.require else 0
    return 0


def build() -> Path:
    """The build of the source as it is now, made if it is not there; raises CannotBuild."""
    found = compiled.current_build()
    if found is None:
        check_compiler()
        with locked():
            found = compiled.current_build() or make(with_mypyc())
    return Path(found)


def check_compiler() -> None:
    """Raise CannotBuild unless there are a C compiler and Python's headers."""
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if shutil.which(compiler.split()[0]) is None:
        raise CannotBuild(f"there is no C compiler ({compiler.split()[0]}). Fix: apt-get install gcc")
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    if not headers.exists():
        raise CannotBuild(f"{headers} is missing. Fix: apt-get install python3-dev")


@contextmanager
def locked() -> Iterator[None]:
    """One builder at a time."""
    os.makedirs(compiled.BUILDS, exist_ok=True)
    with open(os.path.join(compiled.BUILDS, ".lock"), "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def with_mypyc() -> dict[str, str]:
    """An environment in which mypyc can be imported, installed aside if need be; raises CannotBuild."""
    environment = {**os.environ, "PYTHONPATH": str(TOOLS)}
    probe = [sys.executable, "-c", "import mypyc.build, setuptools"]
    if subprocess.run(probe, env=environment, capture_output=True, check=False).returncode == 0:
        return environment
    install = [
        sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input",
        "--require-hashes", "--no-deps", "--only-binary", ":all:", "--target", str(TOOLS), "--upgrade",
        "-r", str(REQUIREMENTS),
    ]  # fmt: skip
    run(install, "mypyc can't be installed", env=environment)
    return environment


def make(environment: dict[str, str]) -> str:
    """Compile a copy of the source and put the modules where they are looked for, all at once."""
    digest = compiled.source_digest()
    with tempfile.TemporaryDirectory(prefix="rumrunner-compile-") as folder:
        work = Path(folder)
        shutil.copytree(compiled.SOURCE, work / "engines", ignore=shutil.ignore_patterns("_compiled", "__pycache__"))
        (work / "mypy.ini").write_text("[mypy]\n")
        command = [sys.executable, "-c", BUILD, compiled.LIBRARY, *modules(work)]
        run(command, "mypyc or the C compiler failed", cwd=work, env=environment)
        if compiled.source_digest() != digest:
            raise CannotBuild("the source was changed meanwhile. Fix: run this again")
        target = place(work / "built", digest)
    forget_old(target)
    return str(target)


def modules(work: Path) -> list[str]:
    """The files to compile, as paths within the folder."""
    shared = [Path("engines") / f"{name}.py" for name in SHARED]
    games = [path.parent for path in work.glob("engines/*/game.py")]
    own = [path.relative_to(work) for game in games for path in game.glob("*.py") if path.stem not in LEFT_PURE]
    return sorted(str(path) for path in shared + own if not str(path).endswith(LEFT_PURE_TOO))


def place(built: Path, digest: str) -> Path:
    """Name each module's file after the module, and move them into place whole."""
    home = Path(compiled.builds_for())
    home.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=".making-", dir=home))
    fresh.chmod(0o755)
    for path in built.rglob("*.so"):
        name = ".".join((*path.relative_to(built).parent.parts, path.name.partition(".")[0]))
        shutil.copyfile(path, fresh / f"{name}.so")
    return fresh.rename(home / digest)


def forget_old(newest: Path) -> None:
    """Remove all builds but the last few."""
    others = sorted((path for path in newest.parent.iterdir() if path != newest), key=lambda path: path.stat().st_mtime)
    for path in others[: max(0, len(others) - KEPT + 1)]:
        shutil.rmtree(path, ignore_errors=True)


def run(command: list[str], what: str, *, env: dict[str, str], cwd: Path = ROOT) -> None:
    """Run to the end, quietly; raises CannotBuild with the last lines that were said."""
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = "\n".join((done.stdout + done.stderr).strip().splitlines()[-5:])
        raise CannotBuild(f"{what} (exit {done.returncode}):\n{said}")


if __name__ == "__main__":
    sys.exit(main())
