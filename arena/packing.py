"""Records as bytes: compact JSON under zstd, opened with a cap so that no file can fill the memory."""

from __future__ import annotations

from pathlib import Path

import orjson
from backports import zstd

from arena.record import InvalidRecord, MatchRecord

MAX_RECORD_BYTES = 16 * 1024 * 1024
_MAGIC = b"\x28\xb5\x2f\xfd"


def pack(record: MatchRecord) -> bytes:
    """The record as it is stored."""
    return zstd.compress(orjson.dumps(record.as_json()), 12)


def unpack(data: bytes) -> MatchRecord:
    """The record in packed bytes or in plain JSON; raises InvalidRecord."""
    if data.startswith(_MAGIC):
        data = _decompress(data)
    if len(data) > MAX_RECORD_BYTES:
        raise InvalidRecord(f"a record of {len(data)} bytes is too large; the limit is {MAX_RECORD_BYTES}")
    try:
        value = orjson.loads(data)  # which takes neither NaN nor half a character, where the standard library does
    except ValueError as error:
        raise InvalidRecord(f"the record is not JSON: {str(error)[:200]}") from error
    return MatchRecord.from_json(value)


def read_record(path: Path) -> MatchRecord:
    """The record in a file; raises InvalidRecord, also for a file that cannot be read."""
    try:
        if path.stat().st_size > MAX_RECORD_BYTES:
            raise InvalidRecord(f"{path} is larger than {MAX_RECORD_BYTES} bytes: it is no record")
        return unpack(path.read_bytes())
    except OSError as error:
        raise InvalidRecord(f"{path} can't be read: {error.strerror}") from error


def _decompress(data: bytes) -> bytes:
    opened = zstd.ZstdDecompressor()
    try:
        out = opened.decompress(data, max_length=MAX_RECORD_BYTES)
    except zstd.ZstdError as error:
        raise InvalidRecord(f"the record is not whole zstd data: {error}") from error
    if not opened.eof:
        raise InvalidRecord(f"the record is truncated, or larger than {MAX_RECORD_BYTES} bytes when unpacked")
    return out
