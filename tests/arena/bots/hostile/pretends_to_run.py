import ctypes
import threading
import time

from seat import libc, play


def sleep():
    libc().prctl(15, ctypes.c_char_p(b") R 1 1 1 1 1 1"), 0, 0, 0)
    time.sleep(60)


def answer(message):
    """Threads that sleep under a name that reads as if they stood ready to run."""
    for _ in range(4):
        threading.Thread(target=sleep, daemon=True).start()
    sleep()


play(answer=answer)
