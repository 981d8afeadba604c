"""The sandbox folder: what bots can see and import, made by set-up and checked at every start.

`python -m arena.sandbox.runtime` makes it, or brings it up to date after a change to the engines or the kit.
"""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path

from arena.bundle.store import remove_folder
from arena.sandbox import rootfs
from arena.sandbox.errors import SandboxUnavailable
from arena.sandbox.places import CODE_ROOT, check_unspoilt, sandbox_folder
from engines import GAMES
from engines.compiled import BUILDS, KNOWN, source_digest
from engines.games import RESOLVED, resolved

CURE = "run `make setup` (or `python -m arena.sandbox.runtime`)."
_CODE_PARTS = ("engines", "bots/kit")
_CODE_SUFFIXES = (".py", ".csv", ".json", ".toml", ".txt")
_KEEP_S = 6 * 3600


@dataclass(frozen=True, slots=True)
class SandboxFolder:
    """A sandbox folder that fits the code that is running."""

    root: Path
    code: Path
    digest: str
    python: str
    has_node: bool
    has_setpriv: bool
    is_in_memory: bool = False


@cache
def code_digest() -> str:
    """The sha256 of every file of engines, bots.kit and games from outside that a bot can import."""
    whole = sha256()
    for name, content in code_files():
        whole.update(f"{name}\n".encode())
        whole.update(sha256(content).digest())
    return whole.hexdigest()


@cache
def game_digests() -> dict[str, str]:
    """For each game the sha256 of what its bots can import: everything but the files of other games."""
    files = [(name, sha256(content).digest()) for name, content in code_files()]
    packages = {offer.name: offer.package for offer in GAMES.offers()}
    return {
        game: _digest_without(files, {*(GAMES.keys() | packages.values())} - {game, packages.get(game)})
        for game in GAMES
    }


def _digest_without(files: list[tuple[Path, bytes]], others: set[str]) -> str:
    whole = sha256()
    for name, digest in files:
        if name.name != Path(RESOLVED).name and not others.intersection((*name.parts[:-1], name.stem)):
            whole.update(f"{name}\n".encode() + digest)
    return whole.hexdigest()


def code_files() -> Iterator[tuple[Path, bytes]]:
    """What bots can import: where it stands in the folder, and what it holds."""
    yield Path("bots/__init__.py"), (CODE_ROOT / "bots" / "__init__.py").read_bytes()
    for part in _CODE_PARTS:
        yield from files_of(CODE_ROOT / part, CODE_ROOT)
    offers = GAMES.offers()
    if offers:
        yield Path("engines") / Path(RESOLVED).name, resolved(offers).encode()
    for package in sorted({offer.package for offer in offers}):
        code = Path(str(import_module(package).__file__))
        own = code.parent if code.name == "__init__.py" else code
        yield from files_of(own, own.parent)


def files_of(part: Path, root: Path) -> Iterator[tuple[Path, bytes]]:
    found = sorted(part.rglob("*")) if part.is_dir() else [part]
    for path in found:
        if path.suffix in _CODE_SUFFIXES and "__pycache__" not in path.parts:
            yield path.relative_to(root), path.read_bytes()


@cache
def current_folder() -> SandboxFolder:
    """The sandbox folder of this machine; raises SandboxUnavailable when it is missing, spoilt or of other engines."""
    folder = sandbox_folder()
    try:
        facts = json.loads((folder / "current.json").read_bytes())
        root, code = folder / facts["root"], folder / facts["code"]
        python, digest = str(facts["python"]), str(facts["code_digest"])
    except FileNotFoundError:
        raise SandboxUnavailable(f"there is no sandbox folder at {folder}.", CURE) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SandboxUnavailable(f"the sandbox folder {folder} can't be read ({error}).", CURE) from error
    if digest != code_digest():
        raise SandboxUnavailable(
            f"the sandbox folder {folder} was made from other engines ({digest[:12]}, running {code_digest()[:12]}).",
            CURE,
        )
    for part in (folder, root, code):
        if not part.is_dir():
            raise SandboxUnavailable(f"{part} is missing.", CURE)
        check_unspoilt(part)
    programs = root / "usr" / "bin"
    return SandboxFolder(root, code, digest, python, (programs / "node").exists(), (programs / "setpriv").exists())


def set_up() -> SandboxFolder:
    """Make the sandbox folder, or only the parts of it that changed."""
    folder = sandbox_folder()
    code_digest.cache_clear()
    current_folder.cache_clear()
    if folder.is_dir() and not os.access(folder, os.W_OK):
        # Somebody else keeps it for us: it fits, or they have to be asked.
        return current_folder()
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    with _locked(folder):
        interpreter = rootfs.find_interpreter()
        root = _made(folder, f"root-{rootfs.base_digest(interpreter)[:16]}", lambda new: rootfs.build(new, interpreter))
        code = _made(folder, _code_name(), lambda new: _copy_code(new, root, interpreter.name))
        facts = {"root": root.name, "code": code.name, "code_digest": code_digest(), "python": interpreter.name}
        _write_facts(folder, facts)
        _forget_old(folder, keep={root.name, code.name})
    return current_folder()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One builder at a time; the lock goes with the process that holds it."""
    with open(folder / ".lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _made(folder: Path, name: str, make: Callable[[Path], None]) -> Path:
    """folder/name, made beside and moved into place whole, unless it is there already."""
    target = folder / name
    if target.is_dir():
        return target
    fresh = Path(tempfile.mkdtemp(prefix=".making-", dir=folder))
    try:
        make(fresh)
        _readable_by_all(fresh)
        fresh.rename(target)
    finally:
        remove_folder(fresh)
    return target


def _code_name() -> str:
    """The folder of the code; one with compiled engines is another than one without."""
    return f"code-{code_digest()[:16]}{'-compiled' if _builds() else ''}"


def _builds() -> list[Path]:
    """The compiled engines of this very source, one folder for each kind of interpreter they were built for."""
    return sorted(Path(BUILDS).glob(f"*/{source_digest()}"))


def _compiled_files() -> Iterator[tuple[Path, bytes]]:
    """The compiled engines, where bots find them beside the source; their interpreter takes its own or none."""
    for build in _builds():
        for path in sorted(build.iterdir()):
            yield path.relative_to(CODE_ROOT), path.read_bytes()
    yield Path(KNOWN).relative_to(CODE_ROOT), source_digest().encode()


def _copy_code(target: Path, root: Path, python: str) -> None:
    for name, content in (*code_files(), *_compiled_files()):
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)
    rootfs.compile_folder(root / "usr" / "bin" / python, target, seen_as="/opt/rumrunner/code")


def _readable_by_all(folder: Path) -> None:
    """Bots run under other users; nobody needs to write here."""
    for parent, _, names in os.walk(folder):
        os.chmod(parent, 0o755)  # noqa: S103 every bot's user reads here
        for name in names:
            path = os.path.join(parent, name)
            if not os.path.islink(path):
                os.chmod(path, 0o755 if os.access(path, os.X_OK) else 0o644)


def _write_facts(folder: Path, facts: dict[str, str]) -> None:
    fresh = folder / f".current-{os.getpid()}"
    fresh.write_text(json.dumps(facts, indent=1) + "\n")
    fresh.chmod(0o644)
    fresh.rename(folder / "current.json")


def _forget_old(folder: Path, keep: set[str]) -> None:
    """Matches that run now may still use the folder before this one, so it goes some hours later."""
    for path in folder.iterdir():
        is_part = path.name.startswith(("root-", "code-", ".making-"))
        if is_part and path.name not in keep and path.stat().st_mtime < time.time() - _KEEP_S:
            remove_folder(path)
