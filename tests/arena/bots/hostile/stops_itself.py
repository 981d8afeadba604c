import os
import signal
import time

from seat import play


def stop(message):
    os.kill(os.getpid(), signal.SIGSTOP)
    import threading

    signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)
    time.sleep(3600)


play(on_first_act=stop)
