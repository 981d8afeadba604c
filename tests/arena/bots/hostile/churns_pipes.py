"""Pipes and socket pairs filled and closed, watched by epolls that watch each other."""

import os
import select
import socket

from seat import play


def churn(message):
    while True:
        read, write = os.pipe()
        os.set_blocking(write, False)
        one, other = socket.socketpair()
        watch, nested = select.epoll(), select.epoll()
        watch.register(read)
        nested.register(watch.fileno())
        os.write(write, bytes(1 << 16))
        one.send(bytes(1 << 16))
        nested.poll(0)
        for each in (watch, nested, one, other):
            each.close()
        os.close(read)
        os.close(write)


play(on_first_act=churn)
