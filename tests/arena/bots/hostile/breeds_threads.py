"""A few bytes of machine code that make threads which leave at once: next to nothing of its own, and much to clear up."""

import ctypes
import mmap

from seat import play

# clone(VM | FS | FILES | SIGHAND | THREAD), in the child exit(0), in the parent sched_yield() and all over again.
LOOP = bytes.fromhex("b838000000bf000f010031f631d24531d24531c00f0585c07409b8180000000f05ebddb83c00000031ff0f05")


def begin(message):
    code = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
    code.write(LOOP)
    ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()


play(on_first_act=begin)
