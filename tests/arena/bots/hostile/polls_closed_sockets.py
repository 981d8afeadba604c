"""Who waits for a socket keeps it, and all that stands in it, though its number is closed and free for the next."""

import os
import select
import socket
import sys
import threading

from seat import play

ENDS = 50
HELD = [0]


def fill(end):
    end.setblocking(False)
    try:
        while True:
            HELD[0] += end.send(bytes(100_000))
    except BlockingIOError:
        return


def wait_for(numbers):
    poller = select.poll()
    for number in numbers:
        poller.register(number, select.POLLPRI)
    poller.poll(60_000)


def keep():
    ends = [end for _ in range(ENDS // 2) for end in socket.socketpair()]
    for end in ends:
        fill(end)
    numbers = [end.detach() for end in ends]
    threading.Thread(target=wait_for, args=(numbers,), daemon=True).start()
    threading.Event().wait(0.005)
    for number in numbers:
        os.close(number)


def hold(message):
    threading.stack_size(1 << 18)
    for _ in range(14):
        keep()
    sys.stderr.write(f"{HELD[0] >> 20} MiB in sockets{': DONE' if HELD[0] > 32 << 20 else ''}\n")


play(on_first_act=hold)
