"""The program of the system-call filter, run step by step as the kernel would, against the lists it is made from."""

from __future__ import annotations

import struct

import pytest

from arena.sandbox import seccomp, syscalls

SPECIAL = {
    syscalls.MMAP, syscalls.IOCTL, syscalls.MADVISE, syscalls.SOCKETPAIR, syscalls.GETSOCKOPT, syscalls.CLONE,
    syscalls.FCNTL, syscalls.PRCTL, syscalls.MEMBARRIER, syscalls.CLONE3, syscalls.CLOSE_RANGE,
}  # fmt: skip


def verdict(program: bytes, call: int, *arguments: int, architecture: int = seccomp.ARCH_X86_64) -> int:
    """What the program returns for one call."""
    data = struct.pack("=IIQ6Q", call, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    steps = list(struct.iter_unpack("=HBBI", program))
    word = at = 0
    while True:
        code, jt, jf, k = steps[at]
        at += 1
        if code == seccomp.RET:
            return k
        if code == seccomp.LD_WORD:
            (word,) = struct.unpack_from("=I", data, k)
        elif code == seccomp.AND:
            word &= k
        else:
            holds = {seccomp.JEQ: word == k, seccomp.JGE: word >= k, seccomp.JSET: bool(word & k)}[code]
            at += jt if holds else jf


@pytest.mark.parametrize("changing_user", [False, True])
def test_every_call_has_the_verdict_of_its_list(changing_user: bool) -> None:
    program = seccomp.assemble(changing_user=changing_user)
    allowed = {*syscalls.ALLOWED.values(), *(syscalls.CHANGING_USER.values() if changing_user else ())}
    for call in [number for number in range(1200) if number not in SPECIAL]:
        inert, fits = call in syscalls.INERT.values(), call in allowed
        wanted = seccomp.PRETEND_DONE if inert else seccomp.RET_ALLOW if fits else seccomp.DENY
        assert verdict(program, call) == wanted, call


@pytest.mark.parametrize(
    ("call", "place", "good", "bad"),
    [
        (syscalls.IOCTL, 1, seccomp.HARMLESS_IOCTLS, 0x5412),
        (syscalls.FCNTL, 1, seccomp.HARMLESS_FCNTLS, 1024),
        (syscalls.MADVISE, 2, seccomp.HARMLESS_ADVICE, 12),
        (syscalls.SOCKETPAIR, 0, (seccomp.AF_UNIX,), 2),
        (syscalls.GETSOCKOPT, 2, seccomp.HARMLESS_SOCKET_FACTS, 57),
        (syscalls.MEMBARRIER, 0, seccomp.PRIVATE_BARRIERS, 1),
        (syscalls.PRCTL, 0, (seccomp.PR_SET_NAME, seccomp.PR_GET_NAME, seccomp.PR_SET_VMA), 22),
        (syscalls.CLOSE_RANGE, 2, seccomp.SHARED_CLOSES, 2),
        (syscalls.CLONE, 0, (seccomp.THREAD, seccomp.THREAD | seccomp.BEGINNING), seccomp.THREAD | 0x4000),
        (syscalls.MMAP, 3, (0x2, 0x22, 0x1), 0x21),
    ],
)
def test_a_call_is_judged_by_its_argument(call: int, place: int, good: tuple[int, ...], bad: int) -> None:
    program = seccomp.assemble()
    assert {verdict(program, call, *[0] * place, value) for value in good} == {seccomp.RET_ALLOW}
    assert verdict(program, call, *[0] * place, bad) == seccomp.DENY


def test_other_architectures_are_killed_and_clone3_is_said_to_be_missing() -> None:
    program = seccomp.assemble()
    assert verdict(program, 0, architecture=0x40000003) == seccomp.RET_KILL_PROCESS
    assert verdict(program, seccomp.X32_BIT) == seccomp.RET_KILL_PROCESS
    assert verdict(program, syscalls.CLONE3) == seccomp.PRETEND_MISSING
