"""Calls that take the kernel long: a thousand pieces at a time, to nowhere and to a file, while a stop is due."""

import os

from seat import play


def write(message):
    pieces = [bytes(16 * 1024)] * 900
    nowhere, file = os.open("/dev/null", os.O_WRONLY), os.open("/tmp/x", os.O_CREAT | os.O_RDWR)
    while True:
        os.writev(nowhere, pieces)
        os.writev(file, pieces)
        os.lseek(file, 0, os.SEEK_SET)


play(on_first_act=write)
