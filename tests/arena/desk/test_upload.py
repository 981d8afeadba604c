"""A bot as it would be uploaded: the same folder is always the same bytes."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from arena.bundle import read_bundle
from arena.desk.upload import upload_of

MANIFEST = 'name = "mine"\ngame = "gatsby"\n'


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    made = tmp_path / "night train"
    (made / "lib").mkdir(parents=True)
    (made / "bot.toml").write_text(MANIFEST)
    (made / "main.py").write_text("import lib.tables\n")
    (made / "lib" / "tables.py").write_text("X = 1\n")
    return made


def names(content: bytes) -> list[str]:
    return zipfile.ZipFile(io.BytesIO(content)).namelist()


def test_a_file_goes_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes(b"print('\xc3\xa9')\r\n")
    upload = upload_of(path)
    assert (upload.filename, upload.content, upload.path) == ("mine.py", b"print('\xc3\xa9')\r\n", path)


def test_a_folder_goes_as_a_zip_with_its_name_and_is_a_bundle(bot: Path) -> None:
    upload = upload_of(bot)
    assert upload.filename == "night train.zip"
    assert names(upload.content) == ["bot.toml", "lib/tables.py", "main.py"]
    assert read_bundle(upload.content, upload.filename, game="gatsby").manifest.name == "mine"


def test_the_folder_in_which_one_stands_has_a_name_too(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bot)
    assert upload_of(Path()).filename == "night train.zip"


def test_neither_times_nor_the_order_of_files_change_the_bytes(bot: Path) -> None:
    before = upload_of(bot).content
    os.utime(bot / "main.py", (1, 1))
    (bot / "a.txt").write_text("x")
    (bot / "a.txt").unlink()
    assert upload_of(bot).content == before


@pytest.mark.parametrize(
    "left", ["__pycache__/main.cpython-311.pyc", "lib/__pycache__/x.pyc", ".git/config", ".env", "node_modules/a/b.js"]
)
def test_what_python_node_and_git_left_there_stays_at_home(bot: Path, left: str) -> None:
    (bot / left).parent.mkdir(parents=True, exist_ok=True)
    (bot / left).write_text("x")
    assert names(upload_of(bot).content) == ["bot.toml", "lib/tables.py", "main.py"]


def test_a_program_stays_a_program(bot: Path) -> None:
    (bot / "main.py").chmod(0o755)
    archive = zipfile.ZipFile(io.BytesIO(upload_of(bot).content))
    modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
    assert modes == {"bot.toml": 0o644, "lib/tables.py": 0o644, "main.py": 0o755}


def test_what_is_not_there_can_t_be_sent(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        upload_of(tmp_path / "nothing.py")
