"""Advises the kernel to do work for it: to write pages out, to merge equal ones, to poison or drop shared ones."""

import ctypes
import mmap
from functools import partial

from seat import attempt, libc, play

ADVICE = {
    "remove": 9,
    "merge": 12,
    "unmerge": 13,
    "cold": 20,
    "page out": 21,
    "collapse": 25,
    "poison": 100,
    "offline": 101,
}


def advise(at, size, advice):
    if libc().madvise(ctypes.c_void_p(at), ctypes.c_size_t(size), advice) < 0:
        raise OSError(ctypes.get_errno(), "refused")


def try_it(message):
    own = mmap.mmap(-1, 1 << 21, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    own[::4096] = b"x" * (len(own) // 4096)
    with open("/bot/seat.py", "rb") as file:
        shared = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    for name, advice in ADVICE.items():
        for whose, area in (("own", own), ("shared", shared)):
            at = ctypes.addressof(ctypes.c_char.from_buffer(area))
            attempt(f"{name}, {whose} pages", partial(advise, at, len(area), advice))


play(on_first_act=try_it)
