"""Threads made and thrown away: the kernel clears up after them in its own name."""

import threading

from seat import play


def churn(message):
    threading.stack_size(1 << 16)
    while True:
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()


play(on_first_act=churn)
