"""Looks through all the memory it has for words that it was not told: wanted.txt has them with every byte one higher."""

import ctypes
import os
import sys

from seat import libc, play

PAGE = 4096
UP = bytes((number + 1) % 256 for number in range(256))


def pages(c, ends, near):
    """Every page that is mapped on both sides of an address; what is not mapped the kernel refuses to write."""
    reading, writing = ends
    for step in (PAGE, -PAGE):
        at = near // PAGE * PAGE + (0 if step > 0 else -PAGE)
        gaps = 0
        while 0 < at < 1 << 47 and gaps < 64:
            if c.write(writing, ctypes.c_void_p(at), ctypes.c_size_t(PAGE)) == PAGE:
                gaps = 0
                yield at, os.read(reading, PAGE)
            else:
                gaps += 1
            at += step


def try_it(message):
    c, ends = libc(), os.pipe()
    c.sbrk.restype = ctypes.c_void_p
    words = [line.encode() for line in open("/bot/wanted.txt").read().split()]
    environment = ctypes.c_void_p.in_dll(ctypes.pythonapi, "environ").value
    anchors = [
        id(sys),
        id(object()),
        id(words),
        c.sbrk(0) - 1,
        environment,
        ctypes.addressof(ctypes.create_string_buffer(9)),
    ]
    seen, found, last = set(), set(), b""
    for anchor in anchors:
        for at, page in pages(c, ends, anchor):
            if at in seen:
                break
            seen.add(at)
            moved = page.translate(UP)
            found.update(word for word in words if word in moved or word in last + moved[:200])
            last = moved[-200:]
    sys.stderr.write(f"pages: {len(seen)}\n")
    for number, word in enumerate(words):
        sys.stderr.write(f"word {number}: {'found' if word in found else 'not there'}\n")


play(on_first_act=try_it)
