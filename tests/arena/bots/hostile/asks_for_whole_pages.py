"""Pages of two megabytes, taken and given back: the kernel tidies all of the host's memory to have some at hand."""

import mmap

from seat import play

WHOLE = 1 << 21


def churn(message):
    area = mmap.mmap(-1, 12 * WHOLE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    area.madvise(mmap.MADV_HUGEPAGE)
    while True:
        area[::WHOLE] = b"x" * (len(area) // WHOLE)
        area.madvise(mmap.MADV_DONTNEED, 4096, len(area) - WHOLE)  # from within a page: each is split
        area.madvise(mmap.MADV_DONTNEED)


play(on_first_act=churn)
