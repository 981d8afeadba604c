"""Memory taken and given back, and alarms that go off all the time: the kernel's work for a bot that does none."""

import mmap
import signal

from seat import play


def churn(message):
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)
    while True:
        area = mmap.mmap(-1, 1 << 22, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        area[::4096] = b"x" * len(area[::4096])
        area.close()


play(on_first_act=churn)
