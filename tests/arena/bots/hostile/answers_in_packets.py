"""Makes its pipes carry packets and writes byte by byte: whoever reads has to ask for every single one."""

import fcntl
import os

from seat import play


def drip(message):
    for number in (1, 2):
        fcntl.fcntl(number, fcntl.F_SETFL, fcntl.fcntl(number, fcntl.F_GETFL) | os.O_DIRECT)
    for byte in b'{"action":"':
        os.write(1, bytes([byte]))
    while True:
        os.write(2, b"x")
        os.write(1, b"x")


play(on_first_act=drip)
