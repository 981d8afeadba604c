"""The leader sits in a vfork-like clone, where no signal to stop reaches it, and another thread thinks on."""

import sys
import threading
import time

from seat import attempt, play
from shelter import FILES, FS, SIGHAND, THREAD, VFORK, VM, clone

came_back = threading.Event()


def think(message):
    if not came_back.wait(0.2):
        sys.stderr.write("vfork: DONE, the leader is where it can't be stopped\n")
        threading.Thread(target=burn, daemon=True).start()


def burn():
    until = time.process_time() + 30
    while time.process_time() < until:
        pass


def hide():
    clone(VM | FS | FILES | SIGHAND | THREAD | VFORK)


threading.Thread(target=play, kwargs={"on_first_act": think}).start()
attempt("vfork-like clone", hide)
came_back.set()
