"""Bundles on disk: one read-only folder for each digest."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from arena.bundle.bundle import Bundle
from arena.bundle.errors import BundleRejected, InvalidEntry, MissingManifest
from arena.bundle.manifest import DEFAULT_ENTRY, MANIFEST, Manifest, read_manifest
from engines.api import short as shown

_FILE, _PROGRAM, _FOLDER = 0o444, 0o555, 0o555


def store_bundle(bundle: Bundle, folder: Path) -> Path:
    """Unpack into folder/DIGEST, read-only; storing the same bundle again changes nothing. Raises BundleRejected."""
    target = folder / bundle.digest
    if target.is_dir():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=".unpacking-", dir=folder))
    try:
        _write_files(bundle, fresh)
        with suppress(FileExistsError):
            _rename_whole(fresh, target)
    except OSError as error:
        place = shown(str(error.filename).removeprefix(f"{fresh}/"))
        raise BundleRejected(f"The bundle can't be stored: {error.strerror} ({place}).") from error
    finally:
        remove_folder(fresh)
    return target


def open_folder(folder: Path) -> Manifest:
    """The manifest of an unpacked bundle; a folder with only a main.py gets the defaults. Raises BundleRejected."""
    path = folder / MANIFEST
    if path.is_file():
        # Our own manifest for a lone file may lack a name or a game, so it is read with less demand.
        text = path.read_bytes()
        manifest = read_manifest(text) if b"name" in text and b"game" in text else Manifest()
    elif (folder / DEFAULT_ENTRY).is_file():
        manifest = Manifest()
    else:
        raise MissingManifest(f"{folder} has neither a {MANIFEST} nor a {DEFAULT_ENTRY}.")
    if not (folder / manifest.entry).is_file():
        first = " Build it first." if manifest.runtime == "native" else ""
        raise InvalidEntry(f"The entry {manifest.entry!r} is not in {folder}.{first}")
    return manifest


def remove_folder(folder: Path) -> None:
    """Delete a folder of ours, read-only or not; one that is gone, or that another is deleting, is fine."""

    def unlock(function: object, path: str, _: object) -> None:
        with suppress(OSError):
            if os.fspath(path) != os.fspath(folder):  # never what the folder stands in: all bots walk through that
                os.chmod(os.path.dirname(path), 0o700)
            os.chmod(path, 0o700)
            os.unlink(path) if not os.path.isdir(path) else shutil.rmtree(path, onerror=None, ignore_errors=True)

    if folder.exists():
        for parent, _, _ in os.walk(folder):
            with suppress(OSError):
                os.chmod(parent, 0o700)
        shutil.rmtree(folder, onerror=unlock)


def _write_files(bundle: Bundle, folder: Path) -> None:
    files = dict(bundle.files)
    if MANIFEST not in files and bundle.manifest.name and bundle.manifest.game:
        files[MANIFEST] = bundle.manifest.as_toml().encode()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        is_program = bundle.manifest.runtime == "native" and name == bundle.manifest.entry
        path.chmod(_PROGRAM if is_program else _FILE)
    for parent, _, _ in os.walk(folder, topdown=False):
        os.chmod(parent, _FOLDER)


def _rename_whole(fresh: Path, target: Path) -> None:
    """Move the finished folder to its place; two writers of the same digest may race, and either is right."""
    fresh.chmod(stat.S_IRWXU)
    try:
        fresh.rename(target)
    except OSError as error:
        if target.is_dir():
            raise FileExistsError(str(target)) from error
        raise
    target.chmod(_FOLDER)
