"""Bundles beside a worker: fetched once, read only, and again when they are gone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ladder.accounts.models import User
from ladder.submissions.bundles import MEBIBYTE, bundle_limits, stored, unpacked
from ladder.submissions.models import BotVersion
from ladder.submissions.services import create_bot, upload_version
from tests.ladder.cast import make_user

pytestmark = pytest.mark.django_db
SOURCE = b"print('a bot')\n"


@pytest.fixture(autouse=True)
def data(settings, tmp_path: Path) -> Path:
    settings.DATA = tmp_path
    return tmp_path


@pytest.fixture
def owner() -> User:
    return make_user()


@pytest.fixture
def version(owner: User) -> BotVersion:
    bot = create_bot(owner=owner, game="gatsby", name="Lamp")
    return upload_version(bot=bot, by=owner, content=SOURCE, filename="lamp.py")


def test_limits_are_told_in_mebibytes_and_kept_in_bytes(settings) -> None:
    settings.UPLOAD_MIB, settings.UNPACKED_MIB, settings.BUNDLE_FILES = 1, 2, 3
    limits = bundle_limits()
    assert (limits.upload_bytes, limits.unpacked_bytes, limits.files) == (MEBIBYTE, 2 * MEBIBYTE, 3)


def test_a_bundle_is_found_under_its_digest_with_the_name_it_came_by(version: BotVersion) -> None:
    assert stored(version.digest) == (SOURCE, "lamp.py")


def test_a_lone_file_becomes_the_main_of_a_folder_that_nobody_writes_to(version: BotVersion, data: Path) -> None:
    folder = unpacked(version.digest)
    assert folder == data / "bundles" / version.digest
    assert (folder / "main.py").read_bytes() == SOURCE
    assert (folder / "main.py").stat().st_mode & 0o222 == 0
    assert folder.stat().st_mode & 0o222 == 0


def test_what_is_there_is_not_fetched_again(version: BotVersion) -> None:
    fetched: list[str] = []

    def fetch(digest: str) -> tuple[bytes, str]:
        fetched.append(digest)
        return stored(digest)

    assert unpacked(version.digest, fetch) == unpacked(version.digest, fetch)
    assert fetched == [version.digest]


def test_what_was_tidied_away_is_unpacked_anew(version: BotVersion) -> None:
    folder = unpacked(version.digest)
    folder.chmod(0o700)
    shutil.rmtree(folder)
    assert (unpacked(version.digest) / "main.py").read_bytes() == SOURCE


def test_two_versions_of_the_same_bytes_share_a_folder(version: BotVersion, owner: User, data: Path) -> None:
    again = upload_version(bot=version.bot, by=owner, content=SOURCE, filename="other.py")
    assert unpacked(version.digest) == unpacked(again.digest)
    assert len(list((data / "bundles").iterdir())) == 1
