"""Folders for bots: what is cleared away, and that clearing never closes the folder all bots walk through."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from arena.bundle import store
from arena.bundle.store import remove_folder
from arena.sandbox import canary, places
from arena.sandbox.errors import SandboxError


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    folder.chmod(0o711)
    return folder


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_folder_that_another_cleared_meanwhile_does_not_close_its_home(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead = home / "staged-1-x"
    dead.mkdir()

    def walk(folder: Path) -> list[tuple[str, list[str], list[str]]]:
        shutil.rmtree(folder)  # the other one was faster
        return []

    monkeypatch.setattr(store.os, "walk", walk)
    remove_folder(dead)
    assert mode(home) == 0o711


def test_a_read_only_folder_is_removed_and_its_home_stays_as_it_is(home: Path) -> None:
    inner = home / "bundle" / "data"
    inner.mkdir(parents=True)
    (inner / "weights").write_text("1")
    inner.chmod(0o555)
    (home / "bundle").chmod(0o555)
    remove_folder(home / "bundle")
    assert os.listdir(home) == []
    assert mode(home) == 0o711


@pytest.mark.parametrize("wrong", [0o700, 0o755, 0o711])
def test_our_own_folder_can_be_walked_through_whoever_made_it(
    wrong: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "is_root", lambda: False)
    monkeypatch.setattr(places.tempfile, "gettempdir", lambda: str(tmp_path))
    folder = tmp_path / f"rumrunner-{os.geteuid()}"
    folder.mkdir()
    folder.chmod(wrong)
    assert places.own_folder() == folder
    assert mode(folder) == 0o711


def test_a_canary_that_is_gone_before_it_is_asked_is_a_sandbox_that_does_not_work(tmp_path: Path) -> None:
    class Gone:
        def __init__(self) -> None:
            reading, self.stdin = os.pipe()
            os.close(reading)
            self.stdout, ended = os.pipe()
            os.close(ended)
            self.stderr, words = os.pipe()
            os.write(words, b"bwrap: no such path")
            os.close(words)

        def end(self) -> None:
            for descriptor in (self.stdin, self.stdout, self.stderr):
                os.close(descriptor)

    with pytest.raises(SandboxError, match="did not answer: bwrap: no such path"):
        canary.ask_canary(Gone(), tmp_path / "secret")  # type: ignore[arg-type]
