"""Everything goes into one file and comes back as it was."""

from __future__ import annotations

import json
import os
import zipfile
from io import StringIO

import pytest
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.db import connection

from ladder.accounts.models import Notification, User
from ladder.accounts.services import make_token, notify
from ladder.ladders.models import Ladder
from ladder.submissions.models import Bot, BotVersion, Bundle

pytestmark = pytest.mark.django_db(transaction=True)
TABLES = (User, Bot, BotVersion, Bundle, Ladder, Notification)


@pytest.fixture
def furnished() -> User:
    """A small world with bytes, JSON, times and a circle of foreign keys in it."""
    user = User.objects.create_user("remus", password="bootlegger-1923")
    make_token(user, name="laptop")
    notify(user, "qualified", "It plays – “really”.")
    Ladder.objects.create(slug="gatsby-2", game="gatsby", seats=2, options={"a": [1, None]}, tau=0.0081)
    bundle = Bundle.objects.create(digest="d" * 64, content=bytes(range(256)), size_bytes=256)
    bot = Bot.objects.create(name="one", owner=user, game="gatsby")
    bot.active_version = BotVersion.objects.create(
        bot=bot, number=1, bundle=bundle, runtime="python", entry="main.py", filename="one.py", status="qualified"
    )
    bot.save()
    return user


def everything() -> list[list[dict]]:
    return [[_readable(row) for row in model.objects.order_by("pk").values()] for model in TABLES]


def _readable(row: dict) -> dict:
    return {key: bytes(value) if isinstance(value, memoryview) else value for key, value in row.items()}


def empty_out() -> None:
    Bot.objects.update(active_version=None)
    for model in (BotVersion, Bot, Bundle, Ladder, User):
        model.objects.all().delete()


def test_what_goes_in_comes_out(furnished, tmp_path):
    before = everything()
    call_command("backup", str(tmp_path / "b.zip"), stdout=StringIO())
    empty_out()
    out = StringIO()
    call_command("restore", str(tmp_path / "b.zip"), stdout=out)
    assert everything() == before
    assert "rows restored" in out.getvalue()


def test_after_a_restore_new_rows_get_new_ids(furnished, tmp_path):
    call_command("backup", str(tmp_path / "b.zip"), stdout=StringIO())
    call_command("restore", "--force", str(tmp_path / "b.zip"), stdout=StringIO())
    assert User.objects.create_user("second").pk > furnished.pk


def test_a_backup_is_for_its_owner_only(furnished, tmp_path):
    call_command("backup", str(tmp_path / "b.zip"), stdout=StringIO())
    assert os.stat(tmp_path / "b.zip").st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["b.zip"]


def test_neither_a_file_nor_a_database_is_overwritten_unasked(furnished, tmp_path):
    path = str(tmp_path / "b.zip")
    call_command("backup", path, stdout=StringIO())
    with pytest.raises(CommandError, match="--force"):
        call_command("backup", path)
    with pytest.raises(CommandError, match="not empty"):
        call_command("restore", path)
    call_command("backup", "--force", path, stdout=StringIO())


def rewritten(path, name: str, content: bytes) -> str:
    """The same archive with one member changed."""
    other = path.with_name("other.zip")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(other, "w") as new:
        for member in old.namelist():
            new.writestr(member, content if member == name else old.read(member))
    return str(other)


@pytest.mark.parametrize(
    ("member", "content", "complaint"),
    [
        ("about.json", b"{}", "format None"),
        ("about.json", b'{"format":1,"migrations":[],"rows":{}}', "another version"),
        ("about.json", b"\xff", "not a complete backup"),
        ("tables/accounts.User.jsonl", b'["id"]\n', "0 rows instead of 1"),
        ("tables/accounts.User.jsonl", b"[1", "not a complete backup"),
    ],
)
def test_a_damaged_backup_changes_nothing(furnished, tmp_path, member, content, complaint):
    path = tmp_path / "b.zip"
    call_command("backup", str(path), stdout=StringIO())
    before = everything()
    with pytest.raises(CommandError, match=complaint):
        call_command("restore", "--force", rewritten(path, member, content))
    assert everything() == before


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", bytes(range(100))], ids=["nothing", "a beginning", "noise"])
def test_a_file_that_is_no_backup_is_refused(tmp_path, content):
    (tmp_path / "b.zip").write_bytes(content)
    with pytest.raises(CommandError, match="not a complete backup"):
        call_command("restore", str(tmp_path / "b.zip"))


def edited(path, label: str, edit) -> str:
    """The same archive with the lines of one table changed, and its count of rows with them."""
    other = path.with_name("edited.zip")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(other, "w") as new:
        about = json.loads(old.read("about.json"))
        lines = edit([json.loads(line) for line in old.read(f"tables/{label}.jsonl").splitlines()])
        about["rows"].pop(label)
        for member in old.namelist():
            if member not in ("about.json", f"tables/{label}.jsonl"):
                new.writestr(member, old.read(member))
        if lines:
            about["rows"][label] = len(lines) - 1
            new.writestr(f"tables/{label}.jsonl", "\n".join(map(json.dumps, lines)) + "\n")
        new.writestr("about.json", json.dumps({**about, "migrations": about["migrations"][:-1]}))
    return str(other)


def without(column: str):
    def edit(lines: list[list]) -> list[list]:
        at = lines[0].index(column)
        return [line[:at] + line[at + 1 :] for line in lines]

    return edit


def test_what_a_backup_of_an_older_version_lacks_gets_its_default(furnished, tmp_path):
    path = tmp_path / "b.zip"
    Ladder.objects.update(rules_version=7)
    call_command("backup", str(path), stdout=StringIO())
    call_command("restore", "--force", edited(path, "ladders.Ladder", without("rules_version")), stdout=StringIO())
    assert Ladder.objects.get().rules_version == 1
    assert Ladder.objects.get().options == {"a": [1, None]}


def test_a_table_that_an_older_version_had_not_is_empty(furnished, tmp_path):
    path = tmp_path / "b.zip"
    call_command("backup", str(path), stdout=StringIO())
    call_command("restore", "--force", edited(path, "accounts.Notification", lambda lines: []), stdout=StringIO())
    assert not Notification.objects.exists()
    assert Bot.objects.exists()


def test_models_that_an_older_version_had_not_get_their_permissions(furnished, tmp_path):
    path = tmp_path / "b.zip"
    call_command("backup", str(path), stdout=StringIO())
    known = Permission.objects.count()
    fewer = edited(path, "auth.Permission", lambda lines: lines[:-4])
    call_command("restore", "--force", fewer, stdout=StringIO())
    assert Permission.objects.count() == known


@pytest.mark.parametrize(
    ("label", "edit", "complaint"),
    [
        ("ladders.Ladder", lambda lines: [[*line, "tomorrow"] for line in lines], "ladders.Ladder.tomorrow"),
        ("ladders.Ladder", without("slug"), "no ladders.Ladder.slug"),
    ],
)
def test_a_backup_that_does_not_fit_is_refused_and_changes_nothing(furnished, tmp_path, label, edit, complaint):
    path = tmp_path / "b.zip"
    call_command("backup", str(path), stdout=StringIO())
    before = everything()
    with pytest.raises(CommandError, match=f"another version.*{complaint}"):
        call_command("restore", "--force", edited(path, label, edit))
    assert everything() == before


def test_a_table_that_this_version_has_not_is_refused(furnished, tmp_path):
    path = tmp_path / "b.zip"
    call_command("backup", str(path), stdout=StringIO())
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("tables/seasons.Season.jsonl", '["id"]\n')
    with pytest.raises(CommandError, match=r"another version.*seasons.Season"):
        call_command("restore", "--force", str(path))


def test_a_missing_file_or_folder_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"no file .*nowhere"):
        call_command("restore", str(tmp_path / "nowhere"))
    with pytest.raises(CommandError, match=r"no folder .*nowhere"):
        call_command("backup", str(tmp_path / "nowhere" / "b.zip"))


def test_every_table_is_in_the_backup(furnished, tmp_path):
    call_command("backup", str(tmp_path / "b.zip"), stdout=StringIO())
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        rows = json.loads(archive.read("about.json"))["rows"]
    kept = {connection.introspection.identifier_converter(name) for name in connection.introspection.table_names()}
    assert len(kept) == len(rows) + 2  # all but sessions and the list of migrations
