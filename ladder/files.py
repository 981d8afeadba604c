"""Records and bundles as files: in their rows, or at rest in a store outside under the sha256 of their bytes.

Whatever is new is written to its row, with everything else of the same transaction. The service moves it to the store
later (``ladder.operations.moving``), so that a store which is away holds up nobody and no result waits for it.
"""

from __future__ import annotations

from enum import StrEnum
from hashlib import sha256
from http.client import HTTPException
from importlib.util import find_spec
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from urllib.request import urlopen

import structlog
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages

from ladder.refusals import Refused

log = structlog.get_logger("ladder.files")
STORE = "files"  # among Django's storages; there only if a setting names one
LINK_DAYS = 3
CONNECT_S, ANSWER_S, TRIES = 3, 10, 2


class FileKind(StrEnum):
    """What a file is; the first part of its name."""

    RECORD = "records"
    BUNDLE = "bundles"


class FileUnavailable(Refused, OSError):
    """The store is away, or has not what was put there; to a worker it is a disk that fails."""

    code = "file_unavailable"
    status = 503


class FileLost(FileUnavailable):
    """The store answers, and the file is gone or altered: waiting will not bring it back."""

    code = "file_lost"


def store_options(url: str) -> dict[str, Any]:
    """The S3-compatible store of an address, as Django's storages take it; no error ever shows the secret in it."""
    if find_spec("storages") is None or find_spec("boto3") is None:
        raise ImproperlyConfigured(
            "RUMRUNNER_STORE_URL is set, but django-storages is not installed. Run `make options`, or unset it."
        )
    parts = urlsplit(url)
    bucket, _, prefix = parts.path.strip("/").partition("/")
    if not (parts.hostname and bucket):
        raise ImproperlyConfigured(
            "RUMRUNNER_STORE_URL must name a host and a bucket, as in s3://key:secret@host/bucket."
        )
    place = parts.netloc.rpartition("@")[2]
    return {
        "access_key": unquote(parts.username) if parts.username else None,
        "secret_key": unquote(parts.password) if parts.password else None,
        "endpoint_url": f"{'http' if parts.scheme == 's3+http' else 'https'}://{place}",
        "bucket_name": bucket,
        "location": prefix,
        "region_name": parse_qs(parts.query).get("region", [None])[0],
        "querystring_expire": LINK_DAYS * 24 * 3600,
        "file_overwrite": True,  # the same name is the same bytes
        "client_config": _patience(),
    }


def _patience() -> Any:
    from botocore.config import Config

    return Config(
        connect_timeout=CONNECT_S,
        read_timeout=ANSWER_S,
        retries={"total_max_attempts": TRIES},
        signature_version="s3v4",
        s3={"addressing_style": "path"},
    )


def has_store() -> bool:
    """Whether a setting names a store."""
    return STORE in settings.STORAGES


def name_of(kind: FileKind, digest: str) -> str:
    """Where a file is in the store."""
    return f"{kind}/{digest[:2]}/{digest[2:]}"


def bytes_of(kind: FileKind, content: bytes | memoryview, file: str) -> bytes:
    """The bytes of a row: its own, or those in the store under the digest that it names; raises FileUnavailable."""
    return fetch(kind, file) if file else bytes(content)


def fetch(kind: FileKind, digest: str) -> bytes:
    """The bytes of this digest from the store, and no others; raises FileUnavailable."""
    return _proved(_opened(name_of(kind, digest)), digest)


def _proved(content: bytes, digest: str) -> bytes:
    if sha256(content).hexdigest() != digest:
        raise _told(FileLost(f"The store has other bytes for {digest[:12]} than were put there."))
    return content


def _opened(name: str) -> bytes:
    try:
        with the_store().open(name) as file:
            return bytes(file.read())
    except FileUnavailable:
        raise
    except FileNotFoundError:
        raise _told(FileLost(f"The store has no {name} any more.")) from None
    except Exception as error:  # noqa: BLE001 - each kind of store has its own
        raise _away(error) from None


def put(kind: FileKind, content: bytes) -> str:
    """Put bytes into the store, read them back, and return their digest; raises FileUnavailable."""
    digest = sha256(content).hexdigest()
    try:
        the_store().save(name_of(kind, digest), ContentFile(content))
    except Exception as error:  # noqa: BLE001 - each kind of store has its own
        raise _away(error) from None
    fetch(kind, digest)
    return digest


def link_to(kind: FileKind, digest: str) -> str:
    """An address under which whoever has it can fetch this file for three days, and nothing else."""
    return the_store().url(name_of(kind, digest))


def fetch_by_link(link: str | None, digest: str) -> bytes:
    """The bytes of this digest from such an address; raises FileUnavailable."""
    if not link or not link.startswith(("https://", "http://")):
        raise _told(FileUnavailable(f"Bundle {digest[:12]} is in a store outside, and no link leads to it."))
    try:
        with urlopen(link, timeout=ANSWER_S) as answer:  # noqa: S310 - the scheme was looked at
            content = bytes(answer.read())
    except (OSError, HTTPException) as error:
        raise _away(error) from None
    return _proved(content, digest)


def the_store() -> Storage:
    """The store of the setting; raises FileUnavailable where there is none."""
    if not has_store():
        raise _told(FileUnavailable("This file is in a store outside, and RUMRUNNER_STORE_URL is not set here."))
    return storages[STORE]


def _away(error: Exception) -> FileUnavailable:
    log.error("store away", error=f"{type(error).__name__}: {error}"[:300])
    return FileUnavailable("The store of records and bundles does not respond. Try again later.")


def _told(unavailable: FileUnavailable) -> FileUnavailable:
    log.error("file unavailable", cause=unavailable.message)
    return unavailable
