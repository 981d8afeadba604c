"""Burns a little and becomes a new program from a thread that is not its first, over and over: whose clock goes on?"""

import os
import sys
import threading
import time

from seat import play

AGAIN = list(sys.orig_argv)


def begin(message):
    until = time.process_time() + 0.005
    while time.process_time() < until:
        pass
    os.environ["AGAIN"] = "yes"
    threading.Thread(target=os.execv, args=(f"/usr/bin/python3.{sys.version_info.minor}", AGAIN)).start()
    while True:
        pass


if os.environ.get("AGAIN"):
    begin(None)
play(on_first_act=begin)
