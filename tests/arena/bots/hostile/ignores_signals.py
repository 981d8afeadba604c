import signal
import time

from seat import play

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


def wait(message):
    while True:
        try:
            time.sleep(3600)
        except BaseException:
            pass


play(on_first_act=wait)
