import time

from seat import play


def wait(message):
    until = time.process_time() + 0.03
    while time.process_time() < until:
        pass


play(on_first_act=wait)
