"""Every page of its memory with a protection of its own: the kernel keeps a description of each piece, which no limit counts."""

import ctypes
import mmap
import sys

from seat import libc, play


def begin(message):
    areas, pieces = [], 0
    while len(areas) < 64:
        try:
            area = mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        except OSError:
            break
        areas.append(area)
        start = ctypes.addressof(ctypes.c_char.from_buffer(area))
        for at in range(0, len(area), 8192):
            pieces += 2 * (libc().mprotect(ctypes.c_void_p(start + at), 4096, 1) == 0)
    sys.stderr.write(f"pieces: {pieces}\n")
    KEPT.extend(areas)


KEPT = []
play(on_first_act=begin)
