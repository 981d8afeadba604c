"""A fair thinker whose threads share the work: hand-offs of the interpreter's lock, and hashes without it."""

import hashlib
import threading
import time

from seat import play, say

THREADS = 6
DATA = bytes(1 << 16)
limits = {}


threading.stack_size(1 << 18)


def think(ms):
    until = time.process_time() + ms / 1000
    threads = [threading.Thread(target=work, args=(until,)) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def work(until):
    number = 0
    while time.process_time() < until:
        number += 1
        if number % 50 == 0:
            hashlib.sha256(DATA).digest()


def begin(start):
    limits.update(start["limits"])


def answer(message):
    think(0.5 * limits["turn_ms"] + (0.6 * limits["bank_ms"] if message["ply"] < 2 else 0))
    say({"action": message["legal"][0]})


play(on_start=begin, answer=answer)
