"""Threads that stop and continue their own process, so that it is never quite the one or the other."""

import os
import signal
import threading
import time

from seat import play


def stop():
    while True:
        os.kill(os.getpid(), signal.SIGCONT)
        os.kill(os.getpid(), signal.SIGTSTP)
        time.sleep(0.001)


def begin(message):
    for _ in range(3):
        threading.Thread(target=stop, daemon=True).start()
    time.sleep(3600)


play(on_first_act=begin)
