"""Signals that wait for ever: each takes a piece of the kernel's memory."""

import os
import signal

from seat import attempt, play


def queue():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGRTMIN})
    for _ in range(50_000):
        os.kill(os.getpid(), signal.SIGRTMIN)
    waiting = 0
    while signal.sigtimedwait({signal.SIGRTMIN}, 0):
        waiting += 1
    if waiting < 1000:
        raise MemoryError(f"{waiting} signals waited")
    return waiting


def timers():
    """Each an alarm that lives in the kernel."""
    import ctypes

    from seat import syscall

    made = [syscall(222, 1, None, ctypes.byref(ctypes.c_int())) for _ in range(10_000)]
    return len(made)


def try_it(message):
    attempt("50,000 signals", queue)
    attempt("10,000 timers", timers)


play(on_first_act=try_it)
