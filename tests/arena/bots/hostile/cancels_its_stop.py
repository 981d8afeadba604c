"""Threads that tell their own program to go on, without a pause: what goes on forgets the stop that was still to come."""

import ctypes
import os
import signal
import threading

from seat import libc, play, say


def go_on():
    kill, pid, number = libc().kill, os.getpid(), ctypes.c_int(signal.SIGCONT)
    while True:
        kill(pid, number)


def begin(message):
    for _ in range(4):
        threading.Thread(target=go_on, daemon=True).start()


def answer(message):
    say({"action": message["legal"][0]})


play(on_first_act=begin, answer=answer)
