"""Opens a zip that a stranger made: every size, count and ratio is counted while reading, never believed."""

from __future__ import annotations

import io
import os
import stat
import struct
import unicodedata
import zipfile
import zlib
from copy import copy
from dataclasses import dataclass
from pathlib import PurePosixPath

from arena.bundle.errors import (
    ArchiveBomb,
    BrokenArchive,
    BundleRejected,
    DuplicateName,
    EncryptedArchive,
    NestedArchive,
    TooManyFiles,
    UnsafeEntry,
    UnsafeName,
)
from engines.api import short as shown

_CHUNK = 64 * 1024
MAX_PART_BYTES = 255  # what file systems take for one name; an accented letter has two
_ENCRYPTED = 0x1
_ENTRY_MAGIC = b"PK\x01\x02"  # before each line of the table of contents
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_NESTED_NAMES = (".zip", ".jar", ".whl", ".egg", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".7z", ".rar", ".zst", ".pyz")
_NESTED_MAGIC = (b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"7z\xbc\xaf\x27\x1c", b"Rar!",
                 b"\x28\xb5\x2f\xfd")  # fmt: skip
_TAR_MAGIC_AT, _TAR_MAGIC = 257, b"ustar"
_WINDOWS_NAMES = frozenset({"con", "prn", "aux", "nul"})


@dataclass(frozen=True, slots=True)
class BundleLimits:
    """How large an upload may be, packed and unpacked."""

    upload_bytes: int = 20 * 1024 * 1024
    unpacked_bytes: int = 64 * 1024 * 1024
    files: int = 500
    ratio: int = 100


def read_archive(data: bytes, limits: BundleLimits) -> dict[str, bytes]:
    """The files of a zip by name; raises a BundleRejected that names the entry at fault."""
    # Counted in the raw bytes: zipfile would first build an object for each of some hundred thousand.
    count = data.count(_ENTRY_MAGIC)
    if count > 2 * limits.files:
        raise TooManyFiles(f"The archive has {count} entries; the limit is {limits.files} files.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _read_entries(archive, archive.infolist(), limits, packed=len(data))
    except BundleRejected:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, OSError, ValueError, NotImplementedError) as error:
        raise BrokenArchive(
            f"The zip can't be read: {shown(str(error))}. Create it again and upload all of it."
        ) from error


def _read_entries(
    archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], limits: BundleLimits, *, packed: int
) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    seen: set[str] = set()
    folders: set[str] = set()
    room = limits.unpacked_bytes
    for entry in entries:
        name = _checked_name(entry)
        _check_kind(entry)
        _check_unique(name, seen)
        if entry.is_dir():
            folders.add(name)
            continue
        if len(files) == limits.files:
            raise TooManyFiles(f"The archive has more than {limits.files} files.")
        content = _read_entry(archive, entry, room=room, limits=limits)
        room -= len(content)
        _check_not_nested(name, content)
        files[name] = content
    _check_ratio(sum(len(content) for content in files.values()), packed, limits)
    _check_tree(files, folders)
    return files


def _checked_name(entry: zipfile.ZipInfo) -> str:
    """The entry's name as a plain relative path; the raw name is looked at, before zipfile tidied it."""
    raw = entry.orig_filename
    name = raw[:-1] if raw.endswith("/") else raw
    parts = name.split("/")
    if not name or "\\" in raw or ":" in raw or "\x00" in raw or not raw.isprintable() or len(raw) > 240:
        raise UnsafeName(
            f"The archive has an entry named {shown(raw)}; use plain relative names with / between folders."
        )
    if any(len(os.fsencode(part)) > MAX_PART_BYTES for part in parts):
        raise UnsafeName(
            f"The archive has an entry named {shown(raw)}; a name between two / may have {MAX_PART_BYTES} bytes, "
            f"and this one has {max(len(os.fsencode(part)) for part in parts)}. Use a shorter name."
        )
    if any(part in ("", ".", "..") or part.lower() in _WINDOWS_NAMES or part.endswith((" ", ".")) for part in parts):
        raise UnsafeName(f"The archive has an entry named {shown(raw)}; names must stay inside the bundle.")
    return str(PurePosixPath(*parts))


def _check_kind(entry: zipfile.ZipInfo) -> None:
    mode = entry.external_attr >> 16
    kind = stat.S_IFMT(mode)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        what = "a symbolic link" if kind == stat.S_IFLNK else "a special file"
        raise UnsafeEntry(f"{shown(entry.orig_filename)} is {what}; a bundle holds plain files only.")
    if (kind == stat.S_IFDIR) != entry.is_dir() and kind != 0:
        raise UnsafeEntry(f"{shown(entry.orig_filename)} is marked both as a file and as a folder.")
    if entry.flag_bits & _ENCRYPTED:
        raise EncryptedArchive(f"{shown(entry.orig_filename)} is encrypted; upload the zip without a password.")
    if entry.compress_type not in _METHODS:
        raise UnsafeEntry(f"{shown(entry.orig_filename)} uses compression {entry.compress_type}; use store or deflate.")


def _check_unique(name: str, seen: set[str]) -> None:
    """Names that only differ in case or spelling of accents are the same file on some machines."""
    key = unicodedata.normalize("NFC", name).casefold()
    if key in seen:
        raise DuplicateName(f"The archive has two entries named {shown(name)}.")
    seen.add(key)


def _read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, *, room: int, limits: BundleLimits) -> bytes:
    """The content, unpacked no further than the limit and compared with what the header promised."""
    packed = _packed_bytes(archive, entry)
    allowed = min(room, len(packed) * limits.ratio + _CHUNK)
    if entry.compress_type == zipfile.ZIP_STORED:
        content = packed
    else:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        content = inflater.decompress(packed, allowed + 1)
        if len(content) <= allowed and not inflater.eof:
            raise BrokenArchive(
                f"{shown(entry.orig_filename)} ends in the middle. Create the zip again and upload all of it."
            )
    if len(content) > allowed:
        raise ArchiveBomb(_bomb_message(entry.orig_filename, limits))
    if len(content) > entry.file_size:
        raise ArchiveBomb(
            f"{shown(entry.orig_filename)} unpacks to {len(content)} bytes where its header promises {entry.file_size}."
        )
    if len(content) != entry.file_size or zlib.crc32(content) != entry.CRC:
        raise BrokenArchive(f"{shown(entry.orig_filename)} is damaged. Create the zip again and upload all of it.")
    return content


def _packed_bytes(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The entry's bytes as they stand in the archive; zipfile would stop unpacking where the header says so."""
    as_stored = copy(entry)
    as_stored.compress_type, as_stored.file_size = zipfile.ZIP_STORED, entry.compress_size
    del as_stored.CRC
    with archive.open(as_stored) as stream:
        packed = stream.read(entry.compress_size)
    if len(packed) != entry.compress_size:
        raise BrokenArchive(f"{shown(entry.orig_filename)} is cut off. Create the zip again and upload all of it.")
    return packed


def _bomb_message(name: str, limits: BundleLimits) -> str:
    return (
        f"{shown(name)} unpacks to more than is allowed: {limits.unpacked_bytes} bytes in all, "
        f"and {limits.ratio} times the size of the archive."
    )


def _check_ratio(unpacked: int, packed: int, limits: BundleLimits) -> None:
    if unpacked > packed * limits.ratio:
        raise ArchiveBomb(
            f"The archive unpacks to {unpacked} bytes, more than {limits.ratio} times its own {packed} bytes."
        )


def _check_not_nested(name: str, content: bytes) -> None:
    nested = content.startswith(_NESTED_MAGIC) or content[_TAR_MAGIC_AT:].startswith(_TAR_MAGIC)
    if nested or name.lower().endswith(_NESTED_NAMES):
        raise NestedArchive(f"{shown(name)} is an archive inside the archive; unpack it before you zip the bundle.")


def _check_tree(files: dict[str, bytes], folders: set[str]) -> None:
    """No name may be a file and a folder at once."""
    for name in [*files, *folders]:
        for parent in PurePosixPath(name).parents:
            if str(parent) in files:
                raise DuplicateName(f"{shown(str(parent))} is both a file and a folder in the archive.")
