"""Pairs of bots that try to talk through files, in one match and from one match to the next, and what came across."""

from __future__ import annotations

import os
import random
import re
import secrets
import time
from functools import cache
from pathlib import Path

from arena import MatchRecord, PlayedAction
from arena.sandbox.walls import Sandbox, require_sandbox
from tests.arena.table import PATIENT, Bot, make_bot, play_bots, words_of

BITS = 48
# Of 48 bits that are guessed, 40 are right once in a million times.
HEARD = 40
CHANNELS = ("pages", "look-ups", "st_atime_ns", "st_mtime_ns", "st_ctime_ns", "locks", "inode numbers")


def whisper(tmp_path: Path, *, apart: bool, sandbox: Sandbox | None = None, stirred: bool = True) -> dict[str, int]:
    """How many bits came across by each channel, in the same match or, apart, from one match to the next.

    Between telling and listening the processor's caches are stirred: what these hold is no memory of files.
    """
    sandbox = sandbox or require_sandbox()
    told = "".join(random.Random(1923).choices("01", k=BITS))
    mark = secrets.token_hex(8)
    _cool_down(sandbox)
    teller, listener = _half(tmp_path, "tell", mark, told), _half(tmp_path, "listen", mark, str(BITS))
    if apart:
        play_bots(teller, make_bot(tmp_path, "good"), limits=PATIENT, sandbox=sandbox)
        if stirred:
            _stir()
        return _heard(play_bots(listener, make_bot(tmp_path, "good"), limits=PATIENT, sandbox=sandbox), 0, told)
    stirs: list[PlayedAction] = []

    def after(played: PlayedAction) -> None:
        if stirred and played.seat == 0 and not stirs:
            stirs.append(played)
            _stir()

    return _heard(play_bots(teller, listener, limits=PATIENT, sandbox=sandbox, on_action=after), 1, told)


def _stir() -> None:
    """Write, read and write again as much as all caches hold."""
    bytes(bytearray(b"\x01") * _cache_size())


@cache
def _cache_size() -> int:
    """Of the largest cache of our cores, in bytes, or what is larger than most."""
    sizes = [path.read_text().strip() for path in Path("/sys/devices/system/cpu").glob("cpu*/cache/index*/size")]
    kib = [int(size.removesuffix("K")) for size in sizes if size.endswith("K")]
    return min(max(kib, default=64 * 1024), 512 * 1024) * 1024


def _half(tmp_path: Path, role: str, mark: str, bits: str) -> Bot:
    return make_bot(tmp_path, "whispers", files={"wanted.txt": f"{role} {mark} {time.time_ns()} {bits}"})


def _cool_down(sandbox: Sandbox) -> None:
    """Have the host drop the pages of a large file, as it does when it is short of memory."""
    path = sandbox.folder.root / "usr" / "bin" / "node"
    if path.exists():
        held = os.open(path, os.O_RDONLY)
        os.fsync(held)
        os.posix_fadvise(held, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(held)


def _heard(record: MatchRecord, seat: int, told: str) -> dict[str, int]:
    heard = dict(re.findall(r"heard (.+): ([01]+)", words_of(record, seat)))
    assert tuple(heard) == CHANNELS, words_of(record, seat)
    return {channel: _crossed(told, heard[channel]) for channel in CHANNELS}


def _crossed(told: str, heard: str) -> int:
    right = sum(one == other for one, other in zip(told, heard, strict=True))
    return right if right >= HEARD else 0
