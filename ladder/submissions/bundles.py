"""Bundles where workers can run them: unpacked beside the worker from the bytes in the database or the store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.conf import settings

from arena import BundleLimits, read_bundle, store_bundle
from ladder.files import FileKind, bytes_of
from ladder.submissions.models import BotVersion, Bundle

MEBIBYTE = 1024 * 1024


def bundle_limits() -> BundleLimits:
    """What an upload may be."""
    return BundleLimits(
        upload_bytes=settings.UPLOAD_MIB * MEBIBYTE,
        unpacked_bytes=settings.UNPACKED_MIB * MEBIBYTE,
        files=settings.BUNDLE_FILES,
    )


def stored(digest: str) -> tuple[bytes, str]:
    """The uploaded bytes of a bundle, and under which name they came; raises FileUnavailable."""
    kept = Bundle.objects.values_list("content", "file").get(pk=digest)
    return bytes_of(FileKind.BUNDLE, *kept), BotVersion.objects.filter(bundle=digest).values_list(
        "filename", flat=True
    )[0]


def unpacked(digest: str, fetch: Callable[[str], tuple[bytes, str]] = stored) -> Path:
    """The folder of a bundle on this machine, fetched and unpacked now if it is not there yet."""
    folder = Path(settings.DATA) / "bundles"
    if (folder / digest).is_dir():
        return folder / digest
    return store_bundle(read_bundle(*fetch(digest), bundle_limits()), folder)
