"""Runs a command behind a seccomp profile, as a container's runtime would.

    python -m tests.service.confined [--log] PROFILE COMMAND …

Only what such profiles of ours use is understood. ``--log`` lets everything pass and has the kernel log what would not.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from arena.sandbox.seccomp import ARCH_AT, ARCH_X86_64, JEQ, JGE, LD_WORD, NR_AT, RET, X32_BIT, Instruction, arg_at

NUMBERS = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
KILL, ERRNO, LOG, ALLOW = 0x80000000, 0x00050000, 0x7FFC0000, 0x7FFF0000
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER = 38, 22, 2


def numbers() -> dict[str, int]:
    """Every system call of this machine's headers by its name."""
    return {name: int(number) for name, number in re.findall(r"#define __NR_(\w+)\s+(\d+)", NUMBERS.read_text())}


def assemble(profile: dict[str, Any], *, known: dict[str, int], otherwise: int | None = None) -> list[Instruction]:
    """The program of a profile; calls that the headers don't know are passed by, as libseccomp does."""
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    rules = [step for rule in profile["syscalls"] for step in _rule(rule, known)]
    refusal = ERRNO | profile["defaultErrnoRet"] if otherwise is None else otherwise
    return [
        Instruction(LD_WORD, ARCH_AT),
        Instruction(JEQ, ARCH_X86_64, jt=1),
        Instruction(RET, KILL),
        Instruction(LD_WORD, NR_AT),
        Instruction(JGE, X32_BIT, jf=1),
        Instruction(RET, KILL),
        *rules,
        Instruction(RET, refusal),
    ]


def _rule(rule: dict[str, Any], known: dict[str, int]) -> Iterable[Instruction]:
    """One entry: each of its calls, if it has these arguments; the number is loaded again after a look at them."""
    verdict = {"SCMP_ACT_ALLOW": ALLOW, "SCMP_ACT_ERRNO": ERRNO | rule.get("errnoRet", 1)}[rule["action"]]
    wanted = rule.get("args", [])
    assert all(each["op"] == "SCMP_CMP_EQ" and each["value"] < 1 << 32 for each in wanted), rule
    for name in rule["names"]:
        if name not in known:
            continue
        looks = [
            step
            for each in wanted
            for step in (Instruction(LD_WORD, arg_at(each["index"])), Instruction(JEQ, each["value"]))
        ]
        length = len(looks) + 1
        for place, step in enumerate(looks):
            if step.code == JEQ:
                looks[place] = Instruction(JEQ, step.k, jf=length - place - 1)
        again = [Instruction(LD_WORD, NR_AT)] if looks else []
        yield from [Instruction(JEQ, known[name], jf=length + len(again)), *looks, Instruction(RET, verdict), *again]


class Program(ctypes.Structure):
    """struct sock_fprog"""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def confine(steps: Sequence[Instruction]) -> None:
    """From now on this process and all it starts live behind the program."""
    libc, code = ctypes.CDLL(None, use_errno=True), b"".join(step.encoded() for step in steps)
    for words in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, FILTER, ctypes.byref(Program(len(steps), code)))):
        if libc.prctl(*words) != 0:
            raise OSError(ctypes.get_errno(), "the filter was not taken")


def main(words: list[str]) -> None:
    """Confine this process and become the command."""
    otherwise = LOG if words[0] == "--log" else None
    path, *command = words[1:] if otherwise else words
    confine(assemble(json.loads(Path(path).read_text()), known=numbers(), otherwise=otherwise))
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
