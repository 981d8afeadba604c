import ctypes
import errno

from seat import libc, play

PRIVATE, ANONYMOUS, NORESERVE, HUGETLB = 0x2, 0x20, 0x4000, 0x40000


def huge(flags):
    mmap = libc().mmap
    mmap.restype = ctypes.c_void_p
    mmap(None, ctypes.c_size_t(2 << 20), 3, PRIVATE | ANONYMOUS | flags, -1, ctypes.c_long(0))
    return ctypes.get_errno()


def ask(message):
    """Pages that a host sets apart stand in no count of a process; ENOMEM would only say that it has none today."""
    import sys

    answers = {flags: huge(flags) for flags in (HUGETLB, HUGETLB | NORESERVE, HUGETLB | 21 << 26, HUGETLB | 30 << 26)}
    told = "refused" if set(answers.values()) == {errno.EPERM} else f"DONE {answers}"
    sys.stderr.write(f"huge pages: {told}\n")


play(on_first_act=ask)
