"""Which engines run: modules compiled from this very source if a build of them lies beside it, else the source.

``make compiled`` makes builds. RUMRUNNER_ENGINES asks for `pure` or `compiled`; unset, the best there is runs.
A build is kept under the digest of the source it was made from, so that one of another source is never found.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import spec_from_file_location
from types import ModuleType

SOURCE = os.path.dirname(os.path.abspath(__file__))
BUILDS = os.path.join(SOURCE, "_compiled")
# Beside a copy of the source that nobody changes stands its digest, so that not every start has to read all of it.
KNOWN = os.path.join(BUILDS, "digest")
LIBRARY = "rumrunner_engines__mypyc"  # holds the code of all compiled modules; the other files only lead to it
SETTING = "RUMRUNNER_ENGINES"


def source_files() -> list[str]:
    """Every Python file of the engines, as paths within them."""
    found = []
    for folder, folders, names in os.walk(SOURCE):
        folders[:] = [name for name in folders if not name.startswith("_")]
        found += [os.path.relpath(os.path.join(folder, name), SOURCE) for name in names if name.endswith(".py")]
    return sorted(found)


def source_digest() -> str:
    """What the source is; a change of any module changes it."""
    from hashlib import blake2b  # bots never come here

    whole = blake2b(digest_size=16)
    for name in source_files():
        with open(os.path.join(SOURCE, name), "rb") as file:
            content = file.read()
        whole.update(f"{name} {len(content)}\n".encode())
        whole.update(content)
    return whole.hexdigest()


def builds_for(suffix: str = EXTENSION_SUFFIXES[0]) -> str:
    """The folder of all builds that an interpreter with this suffix of modules can load."""
    return os.path.join(BUILDS, suffix.strip(".").partition(".")[0])


def current_build() -> str | None:
    """The folder of the build that this interpreter can load and that fits the source, if there is one."""
    folder = builds_for()
    if not os.path.isdir(folder):
        return None
    build = os.path.join(folder, _known_digest() or source_digest())
    return build if os.path.isdir(build) else None


def _known_digest() -> str:
    try:
        with open(KNOWN, encoding="ascii") as file:
            return file.read()
    except FileNotFoundError:
        return ""


class Finder:
    """Finds the modules of one build before their sources are looked for."""

    def __init__(self, build: str) -> None:
        self._files = {name.removesuffix(".so"): os.path.join(build, name) for name in os.listdir(build)}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        file = self._files.get(fullname)
        return spec_from_file_location(fullname, file) if file else None


def choose() -> str:
    """`compiled` or `pure`: what modules imported from now on are; raises ImportError if it can't be what is wanted."""
    wanted = os.environ.get(SETTING, "")
    if wanted not in ("", "pure", "compiled"):
        raise ImportError(f"{SETTING} is {wanted!r}; set it to pure or compiled, or leave it out")
    if wanted == "pure":
        return "pure"
    build = current_build()
    problem = "there is no build of this source" if build is None else _load(build)
    if problem is None:
        return "compiled"
    if wanted == "compiled":
        raise ImportError(f"{SETTING} asks for compiled engines, but {problem}; run `make compiled`")
    return "pure"


def _load(build: str) -> str | None:
    """Let modules come from a build; what is wrong if they can't, as with one made for another C library."""
    finder = Finder(build)
    sys.meta_path.insert(0, finder)
    try:
        import_module(LIBRARY)
    except ImportError as error:
        sys.meta_path.remove(finder)
        return f"the build {build} can't be loaded ({error})"
    return None


BUILD = choose()
