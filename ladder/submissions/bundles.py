"""Bundles where workers can run them: unpacked beside the worker from the bytes in the database."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from arena import BundleLimits, read_bundle, store_bundle
from ladder.submissions.models import BotVersion, Bundle

MEBIBYTE = 1024 * 1024


def bundle_limits() -> BundleLimits:
    """What an upload may be."""
    return BundleLimits(
        upload_bytes=settings.UPLOAD_MIB * MEBIBYTE,
        unpacked_bytes=settings.UNPACKED_MIB * MEBIBYTE,
        files=settings.BUNDLE_FILES,
    )


def unpacked(digest: str) -> Path:
    """The folder of a bundle on this machine, unpacked now if it is not there yet."""
    folder = Path(settings.DATA) / "bundles"
    if (folder / digest).is_dir():
        return folder / digest
    content = Bundle.objects.values_list("content", flat=True).get(pk=digest)
    filename = BotVersion.objects.filter(bundle=digest).values_list("filename", flat=True)[0]
    return store_bundle(read_bundle(bytes(content), filename, bundle_limits()), folder)
