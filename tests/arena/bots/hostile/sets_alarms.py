"""Every kind of clock at its quickest: their interrupts are work that the kernel does in nobody's name."""

import os
import select
import signal

from seat import libc, play


def timer():
    """timerfd_create and timerfd_settime, every 50 microseconds."""
    import ctypes

    number = libc().timerfd_create(1, 0o4000)
    libc().timerfd_settime(number, 0, (ctypes.c_long * 4)(0, 50_000, 0, 50_000), None)
    return number


def ring(message):
    for number, kind in ((signal.SIGALRM, signal.ITIMER_REAL), (signal.SIGVTALRM, signal.ITIMER_VIRTUAL)):
        signal.signal(number, lambda *_: None)
        signal.setitimer(kind, 1e-6, 1e-6)
    poller, timers = select.epoll(), [timer() for _ in range(50)]
    for one in timers:
        poller.register(one, select.EPOLLIN)
    while True:
        for one, _ in poller.poll(0.001):
            os.read(one, 8)


play(on_first_act=ring)
