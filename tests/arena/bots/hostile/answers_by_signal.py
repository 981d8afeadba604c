"""Closes its stdin and answers whenever it is let go on: nobody needs to read to know that it is asked."""

import os
import signal

from seat import hear, say

hear()
signal.signal(signal.SIGCONT, lambda *_: os.write(1, b'{"action":"take1"}\n'))
say({"type": "ready"})
os.close(0)
while True:
    signal.pause()
