"""A bot as it would be uploaded: a file as it is, a folder as a zip that is always the same for the same files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SKIPPED = ("__pycache__", "node_modules")
_LONG_AGO = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file name and the bytes that go with it; path is where they were found."""

    filename: str
    content: bytes
    path: Path = Path()


def upload_of(path: Path) -> Upload:
    """What is sent for a file or folder; raises OSError."""
    if not path.is_dir():
        return Upload(path.name, path.read_bytes(), path)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in _files(path):
            entry = zipfile.ZipInfo(file.relative_to(path).as_posix(), _LONG_AGO)
            entry.external_attr = (0o755 if file.stat().st_mode & 0o111 else 0o644) << 16
            archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
    return Upload(f"{path.resolve().name}.zip", buffer.getvalue(), path)


def _files(folder: Path) -> Iterator[Path]:
    """What belongs to the bot: nothing hidden, nothing that Python or node left there."""
    for file in sorted(folder.rglob("*")):
        parts = file.relative_to(folder).parts
        if file.is_file() and not any(part in SKIPPED or part.startswith(".") for part in parts):
            yield file
