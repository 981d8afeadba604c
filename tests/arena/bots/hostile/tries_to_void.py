"""Does in turn all that might make the host look busy, slow or broken, and hopes that the match is called off."""

import hashlib
import mmap
import os
import select
import signal
import sys
import threading
import time

from seat import play

STEP_S = 0.02


def for_a_while(work):
    until = time.monotonic() + STEP_S
    while time.monotonic() < until:
        work()


def thread():
    one = threading.Thread(target=int)
    one.start()
    one.join()


def file():
    os.close(os.open("/tmp/x", os.O_CREAT | os.O_WRONLY))
    os.fsync(2)
    os.unlink("/tmp/x")


def crowd():
    """Threads that wake together wait for each other."""
    gate = threading.Barrier(9)

    def work():
        gate.wait()
        hashlib.sha256(bytes(1 << 17)).digest()

    for _ in range(8):
        threading.Thread(target=work).start()
    gate.wait()


def memory():
    area = mmap.mmap(-1, 1 << 22, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    area[::4096] = b"x" * len(area[::4096])
    area.close()


def drip():
    os.write(2, b".")
    os.sched_yield()


def watch():
    with select.epoll() as poller:
        read, write = os.pipe()
        poller.register(read)
        poller.poll(0.0001)
        os.close(read)
        os.close(write)


def lookup():
    try:
        os.stat(f"/usr/lib/{time.monotonic_ns()}")
    except FileNotFoundError:
        pass


def stop():
    os.kill(os.getpid(), signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGCONT)


WAYS = (thread, file, crowd, memory, drip, watch, lookup, stop, os.sync, os.sched_yield, lambda: time.sleep(0.0001))


def begin(message):
    threading.stack_size(1 << 18)
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
    while True:
        for way in WAYS:
            for_a_while(way)


sys.setswitchinterval(1e-5)
play(on_first_act=begin)
