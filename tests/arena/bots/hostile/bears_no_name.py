import ctypes

from seat import libc, play


def rename(start):
    """A name that is no text, or one that reads like a line of the kernel's table."""
    name = (b"\xff\xfe\xfd", b"x\x0bNSpid:\t7 7 7")[start["seat"]]
    libc().prctl(15, ctypes.c_char_p(name), 0, 0, 0)


play(on_start=rename)
