"""Nothing is remembered between matches and nothing crosses between seats through the file system."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena import require_sandbox
from arena.sandbox import tmpfs, walls
from arena.sandbox.doctor import doctor
from arena.sandbox.sandbox_folder import current_folder
from arena.sandbox.tmpfs import Home, find_home, moved_folder
from arena.sandbox.walls import Sandbox
from tests.arena.table import make_bot, play_bots, staged
from tests.arena.whispers import CHANNELS, whisper

in_memory = pytest.mark.skipif(not find_home().base, reason=f"no tmpfs serves: {find_home().problem}")


@in_memory
@pytest.mark.parametrize("apart", [False, True], ids=["between seats", "between matches"])
def test_no_bit_crosses_by_files(apart: bool, tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    crossed = whisper(tmp_path, apart=apart)
    record_property("bits that crossed", crossed)
    print(f"bits that crossed: {crossed}")
    assert crossed == dict.fromkeys(CHANNELS, 0)


def on_disk() -> Sandbox:
    """The sandbox as it would be without a tmpfs."""
    wall = require_sandbox().wall
    if tmpfs.kind_of(current_folder().root) == "tmpfs":
        pytest.skip("the sandbox folder itself is in memory here")
    return Sandbox(replace(wall, without=wall.without | {"forgetful_files"}), current_folder())


@pytest.mark.parametrize("apart", [False, True], ids=["between seats", "between matches"])
def test_on_a_disk_look_ups_are_heard(apart: bool, tmp_path: Path) -> None:
    """Without the layer "forgetful_files" the kernel remembers which names were looked for in vain.

    A host that is short of memory forgets them again at any moment: one pair of several is heard.
    """
    sandbox, heard = on_disk(), []
    while len(heard) < 3 and not any(heard):
        folder = tmp_path / str(len(heard))
        folder.mkdir()
        heard.append(whisper(folder, apart=apart, sandbox=sandbox)["look-ups"])
    print(f"bits that crossed: {heard}")
    assert any(heard)


def test_without_the_filter_locks_are_heard(tmp_path: Path) -> None:
    sandbox = require_sandbox()
    wall = replace(sandbox.wall, without=sandbox.wall.without | {"syscall_filter"})
    crossed = whisper(tmp_path, apart=False, sandbox=Sandbox(wall, sandbox.folder))
    print(f"bits that crossed: {crossed}")
    assert crossed["locks"] > 0


@in_memory
def test_root_code_and_bundle_of_a_match_are_in_memory(tmp_path: Path) -> None:
    folder = require_sandbox().folder
    assert {tmpfs.kind_of(folder.root), tmpfs.kind_of(folder.code)} == {"tmpfs"}
    seen: list[str] = []
    bots = make_bot(tmp_path, "good"), make_bot(tmp_path, "good")
    record = play_bots(*bots, on_progress=lambda _: seen.extend(staged()))
    assert any(name.startswith("staged-") for name in seen)
    assert "forgetful_files" in record.sandbox.layers
    assert staged() == set()


def test_a_named_place_that_does_not_serve_is_told_and_nothing_else_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if tmpfs.kind_of(tmp_path) == "tmpfs":
        pytest.skip("the folder for tests is in memory here")
    monkeypatch.setenv("RUMRUNNER_TMPFS", str(tmp_path))
    assert find_home() == Home(None, f"{tmp_path} is {tmpfs.kind_of(tmp_path)}, not tmpfs")
    monkeypatch.setenv("RUMRUNNER_TMPFS", "/nowhere")
    assert find_home() == Home(None, "/nowhere is missing")


@in_memory
@pytest.mark.parametrize(("flag", "free", "problem"), [(8, 10**6, "noexec"), (0, 10, "has 10 MiB free of the")])
def test_a_tmpfs_without_exec_or_room_does_not_serve(
    flag: int, free: int, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Found:
        f_flag, f_bavail, f_frsize = flag, free, 1024 * 1024

    monkeypatch.setattr(tmpfs.os, "statvfs", lambda _: Found)
    found = find_home()
    assert found.base is None
    assert problem in found.problem


def test_without_a_tmpfs_matches_are_played_from_disk_and_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox = on_disk()  # found out before anything is told otherwise: the process keeps what it found
    monkeypatch.setattr(tmpfs, "home", lambda: Home(None, "/dev/shm is mounted noexec"))
    moved = moved_folder.__wrapped__()
    assert (moved.folder.root, moved.problem) == (current_folder().root, "/dev/shm is mounted noexec")
    monkeypatch.setattr(tmpfs, "moved_folder", lambda: moved)
    check = next(check for check in doctor().checks if check.name == "tmpfs")
    assert not check.ok
    assert not check.is_needed
    assert "on disk" in check.detail
    assert "RUMRUNNER_TMPFS" in check.cure
    record = play_bots(make_bot(tmp_path, "good"), make_bot(tmp_path, "good"), sandbox=sandbox)
    assert record.ending == "finished"
    assert "forgetful_files" not in record.sandbox.layers


@in_memory
def test_what_was_cleared_from_memory_is_copied_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sandbox = require_sandbox()
    gone = Sandbox(sandbox.wall, replace(sandbox.folder, root=tmp_path / "gone"))
    answers = [gone, sandbox]

    def tried(**_: bool) -> Sandbox:
        return answers.pop(0)

    tried.cache_clear = lambda: None  # type: ignore[attr-defined]
    monkeypatch.setattr(walls, "tried_sandbox", tried)
    assert walls.require_sandbox() == sandbox


@in_memory
def test_copies_that_nobody_uses_are_forgotten_and_those_in_use_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tmpfs, "KEEP_S", -1)
    for name in ("root-used", "root-old", "code-old", "staged-1-x"):
        (tmp_path / name).mkdir()
    held = os.open(tmp_path / "root-used", os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_SH)
    tmpfs.forget_unused(tmp_path)
    os.close(held)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["root-used", "staged-1-x"]


def test_code_with_compiled_engines_takes_no_copy_of_code_without(tmp_path: Path) -> None:
    folder = replace(current_folder(), code=tmp_path)
    pure = tmpfs.code_name(folder)
    (tmp_path / "engines" / "_compiled").mkdir(parents=True)
    assert tmpfs.code_name(folder) != pure
