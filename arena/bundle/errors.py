"""Why an upload was turned down: each reason has a code that stays and a message its author can act on."""

from __future__ import annotations

from typing import ClassVar


class BundleRejected(ValueError):
    """The uploaded file is no bot that could be played."""

    code: ClassVar[str] = "bundle_rejected"


class UploadTooLarge(BundleRejected):
    code = "upload_too_large"


class NotABundle(BundleRejected):
    code = "not_a_bundle"


class BrokenArchive(BundleRejected):
    code = "broken_archive"


class EncryptedArchive(BundleRejected):
    code = "encrypted_archive"


class ArchiveBomb(BundleRejected):
    code = "archive_bomb"


class TooManyFiles(BundleRejected):
    code = "too_many_files"


class UnsafeName(BundleRejected):
    code = "unsafe_name"


class UnsafeEntry(BundleRejected):
    code = "unsafe_entry"


class DuplicateName(BundleRejected):
    code = "duplicate_name"


class NestedArchive(BundleRejected):
    code = "nested_archive"


class MissingManifest(BundleRejected):
    code = "missing_manifest"


class TwoManifests(BundleRejected):
    code = "two_manifests"


class InvalidManifest(BundleRejected):
    code = "invalid_manifest"


class InvalidEntry(BundleRejected):
    code = "invalid_entry"


class WrongGame(BundleRejected):
    code = "wrong_game"
