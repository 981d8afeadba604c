"""Files made and thrown away: the kernel clears up after them in its own name."""

import os

from seat import play


def churn(message):
    while True:
        os.close(os.open("/tmp/x", os.O_CREAT | os.O_WRONLY))
        os.unlink("/tmp/x")


play(on_first_act=churn)
