import ctypes

from seat import libc, play

hoard = []


def grow(message):
    """The kernel's table about a process begins with its name; this one reads like the line about its memory."""
    libc().prctl(15, ctypes.c_char_p(b"VmHWM: 1"), 0, 0, 0)
    hoard.append(bytearray(b"x") * 200_000_000)


play(on_first_act=grow)
