"""Changes what may be done with its pages while other threads use them: every change has to reach every core."""

import ctypes
import mmap
import threading
from contextlib import suppress

from seat import libc, play


def flip(message):
    area = mmap.mmap(-1, 1 << 22, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    area[::4096] = b"x" * (len(area) // 4096)
    at = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(area)))
    protect = libc().mprotect

    def work():
        while True:
            protect(at, ctypes.c_size_t(1 << 22), 1)
            protect(at, ctypes.c_size_t(1 << 22), 3)

    for _ in range(4):
        # Fewer do as well, where one more is not to be had at that moment.
        with suppress(RuntimeError):
            threading.Thread(target=work, daemon=True).start()
    work()


play(on_first_act=flip)
