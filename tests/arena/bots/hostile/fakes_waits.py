"""Threads that wake together share a moment of cpu: their waits for each other add up to more than the wall's time."""

import hashlib
import threading
import time

from seat import play

THREADS, BURSTS, PAUSE_S = 14, 400, 0.035
DATA = bytes(1 << 19)


def work(gate):
    for _ in range(BURSTS):
        gate.wait()
        hashlib.sha256(DATA).digest()


def pretend_to_starve(message):
    gate = threading.Barrier(THREADS + 1)
    threading.stack_size(1 << 18)
    for _ in range(THREADS):
        threading.Thread(target=work, args=(gate,)).start()
    for _ in range(BURSTS):
        time.sleep(PAUSE_S)
        gate.wait()


play(on_first_act=pretend_to_starve)
