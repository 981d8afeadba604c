"""The leader sits in a vfork-like clone, anew in each act, where no signal to stop wakes it; another thread thinks on."""

import os
import sys
import threading
import time

from seat import attempt, play, say
from shelter import FILES, FS, SIGHAND, THREAD, VFORK, VM, clone, waits_for_a_byte

door, key = os.pipe()
refused = threading.Event()


def hide():
    while True:
        clone(VM | FS | FILES | SIGHAND | THREAD | VFORK, waits_for_a_byte(door))


def begin(message):
    if not refused.wait(0.2):
        sys.stderr.write("vfork: DONE, the leader is where it can't be stopped\n")
        threading.Thread(target=burn, daemon=True).start()


def burn():
    until = time.process_time() + 30
    while time.process_time() < until:
        pass


def answer(message):
    if not refused.is_set():
        os.write(key, b"x")  # the leader comes back, and hides again
        time.sleep(0.02)
    say({"action": message["legal"][0]})


threading.Thread(target=play, kwargs={"on_first_act": begin, "answer": answer}).start()
attempt("vfork-like clone", hide)
refused.set()
