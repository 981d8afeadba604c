"""The filter between a bot and the kernel, assembled by hand: struct sock_filter for x86-64.

Everything is refused with EPERM unless it is on the list; clone3 gets ENOSYS, so that the C library falls back to
clone, whose flags can be looked at; a program of another architecture is killed.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from arena.sandbox import syscalls

ARCH_X86_64 = 0xC000003E
X32_BIT = 0x40000000

RET_KILL_PROCESS, RET_ERRNO, RET_ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
DENY = RET_ERRNO | errno.EPERM
PRETEND_DONE = RET_ERRNO
PRETEND_MISSING = RET_ERRNO | errno.ENOSYS

LD_WORD, JEQ, JGE, JSET, AND, RET = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06

NR_AT, ARCH_AT = 0, 4
# A thread shares memory, files, folders and signals with its process: only then a stop reaches every one of them.
THREAD = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000  # CLONE_VM, _FS, _FILES, _SIGHAND, _THREAD
# And how it begins: CLONE_SYSVSEM, _SETTLS, _PARENT_SETTID, _CHILD_CLEARTID, _DETACHED, _CHILD_SETTID; whatever is not
# here is refused, above all CLONE_VFORK, whose caller sleeps where no signal to stop wakes it.
BEGINNING = 0x40000 | 0x80000 | 0x100000 | 0x200000 | 0x400000 | 0x1000000
MAP_SHARED, MAP_ANONYMOUS, MAP_GROWSDOWN, MAP_HUGETLB = 0x1, 0x20, 0x100, 0x40000
# Whether it is a terminal and how wide, how much can be read, blocking, closing on exec: nothing that reaches a device.
HARMLESS_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# Copies of a descriptor and its flags; no lease, lock or watch on files that other bots open too, no larger pipe.
HARMLESS_FCNTLS = (0, 1, 2, 3, 4, 1030)
AF_UNIX = 1
# What kind it is, whether something went wrong, how large its buffers are: SO_TYPE, _ERROR, _SNDBUF, _RCVBUF,
# _ACCEPTCONN, _PROTOCOL, _DOMAIN. Not its cookie, which is counted on for all programs of a core: by using up some of
# these numbers one bot could tell the next one something.
HARMLESS_SOCKET_FACTS = (3, 4, 7, 8, 30, 38, 39)
# Closing now or on exec; not CLOSE_RANGE_UNSHARE, which gives a thread a table of its own, with as many files again.
SHARED_CLOSES = (0, 4)
# Asking, and the kinds that are private and quick; the others sleep through a stop until the kernel's next grace.
PRIVATE_BARRIERS = (0, 8, 16, 32, 64)
# What only its own pages feel: read ahead or not, give back, huge or not, not in a dump, fill, guard. None that write
# pages out, merge equal pages of several programs or drop what a file holds: the host does their work.
HARMLESS_ADVICE = (0, 1, 2, 3, 4, 8, 14, 15, 16, 17, 18, 19, 22, 23, 102, 103)
PR_SET_NAME, PR_GET_NAME, PR_SET_VMA = 15, 16, 0x53564D41
# Keepcaps, bounding set, securebits, no_new_privs, ambient.
FOR_SETPRIV = (8, 23, 24, 27, 28, 38, 39, 47)


def arg_at(index: int) -> int:
    """Where the low word of an argument stands in struct seccomp_data."""
    return 16 + 8 * index


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction; jumps are given as the number of instructions to skip."""

    code: int
    k: int
    jt: int = 0
    jf: int = 0

    def encoded(self) -> bytes:
        return struct.pack("=HBBI", self.code, self.jt, self.jf, self.k)


def _returns(verdict: int) -> Instruction:
    return Instruction(RET, verdict)


def _load(offset: int) -> Instruction:
    return Instruction(LD_WORD, offset)


def _guard_architecture() -> list[Instruction]:
    return [
        _load(ARCH_AT),
        Instruction(JEQ, ARCH_X86_64, jt=1),
        _returns(RET_KILL_PROCESS),
        _load(NR_AT),
        Instruction(JGE, X32_BIT, jf=1),
        _returns(RET_KILL_PROCESS),
    ]


def _only_threads() -> list[Instruction]:
    """clone makes threads of the same process and nothing else."""
    return [
        _load(arg_at(0)),
        Instruction(JSET, ~(THREAD | BEGINNING) & 0xFFFFFFFF, jt=2),
        Instruction(AND, THREAD),
        Instruction(JEQ, THREAD, jt=1),
        _returns(DENY),
        _returns(RET_ALLOW),
    ]


def _only_counted_memory() -> list[Instruction]:
    """RLIMIT_DATA counts neither shared anonymous memory nor what grows like a stack; huge pages nobody counts."""
    both = MAP_SHARED | MAP_ANONYMOUS
    return [
        _load(arg_at(3)),
        Instruction(JSET, MAP_GROWSDOWN | MAP_HUGETLB, jt=3),
        Instruction(AND, both),
        Instruction(JEQ, both, jt=1),
        _returns(RET_ALLOW),
        _returns(DENY),
    ]


def _argument_in(index: int, values: Iterable[int]) -> list[Instruction]:
    """Allowed when the argument is one of the values."""
    values = list(values)
    tests = [Instruction(JEQ, value, jt=len(values) - place) for place, value in enumerate(values)]
    return [_load(arg_at(index)), *tests, _returns(DENY), _returns(RET_ALLOW)]


def _by_number(rules: Mapping[int, list[Instruction]]) -> list[Instruction]:
    """The rule of each call, found by halves; a call without one is refused.

    Whenever a bot starts, the kernel walks through the whole program for every call there is: a list would take long.
    """
    begin: list[tuple[int, list[Instruction]]] = []
    for call in range(max(rules) + 2):
        rule = rules.get(call, [_returns(DENY)])
        if not begin or begin[-1][1] != rule:
            begin.append((call, rule))
    return _halves(begin)


def _halves(begin: list[tuple[int, list[Instruction]]]) -> list[Instruction]:
    """Which of these rules holds, each from its number on up to the next; every rule returns."""
    if len(begin) == 1:
        return begin[0][1]
    middle = len(begin) // 2
    below, above = _halves(begin[:middle]), _halves(begin[middle:])
    return [Instruction(JGE, begin[middle][0], jt=len(below)), *below, *above]


@cache
def assemble(*, changing_user: bool = False) -> bytes:
    """The program as bwrap --seccomp reads it; changing_user also lets setpriv do its work before the bot starts."""
    names = (PR_SET_NAME, PR_GET_NAME, PR_SET_VMA, *(FOR_SETPRIV if changing_user else ()))
    calls = syscalls.ALLOWED | (syscalls.CHANGING_USER if changing_user else {})
    rules = {
        **{call: [_returns(RET_ALLOW)] for call in calls.values()},
        **{call: [_returns(PRETEND_DONE)] for call in syscalls.INERT.values()},
        syscalls.CLONE3: [_returns(PRETEND_MISSING)],
        syscalls.CLONE: _only_threads(),
        syscalls.MMAP: _only_counted_memory(),
        syscalls.IOCTL: _argument_in(1, HARMLESS_IOCTLS),
        syscalls.FCNTL: _argument_in(1, HARMLESS_FCNTLS),
        syscalls.MADVISE: _argument_in(2, HARMLESS_ADVICE),
        syscalls.SOCKETPAIR: _argument_in(0, [AF_UNIX]),
        syscalls.GETSOCKOPT: _argument_in(2, HARMLESS_SOCKET_FACTS),
        syscalls.MEMBARRIER: _argument_in(0, PRIVATE_BARRIERS),
        syscalls.CLOSE_RANGE: _argument_in(2, SHARED_CLOSES),
        syscalls.PRCTL: _argument_in(0, names),
    }
    return b"".join(step.encoded() for step in [*_guard_architecture(), *_by_number(rules)])
