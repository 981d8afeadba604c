"""The canary: one start through the real launcher that must fail at everything it tries."""

from __future__ import annotations

import os
import select
import shutil
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import orjson

from arena.sandbox.errors import SandboxError
from arena.sandbox.launcher import launch
from arena.sandbox.leases import lease_user
from arena.sandbox.places import is_root
from arena.sandbox.process import BotProcess
from arena.sandbox.profile import Cell, Wall
from arena.sandbox.sandbox_folder import SandboxFolder
from arena.sandbox.staging import new_folder

_WALL_S = 60.0


def canary(wall: Wall, sandbox_folder: SandboxFolder) -> list[str]:
    """What the canary could do that it must not, empty when the wall holds; raises SandboxError if it can't start."""
    with ExitStack() as stack:
        folder, host = stack.enter_context(new_folder()), stack.enter_context(new_folder("host-"))
        shutil.copy(Path(__file__).with_name("canary_bot.py"), folder / "main.py")
        (folder / "main.py").chmod(0o644)
        target = host / "secret"
        target.write_text("untouched")
        target.chmod(0o666)
        user = stack.enter_context(lease_user()) if is_root() else None
        cell = Cell(folder=folder, runtime="python", entry="main.py", memory_mib=256, cpu_s=10, user=user)
        bot = launch(wall, sandbox_folder, cell)
        answer = ask_canary(bot, target)
        if wall.is_warm and not bot.is_warm:
            raise SandboxError("no warm parent could be had", retryable=False)
        done = [name for name, refusal in answer.items() if refusal is None]
        if target.read_text() != "untouched" and not done:
            done.append("write to a file of the host")
        return done


def ask_canary(bot: BotProcess, target: Path) -> dict[str, str | None]:
    try:
        with suppress(BrokenPipeError):  # it is gone already; its last words say why
            os.write(bot.stdin, orjson.dumps({"host_file": str(target)}) + b"\n")
        line = _read_line(bot)
    finally:
        words = _drained(bot.stderr)
        bot.end()
    try:
        answer = orjson.loads(line)
    except orjson.JSONDecodeError:
        raise SandboxError(f"the canary did not answer: {words or 'it said nothing'}", retryable=False) from None
    if not isinstance(answer, dict) or len(answer) < 5:
        raise SandboxError("the canary gave no report", retryable=False)
    return answer


def _read_line(bot: BotProcess) -> bytes:
    line = b""
    until = time.monotonic() + _WALL_S
    poller = select.poll()
    poller.register(bot.stdout, select.POLLIN)
    while not line.endswith(b"\n") and (left := until - time.monotonic()) > 0:
        if not poller.poll(int(left * 1000)):
            break
        piece = os.read(bot.stdout, 65536)
        if not piece:
            break
        line += piece
    return line


def _drained(descriptor: int) -> str:
    try:
        return os.read(descriptor, 4096).decode("utf-8", "replace").strip()[-500:]
    except BlockingIOError:
        return ""
