"""Threads that look for missing names and read folders where the opponent's modules are, under the locks of those folders."""

import os
import threading

from seat import play, say

FOLDERS = [os.path.dirname(os.__file__), "/usr/lib", "/usr/bin", "/bot"]


def crowd(number):
    count = 0
    while True:
        for folder in FOLDERS:
            count += 1
            try:
                os.stat(f"{folder}/{number}-{count}")
            except OSError:
                pass
            os.listdir(folder)


def begin(message):
    threading.stack_size(1 << 18)
    for number in range(10):
        threading.Thread(target=crowd, args=(number,), daemon=True).start()


def answer(message):
    say({"action": message["legal"][0]})


play(on_first_act=begin, answer=answer)
