"""What people send as a bot: good ones are taken in, everything else gets a clear 4xx and leaves nothing behind."""

from __future__ import annotations

import io
import os
import zipfile
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.timezone import now

from ladder.accounts.services import make_token
from ladder.submissions.models import BotVersion, Bundle
from tests.ladder.api.world import World

BOUNDARY = "----boundary"
PYTHON = b"print('hello')\n"


@pytest.fixture
def token(world: World) -> dict[str, str]:
    return {"Authorization": f"Token {make_token(world.people['owner']).token}"}


def form(name: str, content: bytes, field: str = "file") -> bytes:
    """A form as a hostile client writes it, byte by byte."""
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n'
    return (
        head.encode() + b"Content-Type: application/octet-stream\r\n\r\n" + content + f"\r\n--{BOUNDARY}--\r\n".encode()
    )


def send(world: World, token: dict[str, str], body: bytes, kind: str = f"multipart/form-data; boundary={BOUNDARY}"):
    before = (BotVersion.objects.count(), Bundle.objects.count())
    answer = Client().generic("POST", f"/api/v1/bots/{world.bot.pk}/versions/", body, kind, headers=token)
    stored = (BotVersion.objects.count(), Bundle.objects.count()) != before
    return answer, stored


def archive(*names: str, content: bytes = PYTHON) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        file.writestr("bot.toml", 'name = "x"\ngame = "gatsby"\n')
        for name in names:
            file.writestr(name, content)
    return made.getvalue()


def test_a_good_file_is_taken_in_and_its_url_told(world: World, token):
    answer, stored = send(world, token, form("my bot.py", PYTHON))
    assert (answer.status_code, stored) == (202, True)
    assert answer["Location"] == answer.json()["url"]
    told = Client().get(urlsplit(answer["Location"]).path, headers=token).json()
    assert (told["status"], told["report"], told["log"]) == ("received", [], "")


def test_a_rejected_version_is_checked_again_after_an_hour_and_not_before(world: World, token):
    rejected = BotVersion.objects.filter(pk=world.spare.pk)
    path = f"/api/v1/bots/{world.bot.pk}/versions/{world.spare.number}/check-again/"
    rejected.update(status="rejected", reason="it crashed", checked_at=now() - timedelta(minutes=59))
    early = Client().post(path, headers=token)
    assert (early.status_code, early.json()["error"]["code"]) == (429, "checked_lately")
    assert 0 < int(early["Retry-After"]) <= 60
    rejected.update(checked_at=now() - timedelta(minutes=61))
    answer = Client().post(path, headers=token)
    assert (answer.status_code, answer.json()["status"], answer.json()["reason"]) == (202, "received", "")


def test_a_good_archive_is_taken_in(world: World, token):
    answer, stored = send(world, token, form("bot.zip", archive("main.py")))
    assert (answer.status_code, stored) == (202, True)


def test_what_was_sent_comes_back_to_its_owner(world: World, token):
    sent, _ = send(world, token, form("mine.py", PYTHON))
    path = urlsplit(sent["Location"]).path + "source/"
    answer = Client().get(path, headers=token)
    assert answer.content == PYTHON
    assert answer["Content-Disposition"] == 'attachment; filename="mine.py"'
    again = Client().get(path, headers=token | {"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


REFUSED = {
    "no bytes": (form("a.py", b""), 400, "not_a_bundle"),
    "a picture": (form("a.png", b"\x89PNG\r\n\x1a\n"), 400, "not_a_bundle"),
    "source with NUL": (form("a.py", b"a\x00b"), 400, "not_a_bundle"),
    "half an archive": (form("a.zip", archive("main.py")[:60]), 400, "broken_archive"),
    "another game": (form("a.zip", archive("main.py").replace(b"gatsby", b"capone")), 400, None),
    "a name that climbs": (form("../../etc/cron.d/a.py", PYTHON), 400, "unsafe_name"),
    "a name that climbs on Windows": (form("..\\\\..\\\\a.py", PYTHON), 400, "unsafe_name"),
    "a name with a line": (form("a\x0bb.py", PYTHON), 400, "unsafe_name"),
    "a name that turns round": (form("a\u202eyp.exe", PYTHON), 400, "unsafe_name"),
    "a long name": (form("a" * 300 + ".py", PYTHON), 400, "unsafe_name"),
    "a folder": (form("..", PYTHON), 400, "unsafe_name"),
    "an archive that climbs": (form("a.zip", archive("main.py", "../evil.py")), 400, "unsafe_name"),
    "an archive from the root": (form("a.zip", archive("main.py", "/etc/passwd")), 400, "unsafe_name"),
    "another field": (form("a.py", PYTHON, field="upload"), 400, "invalid"),
    "two files": (form("a.py", PYTHON)[: -len(f"--{BOUNDARY}--\r\n")] + form("b.py", PYTHON), 400, "invalid"),
    "no end": (form("a.py", PYTHON)[:-20], None, None),
    "nothing": (b"", 400, "invalid"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_bad_upload_is_refused_and_not_stored(world: World, token, what):
    body, status, code = REFUSED[what]
    answer, stored = send(world, token, body)
    if status is None:  # cut off: Django reads what came, which may be a whole bot
        assert answer.status_code in (202, 400)
        return
    assert (answer.status_code, stored) == (status, False)
    assert code in (None, answer.json()["error"]["code"])


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "multipart/form-data", "image/png", ""])
def test_another_kind_of_body_is_refused(world: World, token, kind):
    answer, stored = send(world, token, PYTHON, kind)
    assert (answer.status_code in (400, 415), stored) == (True, False)
    assert answer.json()["error"]["message"]


def test_a_file_over_the_limit_is_stopped_while_it_is_read(world: World, token, settings, tmp_path):
    settings.UPLOAD_MIB = 1
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    answer, stored = send(world, token, form("a.py", b"#" * (1024 * 1024 + 100)))
    assert (answer.status_code, answer.json()["error"]["code"], stored) == (413, "upload_too_large", False)
    assert os.listdir(tmp_path) == []


def test_a_length_that_lies_gets_an_answer(world: World, token):
    for length in ("-1", "many", str(2**63), "0"):
        answer = Client().generic(
            "POST", f"/api/v1/bots/{world.bot.pk}/versions/", form("a.py", PYTHON),
            f"multipart/form-data; boundary={BOUNDARY}", headers=token, CONTENT_LENGTH=length,
        )  # fmt: skip
        assert 400 <= answer.status_code < 500


def test_nobody_fills_the_disk_through_a_bot_of_others(world: World, tmp_path, settings):
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    client = world.client("stranger")
    file = SimpleUploadedFile("a.py", b"#" * (3 * 1024 * 1024))
    assert client.post(f"/api/v1/bots/{world.bot.pk}/versions/", {"file": file}).status_code == 403
    assert os.listdir(tmp_path) == []
