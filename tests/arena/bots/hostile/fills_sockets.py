import os
import socket
import sys

from seat import play

kept = []


def fill(write):
    filled = 0
    try:
        while True:
            filled += write()
    except BlockingIOError:
        return filled


def pair(kind):
    ends = socket.socketpair(socket.AF_UNIX, kind)
    kept.append(ends)
    piece = bytes(100_000 if kind == socket.SOCK_STREAM else 1)
    for end in ends:
        end.setblocking(False)
    return sum(fill(lambda end=end: end.send(piece)) for end in ends)


def pipe():
    ends = os.pipe()
    kept.append(ends)
    os.set_blocking(ends[1], False)
    return fill(lambda: os.write(ends[1], bytes(4096)))


def hold(message):
    """What stands in pipes and sockets is memory of the kernel's; how much of it can be had?"""
    held = 0
    for make in (lambda: pair(socket.SOCK_STREAM), lambda: pair(socket.SOCK_DGRAM), pipe):
        for _ in range(10):
            try:
                held += make()
            except OSError:
                break
    sys.stderr.write(f"{len(kept)} filled with {held} bytes{': DONE' if held > 16 << 20 else ''}\n")


play(on_first_act=hold)
