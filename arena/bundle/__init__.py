"""Uploaded bots: one file or a zip, opened with suspicion and stored by digest."""

from arena.bundle.archive import BundleLimits
from arena.bundle.bundle import Bundle, read_bundle, read_bundle_file
from arena.bundle.errors import BundleRejected
from arena.bundle.manifest import MANIFEST, RUNTIMES, Manifest
from arena.bundle.store import open_folder, store_bundle

__all__ = [
    "MANIFEST",
    "RUNTIMES",
    "Bundle",
    "BundleLimits",
    "BundleRejected",
    "Manifest",
    "open_folder",
    "read_bundle",
    "read_bundle_file",
    "store_bundle",
]
