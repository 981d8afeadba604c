"""Cuts its memory into thousands of pieces and glues them together again."""

import ctypes
import mmap

from seat import libc, play


def move(message):
    pages = 4096
    area = mmap.mmap(-1, pages * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    start = ctypes.addressof(ctypes.c_char.from_buffer(area))
    protect, size = libc().mprotect, ctypes.c_size_t(4096)
    while True:
        for how in (1, 3):
            for page in range(0, pages, 2):
                protect(ctypes.c_void_p(start + page * 4096), size, how)


play(on_first_act=move)
