"""A list of locks that leads round in a ring, for the kernel to walk at each end of a thread; then a crash."""

import ctypes
import mmap
import threading

from seat import libc, play, syscall

SET_ROBUST_LIST = 273


def leave(area):
    start = ctypes.addressof(ctypes.c_char.from_buffer(area))
    ring = (ctypes.c_long * (len(area) // 8)).from_buffer(area)
    step = 4096 // 8
    for page in range(len(area) // 4096):
        ring[page * step] = start + (page + 1) * 4096 % len(area)
    ring[1], ring[2] = 8, 0
    syscall(SET_ROBUST_LIST, ctypes.c_long(start), ctypes.c_long(24))


def begin(message):
    area = mmap.mmap(-1, 2048 * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for _ in range(200):
        one = threading.Thread(target=leave, args=(area,))
        one.start()
        one.join()
    libc().memset(None, 0, 1)


play(on_first_act=begin)
