"""Threads that make threads: whoever looks finds others than the last time, stopped and never all of them."""

import _thread

from seat import play


def spawn():
    while True:
        try:
            _thread.start_new_thread(int, ())
        except RuntimeError:
            pass


def begin(message):
    _thread.stack_size(1 << 16)
    for _ in range(3):
        _thread.start_new_thread(spawn, ())
    spawn()


play(on_first_act=begin)
