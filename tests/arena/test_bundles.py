"""Uploads of every wrong shape: each has its own code, and nothing is written outside."""

from __future__ import annotations

import io
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from arena import BundleLimits, BundleRejected, open_folder, read_bundle, read_bundle_file, store_bundle
from arena.bundle.store import remove_folder

TOML = 'name = "Test bot"\ngame = "countdown"\n'
MAIN = "print('hello')\n"
noise = Random(7).randbytes  # the same in every run
NOISE = ("noise", noise(1000))
SMALL = BundleLimits(upload_bytes=200_000, unpacked_bytes=400_000, files=10, ratio=20)


def zipped(*entries: tuple[str | zipfile.ZipInfo, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", method) as archive:
        warnings.simplefilter("ignore")
        for name, content in entries:
            archive.writestr(name, content)
    return stream.getvalue()


def bot_with(*entries: tuple[str | zipfile.ZipInfo, str | bytes], toml: str = TOML) -> bytes:
    return zipped(("bot.toml", toml), ("main.py", MAIN), *entries)


def entry_of_kind(name: str, kind: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.create_system = 3
    entry.external_attr = (kind | 0o644) << 16
    return entry


def encrypted() -> bytes:
    """The flag that says so is all there is to see from outside."""
    data = bytearray(bot_with())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        data[at + offset] |= 1
    return bytes(data)


def lying(*, promised: int, packed: int = 0) -> bytes:
    """A header with another size than the 300,000 bytes that its entry unpacks to, of which some can't be packed."""
    data = bytearray(bot_with(("big.txt", noise(packed) + b"\0" * (300_000 - packed))))
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.rfind(mark)
        struct.pack_into("<I", data, at + offset, promised)
    return bytes(data)


def named(raw: str) -> bytes:
    """An archive with an entry whose name zipfile itself would not write."""
    placeholder = "Q" * len(raw.encode())
    return bot_with((placeholder, "x")).replace(placeholder.encode(), raw.encode())


REJECTED: dict[str, tuple[bytes, str]] = {
    "an empty file": (b"", "not_a_bundle"),
    "not a zip": (b"GIF89a and so on", "not_a_bundle"),
    "a truncated zip": (bot_with()[:-30], "broken_archive"),
    "a zip cut in the middle": (bot_with(("noise", noise(5000)))[:2000], "broken_archive"),
    "a zip with damaged content": (
        zipped(("bot.toml", TOML), ("main.py", MAIN), method=zipfile.ZIP_STORED).replace(b"hello", b"jello"),
        "broken_archive",
    ),
    "an encrypted zip": (encrypted(), "encrypted_archive"),
    "a bomb by ratio": (bot_with(("zeros", b"\0" * 390_000)), "archive_bomb"),
    "a bomb by size": (
        bot_with(*((f"{n}", b"ab" * 60_000 + noise(9_000)) for n in range(6))),
        "archive_bomb",
    ),
    "a bomb behind a lying header": (lying(promised=10), "archive_bomb"),
    "a small lie in a header": (lying(promised=299_999, packed=20_000), "archive_bomb"),
    "a header that promises too much": (lying(promised=300_001, packed=20_000), "broken_archive"),
    "a table of contents without end": (bot_with() + b"PK\x01\x02" * 400, "too_many_files"),
    "too many files": (bot_with(*((f"f{n}", "x") for n in range(20))), "too_many_files"),
    "an absolute name": (named("/etc/cron.d/evil"), "unsafe_name"),
    "a name that climbs out": (bot_with(("../evil.py", "x")), "unsafe_name"),
    "a name that climbs out further in": (bot_with(("a/../../evil.py", "x")), "unsafe_name"),
    "a backslash": (named("..\\evil.py"), "unsafe_name"),
    "a drive letter": (bot_with(("C:evil.py", "x")), "unsafe_name"),
    "a control character": (named("ev\x1bil.py"), "unsafe_name"),
    "a NUL in a name": (named("evil\0.py"), "unsafe_name"),
    "an empty step": (named("a//b.py"), "unsafe_name"),
    "a very long name": (bot_with(("x" * 300, "x")), "unsafe_name"),
    "a name of 256 bytes in 128 letters": (bot_with(("é" * 128, "x")), "unsafe_name"),
    "a folder of 256 bytes": (bot_with((f"{'é' * 128}/x.py", "x")), "unsafe_name"),
    "a symbolic link": (bot_with((entry_of_kind("link", stat.S_IFLNK), "/etc/passwd")), "unsafe_entry"),
    "a device": (bot_with((entry_of_kind("null", stat.S_IFCHR), "")), "unsafe_entry"),
    "a pipe": (bot_with((entry_of_kind("pipe", stat.S_IFIFO), "")), "unsafe_entry"),
    "an odd compression": (zipped(("bot.toml", TOML), ("main.py", MAIN), method=zipfile.ZIP_LZMA), "unsafe_entry"),
    "two entries of one name": (bot_with(("main.py", "other")), "duplicate_name"),
    "two entries that differ in case": (bot_with(("MAIN.py", "other")), "duplicate_name"),
    "a file that is also a folder": (bot_with(("main.py/x.py", "x")), "duplicate_name"),
    "a zip in the zip": (bot_with(("more.zip", zipped(("a", "b")))), "nested_archive"),
    "a zip by another name": (bot_with(("data.bin", zipped(("a", "b")))), "nested_archive"),
    "a gzip in the zip": (bot_with(("weights.bin", b"\x1f\x8b\x08" + bytes(20))), "nested_archive"),
    "no manifest": (zipped(("main.py", MAIN)), "missing_manifest"),
    "a manifest in a folder": (zipped(("bot/bot.toml", TOML), ("bot/main.py", MAIN)), "missing_manifest"),
    "two manifests": (bot_with(("sub/bot.toml", TOML)), "two_manifests"),
    "a manifest that is no TOML": (bot_with(toml="name: yaml"), "invalid_manifest"),
    "a manifest with a number of 5,000 digits": (bot_with(toml=f"name = {'7' * 5000}"), "invalid_manifest"),
    "a manifest with a hexadecimal of 5,000 digits": (bot_with(toml=f"name = 0x{'f' * 5000}"), "invalid_manifest"),
    "a manifest with a key of 8,000 parts": (bot_with(NOISE, toml="a." * 8000 + "a = 1"), "invalid_manifest"),
    "a manifest with a table of 8,000 parts": (bot_with(NOISE, toml="[" + "a." * 8000 + "a]"), "invalid_manifest"),
    "a manifest of many pages": (bot_with(toml=TOML + f"# {noise(20_000).hex()}"), "invalid_manifest"),
    "a manifest that is no text": (zipped(("bot.toml", b"\xff\xfe"), ("main.py", MAIN)), "invalid_manifest"),
    "a manifest without a name": (bot_with(toml='game = "countdown"'), "invalid_manifest"),
    "a manifest without a game": (bot_with(toml='name = "x"'), "invalid_manifest"),
    "a name that is no name": (bot_with(toml='name = "<script>"\ngame = "countdown"'), "invalid_manifest"),
    "a name of the wrong type": (bot_with(toml='name = 7\ngame = "countdown"'), "invalid_manifest"),
    "a game that is not": (bot_with(toml='name = "x"\ngame = "poker"'), "invalid_manifest"),
    "a runtime that is not": (bot_with(toml=TOML + 'runtime = "java"'), "invalid_manifest"),
    "a key that is not": (bot_with(toml=TOML + 'language = "python"'), "invalid_manifest"),
    "an entry that is missing": (bot_with(toml=TOML + 'entry = "other.py"'), "invalid_entry"),
    "an entry outside the bundle": (bot_with(toml=TOML + 'entry = "../main.py"'), "invalid_entry"),
    "an absolute entry": (bot_with(toml=TOML + 'entry = "/bin/sh"'), "invalid_entry"),
    "an entry that is a folder": (bot_with(("src/a.py", "x"), toml=TOML + 'entry = "src"'), "invalid_entry"),
    "a native entry that is a script": (bot_with(toml=TOML + 'runtime = "native"'), "invalid_entry"),
}


@pytest.mark.parametrize("case", REJECTED)
def test_a_wrong_upload_is_named_and_leaves_nothing(case: str, tmp_path: Path) -> None:
    data, code = REJECTED[case]
    with pytest.raises(BundleRejected) as caught:
        store_bundle(read_bundle(data, "bot.zip", SMALL), tmp_path)
    assert caught.value.code == code, str(caught.value)
    assert str(caught.value).isprintable()
    assert list(tmp_path.iterdir()) == []


def test_a_name_of_255_bytes_is_taken_and_stored(tmp_path: Path) -> None:
    name = "é" * 127 + "x"
    folder = store_bundle(read_bundle(bot_with((name, "x")), "bot.zip"), tmp_path)
    assert (folder / name).read_text() == "x"


def test_a_name_that_is_too_long_is_told_how_long_it_may_be() -> None:
    with pytest.raises(BundleRejected, match="may have 255 bytes, and this one has 256"):
        read_bundle(bot_with(("é" * 128, "x")), "bot.zip")


def test_a_key_of_many_parts_is_not_even_read() -> None:
    """A TOML reader takes seconds for it."""
    with pytest.raises(BundleRejected, match="a line with 8000 dots"):
        read_bundle(bot_with(toml="a." * 8000 + "a = 1"), "bot.zip")
    read_bundle(bot_with(toml=TOML + f"# {'.' * 80}\n"), "bot.zip")


def test_what_the_disk_refuses_is_a_rejection_and_leaves_nothing(tmp_path: Path) -> None:
    """A disk may know rules that the door does not."""
    bundle = replace(read_bundle(bot_with(), "bot.zip"), files={"main.py": b"", "x" * 300: b""})
    with pytest.raises(BundleRejected, match=r"can't be stored: File name too long \('xxx"):
        store_bundle(bundle, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_upload_over_the_limit_is_not_even_opened() -> None:
    with pytest.raises(BundleRejected, match="is 200001 bytes; the limit is 200000") as caught:
        read_bundle(b"x" * 200_001, "bot.zip", SMALL)
    assert caught.value.code == "upload_too_large"


def test_every_way_to_be_rejected_has_a_code_of_its_own() -> None:
    codes = [kind.code for kind in BundleRejected.__subclasses__()]
    assert len(codes) == len(set(codes))
    assert {code for _, code in REJECTED.values()} | {"upload_too_large", "wrong_game"} == set(codes)


def test_a_zip_is_read_and_stored_read_only(tmp_path: Path) -> None:
    bundle = read_bundle(bot_with(("src/helper.py", "x = 1\n")), "bot.zip", SMALL)
    folder = store_bundle(bundle, tmp_path)
    assert folder == tmp_path / bundle.digest
    assert sorted(bundle.files) == ["bot.toml", "main.py", "src/helper.py"]
    assert (folder / "src/helper.py").read_text() == "x = 1\n"
    assert stat.S_IMODE((folder / "main.py").stat().st_mode) == 0o444
    assert stat.S_IMODE(folder.stat().st_mode) == 0o555
    assert open_folder(folder) == bundle.manifest
    remove_folder(folder)
    assert not folder.exists()


def test_storing_twice_changes_nothing(tmp_path: Path) -> None:
    bundle = read_bundle(bot_with(), "bot.zip", SMALL)
    first = store_bundle(bundle, tmp_path).stat().st_ino
    assert store_bundle(bundle, tmp_path).stat().st_ino == first
    assert [path.name for path in tmp_path.iterdir()] == [bundle.digest]


def test_a_lone_file_is_the_main_of_a_bundle(tmp_path: Path) -> None:
    bundle = read_bundle(MAIN.encode(), "My bot (1).py", game="countdown")
    assert dict(bundle.files) == {"main.py": MAIN.encode()}
    assert (bundle.manifest.name, bundle.manifest.game, bundle.manifest.runtime) == ("My-bot-1", "countdown", "python")
    assert open_folder(store_bundle(bundle, tmp_path)) == bundle.manifest


CAFE = "# café\n".encode("latin-1")


@pytest.mark.parametrize("head", [b"", b"# coding: utf-8\n", b"#!/usr/bin/python\n\n# coding: latin-1\n"])
def test_a_source_that_python_could_not_read_is_rejected_with_the_byte(head: bytes) -> None:
    told = f"is not UTF-8 text: byte {len(head) + 5} is 0xe9. Save it as UTF-8."
    for data, name in ((head + CAFE, "bot.py"), (zipped(("bot.toml", TOML), ("main.py", head + CAFE)), "bot.zip")):
        with pytest.raises(BundleRejected, match=told) as caught:
            read_bundle(data, name, game="countdown")
        assert caught.value.code == "not_a_bundle"


@pytest.mark.parametrize("head", [b"# coding: latin-1\n", b"#!/x\n# -*- coding=latin-1 -*-\n", b"\n# coding: cp1252\n"])
def test_a_source_may_name_its_encoding_as_python_allows(head: bytes) -> None:
    assert read_bundle(head + CAFE, "bot.py").files == {"main.py": head + CAFE}


def test_a_source_may_begin_with_a_byte_order_mark() -> None:
    assert read_bundle(b"\xef\xbb\xbf" + MAIN.encode(), "bot.py")


def test_the_digest_is_that_of_the_uploaded_bytes() -> None:
    from hashlib import sha256

    assert read_bundle(MAIN.encode(), "a.py").digest == sha256(MAIN.encode()).hexdigest()
    assert read_bundle(bot_with(), "a.zip").digest == sha256(bot_with()).hexdigest()


def test_a_bundle_for_another_game_is_told_so() -> None:
    with pytest.raises(BundleRejected, match="is for countdown, but it was sent in for gatsby") as caught:
        read_bundle(bot_with(), "bot.zip", game="gatsby")
    assert caught.value.code == "wrong_game"


def test_a_lone_file_that_is_no_source_is_rejected() -> None:
    with pytest.raises(BundleRejected, match="NUL"):
        read_bundle(b"\x7fELF\0\0\0", "bot.py")


def test_a_file_that_cannot_be_read_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(BundleRejected, match="can't be read"):
        read_bundle_file(tmp_path / "nothing.py")


def test_a_native_program_is_stored_so_that_it_can_be_started(tmp_path: Path) -> None:
    program = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00\x3e\x00" + bytes(100)
    toml = TOML + 'runtime = "native"\nentry = "bin/bot"\n'
    bundle = read_bundle(zipped(("bot.toml", toml), ("bin/bot", program)), "bot.zip")
    assert stat.S_IMODE((store_bundle(bundle, tmp_path) / "bin/bot").stat().st_mode) == 0o555


@pytest.mark.parametrize("spoil", [lambda d: d[: len(d) // 2], lambda d: d[:40] + noise(40) + d[80:], bytes.swapcase])
def test_no_damage_makes_anything_but_a_rejection(spoil: Callable[[bytes], bytes]) -> None:
    with pytest.raises(BundleRejected):
        read_bundle(spoil(bot_with(("more", noise(300)))), "bot.zip")
