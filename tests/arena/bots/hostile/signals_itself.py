"""Threads that send each other signals without end; what handles them never comes to its answer."""

import os
import signal
import threading

from seat import play


def send():
    while True:
        os.kill(os.getpid(), signal.SIGUSR1)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR2)


def storm(message):
    for number in (signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, lambda *_: None)
    for _ in range(3):
        threading.Thread(target=send, daemon=True).start()
    while True:
        signal.pause()


play(on_first_act=storm)
