"""Builds the file system a bot lives in: an interpreter, its libraries, numpy and orjson, and nothing of the host.

Files are copied, so a private home, a changed system or a half-finished upgrade on the host makes no difference.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from importlib import metadata
from pathlib import Path

from arena.sandbox.errors import SandboxUnavailable

BUILD = 5
PACKAGES = ("numpy", "orjson")
HOME = "opt/rumrunner"
MOUNT_POINTS = ("proc", "dev", "tmp", "bot", f"{HOME}/code", f"{HOME}/site", "etc")
LEFT_OUT = {"test", "tests", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3", "site-packages",
            "dist-packages", "__pycache__", "pydoc_data", "venv"}  # fmt: skip
SETUP_COMMAND = "make setup"
NODE_SCRIPT = re.compile(rb"/usr/share/nodejs/[\w./-]+\.js")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python that bots can be run with."""

    program: Path
    version: str
    stdlib: Path
    platlibdir: str

    @property
    def name(self) -> str:
        return f"python{self.version}"


def find_interpreter() -> Interpreter:
    """The system's Python of our own version (built for speed and kept up to date), else the one that runs us."""
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    ours = getattr(sys, "_base_executable", sys.executable)
    for program in (f"/usr/bin/python{here}", ours, os.path.realpath(sys.executable)):
        found = _ask(Path(program))
        if found is not None and found.version == here:
            return found
    raise SandboxUnavailable(f"no usable Python {here} was found for bots.", f"install python{here}.")


def _ask(program: Path) -> Interpreter | None:
    question = (
        "import sys,sysconfig,json,random,asyncio,ctypes,decimal,resource,hashlib,heapq;"
        "print(json.dumps([sys.executable,'%d.%d'%sys.version_info[:2],sysconfig.get_path('stdlib'),sys.platlibdir]))"
    )
    try:
        answer = subprocess.run([program, "-I", "-c", question], capture_output=True, timeout=20, check=True)
        executable, version, stdlib, platlibdir = json.loads(answer.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    if not (Path(stdlib) / "json").is_dir():
        return None
    return Interpreter(Path(executable).resolve(), version, Path(stdlib), platlibdir)


def base_digest(interpreter: Interpreter) -> str:
    """Changes when anything the root is made of changes."""
    parts = [f"build {BUILD}", interpreter.version, _stamp(interpreter.program)]
    parts += [_stamp(path) for path in _programs().values()]
    parts += [f"{name} {metadata.version(name)}" for name in PACKAGES]
    parts += [file.read_text() for file in own_files()]
    return sha256("\n".join(parts).encode()).hexdigest()


def own_files() -> list[Path]:
    """What of ours runs inside: it starts a Python bot, and is the warm parent of others."""
    return [Path(__file__).with_name(name) for name in ("boot.py", "nursery.py")]


def _stamp(path: Path) -> str:
    found = path.stat()
    return f"{path} {found.st_size} {found.st_mtime_ns}"


def _programs() -> dict[str, Path]:
    """What is put into usr/bin beside the interpreter, where the host has it."""
    found = {}
    for name in ("prlimit", "setpriv", "node"):
        path = shutil.which(name, path="/usr/local/bin:/usr/bin:/bin")
        if path is not None:
            found[name] = Path(path).resolve()
    return found


def build(root: Path, interpreter: Interpreter) -> None:
    """Fill an empty folder; raises SandboxUnavailable when a part cannot be had."""
    programs = _programs()
    if "prlimit" not in programs:
        raise SandboxUnavailable("prlimit is missing.", "install util-linux.")
    for name in MOUNT_POINTS:
        (root / name).mkdir(parents=True, exist_ok=True)
    _mirror_links(root)
    stdlib = root / "usr" / interpreter.platlibdir / interpreter.name
    shutil.copytree(interpreter.stdlib, stdlib, ignore=_left_out, symlinks=False, ignore_dangling_symlinks=True)
    _copy_program(root, interpreter.program, interpreter.name)
    for name, path in programs.items():
        _copy_program(root, path, name)
    _install_packages(root / HOME / "site", interpreter)
    for file in own_files():
        shutil.copy(file, root / HOME / file.name)
    _copy_libraries(root, [interpreter.program, *programs.values()])
    copy_scripts(root)
    python = root / "usr" / "bin" / interpreter.name
    for folder in (stdlib, root / HOME / "site"):
        compile_folder(python, folder, seen_as=f"/{folder.relative_to(root)}")


def _left_out(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if name in LEFT_OUT or name.startswith("config-") or name.endswith((".pyc", ".a"))}


def _mirror_links(root: Path) -> None:
    """/lib, /lib64 and /bin as the host has them: links into /usr, or folders."""
    (root / "usr" / "bin").mkdir(parents=True, exist_ok=True)
    for name in ("lib", "lib64", "bin"):
        host = Path("/") / name
        if host.is_symlink():
            (root / name).symlink_to(os.readlink(host).lstrip("/"))
            (root / os.readlink(host).lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif host.is_dir():
            (root / name).mkdir(exist_ok=True)


def _copy_program(root: Path, program: Path, name: str) -> None:
    target = root / "usr" / "bin" / name
    shutil.copy(program, target)
    target.chmod(0o755)


def _install_packages(site: Path, interpreter: Interpreter) -> None:
    """numpy and orjson as they are installed beside us, which is the same Python version."""
    for package in PACKAGES:
        files = metadata.files(package)
        if not files:
            raise SandboxUnavailable(f"{package} is not installed beside the arena.", f"run `{SETUP_COMMAND}`.")
        for file in files:
            if ".." in file.parts or LEFT_OUT & set(file.parts):
                continue
            target = site / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(Path(str(file.locate())), target)


def _copy_libraries(root: Path, programs: list[Path]) -> None:
    """Everything the programs and extension modules are linked with, where the loader looks by itself."""
    modules = [path for path in root.rglob("*.so*") if path.is_file()]
    wanted = _linked([*programs, *modules])
    home = next((Path(path).parent for name, path in wanted.items() if name.startswith("libc.so")), None)
    if home is None:
        raise SandboxUnavailable("the libraries of the interpreter were not found.", "install ldd (libc-bin).")
    wanted |= _commonly_needed(home)
    inside = str(root)
    for path in wanted.values():
        if path.startswith(inside):
            continue
        default = Path(path).parent in (home, Path("/lib64"), Path("/lib"), Path("/usr/lib"), Path("/usr/lib64"))
        target = root / (path if default else f"{home}/{Path(path).name}").lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            shutil.copy(path, target)
            target.chmod(0o755)


def copy_scripts(root: Path) -> None:
    """Scripts that Debian's node reads from files at its start; without them it aborts. Others have none."""
    node = [root / "usr" / "bin" / "node", *root.rglob("libnode.so*")]
    for part in [path for path in node if path.is_file()]:
        for name in set(NODE_SCRIPT.findall(part.read_bytes())):
            script = Path(os.fsdecode(name))
            if script.is_file():
                target = root / str(script).lstrip("/")
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(script, target)


def _linked(files: Iterable[Path]) -> dict[str, str]:
    """Library name to path, for all files at once; ldd complains about a few and goes on."""
    output = subprocess.run(["ldd", *map(str, files)], capture_output=True, text=True, timeout=120).stdout
    found = dict(re.findall(r"^\s+(\S+) => (/\S+) \(0x", output, re.MULTILINE))
    found |= {Path(path).name: path for path in re.findall(r"^\s+(/\S+) \(0x", output, re.MULTILINE)}
    return found


def _commonly_needed(home: Path) -> dict[str, str]:
    """What programs built by C, C++ and Rust compilers expect to find."""
    names = (
        "libstdc++.so.6",
        "libgcc_s.so.1",
        "libm.so.6",
        "libdl.so.2",
        "libpthread.so.0",
        "librt.so.1",
        "libgomp.so.1",
    )
    return {name: str(home / name) for name in names if (home / name).exists()}


def compile_folder(python: Path, folder: Path, *, seen_as: str) -> None:
    """Byte code that is never compared with its source again, with the paths that a bot sees in its tracebacks."""
    # -B: what it imports for its own work it would write down with the path that it is found under now.
    command = [str(python), "-I", "-S", "-B", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
    subprocess.run([*command, "-s", str(folder), "-p", seen_as, str(folder)], capture_output=True, timeout=300)
