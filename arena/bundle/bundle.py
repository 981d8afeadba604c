"""From uploaded bytes to a bot that can be stored and played."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath

from arena.bundle.archive import BundleLimits, read_archive
from arena.bundle.errors import (
    InvalidEntry,
    InvalidManifest,
    MissingManifest,
    NotABundle,
    TwoManifests,
    UploadTooLarge,
    WrongGame,
)
from arena.bundle.manifest import DEFAULT_ENTRY, MANIFEST, Manifest, read_manifest
from engines import GAMES
from engines.api import short as shown

_OTHER_ENCODING = re.compile(  # PEP 263: in a comment of the first two lines
    rb"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n?|\n))?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*(?!utf-?8\b)[-\w.]", re.IGNORECASE
)
ELF_X86_64 = (b"\x7fELF\x02\x01\x01", b"\x3e\x00")


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bot that passed every check that needs no sandbox; digest is the sha256 of the uploaded bytes."""

    digest: str
    manifest: Manifest
    files: Mapping[str, bytes]

    @property
    def unpacked_bytes(self) -> int:
        return sum(len(content) for content in self.files.values())


def read_bundle(data: bytes, filename: str, limits: BundleLimits | None = None, *, game: str | None = None) -> Bundle:
    """Open and check an upload; game, if given, is the one it must be for. Raises BundleRejected."""
    limits = limits or BundleLimits()
    if len(data) > limits.upload_bytes:
        raise UploadTooLarge(f"The file is {len(data)} bytes; the limit is {limits.upload_bytes}.")
    if not data:
        raise NotABundle("The file is empty.")
    suffix = PurePosixPath(filename).suffix.lower()
    if suffix == ".py" and not data.startswith(b"PK\x03\x04"):
        bundle = _lone_file(data, filename, game)
    else:
        bundle = _zipped(data, filename, limits)
    _check_game(bundle.manifest, game)
    _check_entry(bundle)
    return bundle


def read_bundle_file(path: Path, limits: BundleLimits | None = None, *, game: str | None = None) -> Bundle:
    """Open and check a file on disk; raises BundleRejected, also for one that cannot be read."""
    limits = limits or BundleLimits()
    try:
        size = path.stat().st_size
        if size > limits.upload_bytes:
            raise UploadTooLarge(f"The file is {size} bytes; the limit is {limits.upload_bytes}.")
        data = path.read_bytes()
    except OSError as error:
        raise NotABundle(f"{path} can't be read: {error.strerror}.") from error
    return read_bundle(data, path.name, limits, game=game)


def _lone_file(data: bytes, filename: str, game: str | None) -> Bundle:
    _check_source(data, filename)
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", PurePosixPath(filename).stem).strip("-._")[:40] or None
    manifest = Manifest(name=name, game=game)
    return Bundle(digest=sha256(data).hexdigest(), manifest=manifest, files={DEFAULT_ENTRY: data})


def _check_source(data: bytes, name: str) -> None:
    """Python reads UTF-8 unless the file names another encoding at its head; raises NotABundle."""
    if (nul := data.find(b"\x00")) >= 0:
        raise NotABundle(f"{shown(name)} is not Python source: byte {nul} is NUL. Save it as UTF-8 text.")
    if _OTHER_ENCODING.match(data):
        return
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotABundle(
            f"{shown(name)} is not UTF-8 text: byte {error.start} is 0x{data[error.start]:02x}. Save it as UTF-8."
        ) from error


def _zipped(data: bytes, filename: str, limits: BundleLimits) -> Bundle:
    if not data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        raise NotABundle(f"{shown(filename)} is neither a .py file nor a zip; upload one of these.")
    files = read_archive(data, limits)
    manifests = [name for name in files if PurePosixPath(name).name.lower() == MANIFEST]
    if len(manifests) > 1:
        raise TwoManifests(f"The archive has {len(manifests)} manifests: {', '.join(map(shown, manifests[:3]))}.")
    if manifests != [MANIFEST]:
        where = f"; move {shown(manifests[0])} there" if manifests else ""
        raise MissingManifest(f"The archive has no {MANIFEST} at its top{where}.")
    return Bundle(digest=sha256(data).hexdigest(), manifest=read_manifest(files[MANIFEST]), files=files)


def _check_game(manifest: Manifest, game: str | None) -> None:
    if manifest.game is not None and manifest.game not in GAMES:
        raise InvalidManifest(f"There is no game {shown(manifest.game)}; the games are {', '.join(GAMES)}.")
    if game is not None and manifest.game not in (None, game):
        raise WrongGame(f"The bundle is for {manifest.game}, but it was sent in for {game}.")


def _check_entry(bundle: Bundle) -> None:
    entry = bundle.manifest.entry
    content = bundle.files.get(entry)
    if content is None:
        is_folder = any(name.startswith(f"{entry}/") for name in bundle.files)
        why = "is a folder" if is_folder else "is not in the bundle"
        first = "build it first, or " if bundle.manifest.runtime == "native" and not is_folder else ""
        raise InvalidEntry(f"The entry {shown(entry)} {why}; {first}name the file that starts the bot.")
    if bundle.manifest.runtime == "native" and not _is_native(content):
        raise InvalidEntry(
            f"The entry {shown(entry)} is not an x86-64 Linux executable (ELF), as runtime native needs."
        )
    if bundle.manifest.runtime == "python" and entry.endswith(".py"):
        _check_source(content, entry)


def _is_native(content: bytes) -> bool:
    magic, machine = ELF_X86_64
    return content.startswith(magic) and content[18:20] == machine
