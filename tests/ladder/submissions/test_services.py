from __future__ import annotations

import io
import zipfile
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils.timezone import now

from arena import read_bundle
from ladder.accounts.models import User
from ladder.qualifying.activation import activate, withdraw
from ladder.submissions import services
from ladder.submissions.models import Bot, BotVersion, Bundle
from ladder.submissions.permissions import NotYours, may_see_source
from ladder.submissions.queries import source_of
from ladder.submissions.services import (
    BotRefused,
    QuotaReached,
    UploadRejected,
    create_bot,
    release_bots,
    upload_version,
)
from tests.ladder.cast import make_user, make_version

pytestmark = pytest.mark.django_db
SOURCE = b"print('hello')\n"


@pytest.fixture
def bot(owner: User) -> Bot:
    return create_bot(owner=owner, game="speak_easy", name="Alice")


def upload(bot: Bot, by: User, content: bytes = SOURCE, filename: str = "main.py") -> BotVersion:
    return upload_version(bot=bot, by=by, content=content, filename=filename)


def zipped(files: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def test_an_upload_becomes_the_next_version_and_wakes_the_check(
    bot: Bot, owner: User, sent: list[str], django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        first, second = upload(bot, owner), upload(bot, owner, b"# second\n")
    assert (first.number, second.number, first.status) == (1, 2, "received")
    assert source_of(first) == SOURCE
    assert sent == ["ladder.pipeline.run_stage"] * 2


def test_the_same_bytes_are_stored_once(bot: Bot, owner: User) -> None:
    assert upload(bot, owner).digest == upload(bot, owner).digest
    assert Bundle.objects.count() == 1


@pytest.mark.parametrize(
    ("content", "filename", "code", "status"),
    [
        (b"", "main.py", "not_a_bundle", 400),
        (b"x" * (20 * 1024 * 1024 + 1), "main.py", "upload_too_large", 413),
        (b"hello", "picture.png", "not_a_bundle", 400),
        (b"PK\x03\x04 broken", "bot.zip", "broken_archive", 400),
        (zipped({"main.py": "x"}), "bot.zip", "missing_manifest", 400),
        (zipped({"bot.toml": 'name="a"\ngame="gatsby"\n', "main.py": "x"}), "bot.zip", "wrong_game", 400),
        (zipped({"../evil.py": "x", "bot.toml": ""}), "bot.zip", "unsafe_name", 400),
    ],
)
def test_a_bad_upload_gets_a_clear_answer_and_stores_nothing(
    bot: Bot, owner: User, content: bytes, filename: str, code: str, status: int
) -> None:
    with pytest.raises(UploadRejected) as refused:
        upload(bot, owner, content, filename)
    assert (refused.value.code, refused.value.status) == (code, status)
    assert not BotVersion.objects.exists()
    assert not Bundle.objects.exists()


@pytest.mark.parametrize(
    "filename", ["../../x.py", "a\r\nX: y.py", 'a".py', "é" * 300 + ".py", "C:\\bots\\x.py", ".py"]
)
def test_a_hostile_file_name_is_made_plain(bot: Bot, owner: User, filename: str) -> None:
    try:
        stored = upload(bot, owner, filename=filename).filename
    except UploadRejected:
        return
    assert stored.isascii()
    assert not set('/\\"\r\n\0') & set(stored)
    assert len(stored) <= 200


def test_a_rival_cannot_upload_activate_or_withdraw(bot: Bot, owner: User) -> None:
    rival, version = make_user("rival"), make_version(bot=bot)
    for act in (lambda: upload(bot, rival), lambda: activate(version, by=rival), lambda: withdraw(version, by=rival)):
        with pytest.raises(NotYours):
            act()
    assert may_see_source(owner, version)
    assert not may_see_source(rival, version)
    assert not may_see_source(None, version)


@pytest.mark.parametrize("name", ["", "   ", "-x", "a" * 41, "über", "a/b", "<b>", "a\nb"])
def test_a_name_that_is_no_name_is_refused_with_the_value(owner: User, name: str) -> None:
    with pytest.raises(BotRefused) as refused:
        create_bot(owner=owner, game="gatsby", name=name)
    assert refused.value.code == "invalid_name"


def test_a_name_is_taken_once_in_a_game_whatever_its_case(bot: Bot) -> None:
    with pytest.raises(BotRefused) as refused:
        create_bot(owner=make_user(), game="speak_easy", name="ALICE")
    assert refused.value.code == "name_taken"
    create_bot(owner=make_user(), game="gatsby", name="Alice")


def test_an_unknown_game_is_refused(owner: User) -> None:
    with pytest.raises(BotRefused, match="chess"):
        create_bot(owner=owner, game="chess", name="Deep")


def test_quotas_hold_for_authors_and_not_for_administrators(bot: Bot, owner: User, settings) -> None:
    settings.UPLOADS_A_DAY, settings.BOTS_A_USER = 1, 1
    upload(bot, owner)
    with pytest.raises(QuotaReached, match="24 hours"):
        upload(bot, owner)
    with pytest.raises(QuotaReached, match="1 bots"):
        create_bot(owner=owner, game="gatsby", name="Second")
    upload(bot, make_user(role=User.Role.ADMINISTRATOR))


def test_the_quota_of_uploads_says_when_there_is_room_again(bot: Bot, owner: User, settings) -> None:
    settings.UPLOADS_A_DAY = 2
    for hours in (30, 20, 10):  # the first is past its day
        BotVersion.objects.filter(pk=upload(bot, owner).pk).update(uploaded_at=now() - timedelta(hours=hours))
    with pytest.raises(QuotaReached) as refused:
        upload(bot, owner)
    oldest = BotVersion.objects.order_by("uploaded_at")[1].uploaded_at
    assert refused.value.free_at == oldest + timedelta(days=1)
    assert 3 * 3600 < refused.value.retry_after_s <= 4 * 3600
    assert f"{oldest + timedelta(days=1, seconds=59):%H:%M} UTC" in refused.value.message
    BotVersion.objects.filter(uploaded_at=oldest).update(uploaded_at=now() - timedelta(hours=24, seconds=1))
    upload(bot, owner)


def test_a_quota_that_time_does_not_free_names_no_time(bot: Bot, owner: User, settings) -> None:
    settings.BOTS_A_USER, settings.UPLOADS_A_DAY = 1, 0
    for ask in (lambda: create_bot(owner=owner, game="gatsby", name="Second"), lambda: upload(bot, owner)):
        with pytest.raises(QuotaReached) as refused:
            ask()
        assert refused.value.retry_after_s is None


def test_the_bots_of_a_leaving_user_stay_without_a_name(owner: User, bot: Bot) -> None:
    upload(bot, owner)
    assert release_bots(Bot.objects.filter(owner=owner)) == 1
    owner.delete()
    bot.refresh_from_db()
    assert bot.owner is None
    assert bot.versions.count() == 1


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_the_database_while_an_archive_is_opened(
    bot: Bot, owner: User, client, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = []

    def opened(*given: object, **named: object) -> Bundle:
        held.append(connection.in_atomic_block)
        return read_bundle(*given, **named)

    monkeypatch.setattr(services, "read_bundle", opened)
    upload(bot, owner)
    client.force_login(owner)
    client.post("/submit/", {"bot": str(bot.pk), "file": SimpleUploadedFile("main.py", SOURCE)})
    assert bot.versions.count() == 2
    assert held == [False, False]
