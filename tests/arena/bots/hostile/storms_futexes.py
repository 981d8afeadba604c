"""Two threads that wake each other as fast as they can, so that one of them always seems to wait for the core."""

import threading

from seat import play


def pass_on(mine, other):
    while True:
        mine.acquire()
        other.release()


def storm(message):
    locks = [threading.Lock() for _ in range(4)]
    for lock in locks[1:]:
        lock.acquire()
    for place in range(1, 4):
        threading.Thread(target=pass_on, args=(locks[place], locks[(place + 1) % 4]), daemon=True).start()
    pass_on(locks[0], locks[1])


play(on_first_act=storm)
