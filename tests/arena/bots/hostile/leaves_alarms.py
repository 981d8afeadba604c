"""Clocks of every kind at their quickest, left to ring in the opponent's time."""

import ctypes
import os
import select
import signal
import struct

from seat import play, syscall

TIMERFD_CREATE, TIMERFD_SETTIME = 283, 286
EVERY = struct.pack("qqqq", 0, 1, 0, 1)  # each nanosecond, from the next one on


def begin(message):
    for number in (signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF):
        signal.signal(number, signal.SIG_IGN)
    for which in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        signal.setitimer(which, 1e-6, 1e-6)
    watch = select.epoll()
    for clock in (0, 1, 7) * 14:
        try:
            timer = syscall(TIMERFD_CREATE, clock, 0o4000)
        except OSError:
            continue
        syscall(TIMERFD_SETTIME, timer, 0, ctypes.c_char_p(EVERY), None)
        watch.register(timer, select.EPOLLIN)
    os.set_blocking(2, False)


play(on_first_act=begin)
