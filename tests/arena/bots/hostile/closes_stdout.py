import os
import time

from seat import play


def close(message):
    os.close(1)
    os.close(2)
    os.close(0)
    time.sleep(3600)


play(on_first_act=close)
