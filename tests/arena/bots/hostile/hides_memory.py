import mmap
import os
import resource

from seat import attempt, play, syscall

MAP_GROWSDOWN = 0x100


def shared_mappings():
    maps = [mmap.mmap(-1, 64 << 20) for _ in range(8)]
    for one in maps:
        one[::4096] = b"x" * len(one[::4096])
    return len(maps)


def big_mapping():
    return len(mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))


def device_mapping():
    zero = os.open("/dev/zero", os.O_RDWR)
    maps = [mmap.mmap(zero, 64 << 20, flags=mmap.MAP_SHARED) for _ in range(8)]
    return len(maps)


def growing_mapping():
    return len(mmap.mmap(-1, 1 << 16, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_GROWSDOWN))


def deep_stack():
    resource.setrlimit(resource.RLIMIT_STACK, (1 << 30, resource.RLIM_INFINITY))


def try_it(message):
    attempt("memfd", lambda: os.memfd_create("hoard"))
    attempt("memfd_secret", lambda: syscall(447, 0))
    attempt("shmget", lambda: syscall(29, 0, 64 << 20, 0o1600))
    attempt("msgget", lambda: syscall(68, 0, 0o1600))
    attempt("semget", lambda: syscall(64, 0, 1, 0o1600))
    attempt("mq_open", lambda: syscall(240, b"/queue", 66, 0o600, None))
    attempt("shared mappings", shared_mappings)
    attempt("a gigabyte", big_mapping)
    attempt("a device", device_mapping)
    attempt("a stack of its own", growing_mapping)
    attempt("a deep stack", deep_stack)


play(on_first_act=try_it)
