"""Counters and watches that are always ready: every look at them is the kernel's, from a dozen threads at once."""

import os
import select
import threading

from seat import play


def flood(watches, counters):
    while True:
        for watch in watches:
            watch.poll(0)
        for counter in counters:
            os.eventfd_write(counter, 1)


def begin(message):
    counters = [os.eventfd(1, os.EFD_NONBLOCK) for _ in range(40)]
    watches = [select.epoll() for _ in range(8)]
    for watch in watches:
        for counter in counters:
            watch.register(counter, select.EPOLLIN | select.EPOLLOUT)
    threading.stack_size(1 << 18)
    for _ in range(11):
        threading.Thread(target=flood, args=(watches, counters), daemon=True).start()
    flood(watches, counters)


play(on_first_act=begin)
