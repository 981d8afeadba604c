"""The first thread leaves and another fills /tmp: whoever asks after the first thread hears nothing of it."""

import os
import sys
import threading

from seat import libc, play


def fill(message):
    made = 0
    try:
        while made < 60_000:
            os.close(os.open(f"/tmp/{made}", os.O_CREAT | os.O_WRONLY))
            made += 1
    finally:
        sys.stderr.write(f"{made} files\n")
    sys.stderr.write("60,000 files: DONE\n")


threading.Thread(target=play, kwargs={"on_first_act": fill}).start()
libc().syscall(60, 0)  # exit, of this thread alone
