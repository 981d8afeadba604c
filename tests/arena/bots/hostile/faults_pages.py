"""Gives pages back and touches them again: the kernel fetches, clears and frees them without end."""

import mmap

from seat import play


def fault(message):
    area = mmap.mmap(-1, 1 << 23, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    touch = b"x" * (len(area) // 4096)
    while True:
        area[::4096] = touch
        area.madvise(mmap.MADV_DONTNEED)


play(on_first_act=fault)
