import hashlib
import threading

from seat import play


def burn():
    data = bytes(1 << 20)
    while True:
        hashlib.sha256(data).digest()


def threads(message):
    for _ in range(4):
        threading.Thread(target=burn).start()
    threading.Event().wait()


play(on_first_act=threads)
