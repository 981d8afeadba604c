"""Leaves no line of the processor's caches and no entry of its tables of pages to whoever is asked next."""

import mmap

from seat import play, say

area = mmap.mmap(-1, 48 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
touch = b"x" * (len(area) // 4096)


def answer(message):
    for at in range(0, 4096, 1024):
        area[at::4096] = touch
    say({"action": message["legal"][0]})


play(answer=answer)
