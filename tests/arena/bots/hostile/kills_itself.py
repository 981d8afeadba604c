"""Every signal it can send to itself, the sure one first; where none ends it, it leaves with the number of one."""

import os
import signal

from seat import play


def leave(message):
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP):
        os.kill(os.getpid(), number)
    os._exit(128 + signal.SIGTERM)


play(on_first_act=leave)
