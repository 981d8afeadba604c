"""Is gone in the middle of an act with as much as it may hold, in as many pieces as it can: a long farewell."""

import ctypes
import mmap
import os

from seat import libc, play


def begin(message):
    areas = []
    for _ in range(48):
        area = mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        area[::4096] = b"x" * 256
        start = ctypes.addressof(ctypes.c_char.from_buffer(area))
        for at in range(0, len(area), 8192):
            libc().mprotect(ctypes.c_void_p(start + at), 4096, 1)
        areas.append(area)
    os.abort()


play(on_first_act=begin)
